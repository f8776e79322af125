"""What a mail tells of a running match: what happened, what that changed, how long there is, the few answers."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import clock
from games import questions
from games.clocks import time_left, to_ms, until
from games.models import Kind, Match, Seat, Turn
from games.plain_text import Line, log_lines
from games.queries.turns import last_turns
from games.record import state_at
from games.services.mail import answering
from games.table import Table, table_for

MOST = 12  # sentences about the last events
STANDING_BACK = (answering.DAY, answering.DECLINE)  # answers whose buttons are plain


def table_since(match: Match, seats: list[Seat], seat: Seat | None, since: int | None) -> Table:
    """Return the match as this seat may see it, with what happened after the turn `since`; None: nothing did."""
    return table_for(match, seats, seat, _turns_told(match, since), since=since)


def _turns_told(match: Match, since: int | None) -> list[Turn]:
    """Return the turns after `since`, and those before that belong to the first of them."""
    fresh = match.turns - since if since is not None else 0
    if fresh <= 0:
        return []
    turns = last_turns(match, since=since, most=fresh + match.game.log_length(match.options))
    first = next((place for place, turn in enumerate(turns) if turn.number > (since or 0)), 0)
    while first > 0 and not match.game.opens_paragraph(turns[first].events):
        first -= 1
    return turns[first:]


def figures(match: Match, seats: list[Seat], seat: Seat | None, table: Table, since: int | None) -> list[Line]:
    """Return each seat's figure, with the one after the turn `since` where that is another."""
    before = None
    if seat is not None and since is not None and table["log"] and match.status == Match.Status.RUNNING:
        state = state_at(match, seats, since)
        before = table_for(match, seats, seat, state=state, step=since)
    return questions.figures_of(table, before)


def story(table: Table) -> list[Line]:
    """Return what happened in lines: so many at most, or a whole turn."""
    return log_lines(table, MOST) if table["log"] else []


def deadline(seat: Seat) -> str:
    """Return the time left for the question: "2 days 4 h left, until Tuesday 18:00"; "" without a clock."""
    if seat.deadline is None or seat.deadline <= clock.now():
        return ""
    end = to_ms(seat.deadline)
    return _("%(left)s left, %(until)s") % {"left": time_left(end, exact=False), "until": until(end)}


def answers(
    user: User, match: Match, seat: Seat | None, table: Table, *, kinds: Sequence[Kind], mail_id: int
) -> list[dict[str, Any]]:
    """Return the buttons of a mail about a match, each with its address; [] for who has turned them off."""
    return [
        offer
        | {
            "url": urljoin(settings.SITE_URL, reverse("answer", args=[offer["token"]])),
            "is_plain": offer["act"] in STANDING_BACK,
        }
        for offer in answering.offers(user, match, seat, table, kinds=kinds, mail_id=mail_id)
    ]
