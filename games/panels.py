"""What an ended match's page says of luck: whose dice showed more pips than dice usually do."""

from collections.abc import Sequence
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.fairness import Luck
from games.luck import luck_in
from games.models import Match, Seat
from games.table import seat_name


def luck_panel(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> SafeString:
    """Return the panel as HTML, empty where no dice were counted."""
    if match.status != Match.Status.ENDED:
        return SafeString()
    lines = [
        {"number": seat.number, "name": seat_name(seat), "you": seat is viewer, **luck_words(luck)}
        for seat, luck in luck_in(match, seats)
    ]
    if not lines:
        return SafeString()
    return render_to_string("games/parts/luck.html", {"lines": lines, "game_slug": match.game_slug})


def luck_words(luck: Luck) -> dict[str, Any]:
    """Return a luck as pages say it: how many dice, their average, and how usual that is."""
    percent = round(100 * luck.above)
    if 25 <= percent <= 75:
        words = _("as dice usually fall")
    elif percent > 75:
        words = _("more pips than in %(percent)d of 100 such matches") % {"percent": min(percent, 99)}
    else:
        words = _("fewer pips than in %(percent)d of 100 such matches") % {"percent": min(100 - percent, 99)}
    return {"dice": luck.dice, "average": luck.average, "words": words}
