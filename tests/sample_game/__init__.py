"""A dice race of two seats, each with a hidden die: the smallest game, to be copied for a new one."""

from games.engine import Catalogue
from games.engine import gettext_noop as _

ENTRY = Catalogue(
    order=99,
    tagline=_("A race for two, each with a die up the sleeve."),
    minutes="5",
    quick_seats=2,
    options={"goal": _("Length of the race")},
    values={("goal", ...): _("%(goal)s steps")},
    brief={("goal", 20): _("a short race")},
)
