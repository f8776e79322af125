"""YAM menteur (spec: yam-menteur.md): dice under cups, and claims to be believed or doubted."""

from games.engine import Catalogue
from games.engine import gettext_noop as _

ENTRY = Catalogue(
    order=2,
    tagline=_("Dice under a cup: announce what you like, and hope to be believed."),
    minutes="30",
    quick_seats=3,
    unreadable={
        "none": _("You keep all your dice. Keep fewer to roll again, or go on with these. Nothing was played."),
    },
)
