"""YESSS! (spec: yesss.md): one word for two pictures, against each other or together against the clock."""

from games.engine import Catalogue
from games.engine import gettext_noop as _

ENTRY = Catalogue(
    order=4,
    tagline=_("One word for two pictures: will they guess which?"),
    minutes="30",
    publisher="Romaric Galonnier, Blue Cocker Games",
    quick_seats=3,
    options={
        "mode": _("How you play"),
        "language": _("Language of the words"),
        "rounds": _("Rounds"),
        "swaps": _("Changing places between rounds"),
        "minutes": _("Time for the race"),
    },
    values={
        ("mode", "competitive"): _("Against each other, 3 to 7 players"),
        ("mode", "cooperative"): _("Together for one score, 2 to 7 players"),
        ("language", "fr"): _("French"),
        ("language", "en"): _("English"),
        ("rounds", None): _("As many as the cards allow: 7 with three players, one fewer for each further player"),
        ("rounds", 1): _("1 round"),
        ("rounds", ...): _("%(rounds)s rounds"),
        ("swaps", True): _("Anybody may, for a brain"),
        ("swaps", False): _("Nobody changes places"),
        ("minutes", 3): _("3 minutes"),
        ("minutes", 5): _("5 minutes"),
        ("minutes", 0): _("No clock: over days"),
    },
    brief={
        ("mode", "cooperative"): _("together"),
        ("minutes", 0): _("no clock"),
        ("minutes", 3): _("3 minutes"),
        ("minutes", 5): _("5 minutes"),
        ("language", "fr"): _("words in French"),
        ("language", "en"): _("words in English"),
        ("rounds", 1): _("1 round"),
        ("rounds", ...): _("%(rounds)s rounds"),
        ("swaps", False): _("no swaps"),
    },
    proposed={"swaps": False},
    lobby=("mode", "minutes", "language", "rounds"),
    help={
        "mode": _("Playing together is always casual: no rating changes. The leaderboards keep the best team scores."),
        "swaps": _(
            "By correspondence the match is faster without: each time, everybody would wait for everybody’s answer."
        ),
        "minutes": _(
            "A race against the clock is always live: agree on a time, as all play at once. It starts when "
            "everybody is ready."
        ),
    },
    unreadable={
        "fewer": _("A pair is two pictures: tap two of them first. Nothing was played."),
        "more": _("A pair is two pictures: tick exactly two. Nothing was played."),
    },
    refusals={
        "seats": ("size", _("Against each other you need at least three players; two can play together.")),
        "rounds": ("option_rounds", _("There are not enough cards for that many rounds with that many players.")),
    },
)
