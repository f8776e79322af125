"""¥€$ (spec: yes.md): a race to a million across five continents."""

from games.engine import Catalogue
from games.engine import gettext_noop as _

ENTRY = Catalogue(
    order=5,
    tagline=_("Make a million across five continents."),
    minutes="60–90",
    publisher="Armstrong, Ravensburger, 2004",
    quick_seats=3,
    options={"rounds": _("Rounds")},
    values={
        ("rounds", 0): _("Until somebody reaches the goal"),
        ("rounds", ...): _("%(rounds)s rounds at most"),
    },
    brief={("rounds", 0): "", ("rounds", ...): _("%(rounds)s rounds at most")},
)
