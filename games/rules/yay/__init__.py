"""YAY! (spec: yay.md): three dice thrown on a board of cells."""

from games.engine import Catalogue
from games.engine import gettext_noop as _

ENTRY = Catalogue(
    order=3,
    tagline=_("Three dice thrown on a board: aim, and hold your nerve."),
    minutes="20",
    publisher="Heinz Meister, Noris-Spiele, 2012",
    quick_seats=3,
    options={"size": _("Board")},
    values={
        ("size", 8): _("8 × 8 cells"),
        ("size", 6): _("6 × 6 cells, for a short match"),
    },
    brief={("size", 6): _("6 × 6 cells")},
)
