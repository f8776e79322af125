"""The statistics of a game's dice, and the luck of a match's players."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.lib.formats import percent
from games.models import Match, Seat
from games.queries import dice
from games.queries.dice import Fairness, Luck, luck_in_match
from games.rules import games, get_game
from games.table import seat_name

WIDTH, HEIGHT = 600, 230
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 14, 30  # margins for the scales


@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the counts of a game: each kind of dice as a chart with its band, a sentence and a table."""
    if slug not in games():
        raise Http404
    kinds = [_kind(fairness) for fairness in dice.fairness_of(slug)]
    context = {"game": get_game(slug), "kinds": kinds, "matches": dice.counted_matches(slug)}
    return render(request, "games/play/dice.html", context)


def _kind(fairness: Fairness) -> dict[str, Any]:
    titles = {6: _("Dice"), 2: _("One of two")}
    return {
        "sides": fairness.sides,
        "title": titles.get(fairness.sides) or _("One of %(sides)d") % {"sides": fairness.sides},
        "total": fairness.total,
        "expected": fairness.expected,
        "band": fairness.band,
        "chi_square": fairness.chi_square,
        "freedom": fairness.sides - 1,
        "verdict": verdict(fairness) if fairness.is_telling else "",
        "chart": chart(fairness) if fairness.is_telling else None,
        "faces": [
            {"face": face, "count": count, "share": fairness.share(face)}
            for face, count in enumerate(fairness.counts, 1)
        ],
    }


def verdict(fairness: Fairness) -> str:
    """Return what the chi-square test says, in words."""
    share = fairness.p_value
    if share < 0.001:
        return _("Fair chance strays this far in fewer than 1 of 1,000 counts. Please tell us.")
    if share < 0.05:
        return _(
            "Fair chance strays this far, or further, in only %(percent)s of counts. That happens now and then; "
            "if it stays so with more matches, please tell us."
        ) % {"percent": percent(share, 1)}
    return _("Fair chance strays this far, or further, in %(percent)s of counts: nothing unusual.") % {
        "percent": percent(share)
    }


def chart(fairness: Fairness) -> dict[str, Any]:
    """Return the faces' shares around the fair one, and the band, in the picture's units."""
    shares = [fairness.share(face) for face in range(1, fairness.sides + 1)]
    reach = 1.25 * max(fairness.band, *(abs(share - fairness.expected) for share in shares))
    inner = HEIGHT - TOP - BOTTOM

    def y(share: float) -> float:
        return round(TOP + inner * (fairness.expected + reach - share) / (2 * reach), 1)

    def x(face: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (face - 0.5) / fairness.sides, 1)

    even, high, low = fairness.expected, fairness.expected + fairness.band, fairness.expected - fairness.band
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "label_x": LEFT - 8,
        "base": HEIGHT - 8,
        "even": y(even),
        "band": {"y": y(high), "height": round(y(low) - y(high), 1), "width": WIDTH - LEFT - RIGHT},
        "scale": [{"words": percent(share, 1), "y": y(share)} for share in (high, even, low)],
        "spots": [
            {"face": face, "x": x(face), "y": y(share), "out": abs(share - even) > fairness.band}
            for face, share in enumerate(shares, 1)
        ],
    }


def luck_panel(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> SafeString:
    """Return the panel of a match that has ended, as HTML; empty if no dice were counted."""
    lines = [
        {"number": seat.number, "name": seat_name(seat), "you": seat is viewer, **luck_words(luck)}
        for seat, luck in luck_in_match(match, seats)
    ]
    if not lines:
        return SafeString()
    return render_to_string("games/play/luck.html", {"lines": lines, "game_slug": match.game_slug})


def luck_words(luck: Luck) -> dict[str, Any]:
    """Return luck for pages: the number of dice, their average, and how usual that is."""
    percent = round(100 * luck.above)
    if 25 <= percent <= 75:
        words = _("as dice usually fall")
    elif percent > 75:
        words = _("more pips than in %(percent)d of 100 such matches") % {"percent": min(percent, 99)}
    else:
        words = _("fewer pips than in %(percent)d of 100 such matches") % {"percent": min(100 - percent, 99)}
    return {"dice": luck.dice, "average": luck.average, "words": words}
