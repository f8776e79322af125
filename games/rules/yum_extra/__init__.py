"""Yum EXTRA (spec: yum-extra.md): everybody plays on everybody's dice."""

from games.engine import Catalogue
from games.engine import gettext_noop as _

ENTRY = Catalogue(
    order=1,
    tagline=_("Five coloured dice, and you play on every turn, also on others’."),
    minutes="20–40",
    publisher="Éditions Gladius, 2020",
    quick_seats=3,
    options={"scratch": _("Writing a zero")},
    values={
        ("scratch", "forced"): _("Only when no open row would give points"),
        ("scratch", "free"): _("In any open row, at any time"),
    },
    lobby=("scratch",),
    brief={("scratch", "free"): _("zeros at any time")},
    unreadable={
        "none": _("You keep all your dice. Keep fewer to roll again, or go on with these. Nothing was played."),
        "chosen": _("First choose in the sheet what to use it on. Nothing was played."),
    },
)
