"""What the monthly file says of a match: its record, and who played under a name or a pseudonym (docs/spec/records.md).

A pseudonym is one member's within one month alone: it is made with the salt of the month, which nobody else has.
"""

import base64
import hmac
import json
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db.models import Q

from accounts.models import User
from games.models import Match, RecordMonth, Seat
from games.queries.readable import why_unreadable
from games.record import public_record, signed

FORMAT = "club-y-month/1"
TELLING = "match"  # the part of a record that leads to its page, and so to the names there
PUBLIC = Q(
    status=Match.Status.ENDED,
    access=Match.Access.OPEN,
    prepared__isnull=True,  # no lesson, no sandbox
    state__isnull=False,
    ended_at__isnull=False,
)
"""The condition that the record of a match is published."""


def is_public(match: Match) -> bool:
    """Return whether the record of this match is published: `PUBLIC` of one that is read, and can be."""
    is_over = match.status == Match.Status.ENDED and match.ended_at is not None and match.state is not None
    return is_over and match.is_public and match.prepared is None and not why_unreadable(match)


def month_of(match: Match) -> date | None:
    """Return the first day of the month in whose file a match belongs, by its end (UTC); None while it has none."""
    return None if match.ended_at is None else match.ended_at.date().replace(day=1)


def pseudonym(month: RecordMonth, who: str) -> str:
    """Return what stands for somebody in the file of this month; `who` tells them from others."""
    mark = hmac.digest(bytes(month.salt), who.encode(), "sha256")
    return f"player-{base64.b32encode(mark[:10]).decode().lower()}"


def named(people: Sequence[int]) -> set[int]:
    """Return who of these is shown by name: members, not guests, who have not asked for another."""
    return set(User.objects.filter(pk__in=people, named_in_records=True, is_guest=False).values_list("pk", flat=True))


def line_of(month: RecordMonth, match: Match, seats: Sequence[Seat]) -> bytes:
    """Return the line of a match that `is_public`, with its end of line; UTF-8."""
    known = named([seat.user_id for seat in seats if seat.user_id])
    players = [_player(month, seat, known) for seat in seats]
    record = public_record(match, seats)
    if any("pseudonym" in player for player in players):
        record = signed({name: value for name, value in record.items() if name != TELLING})
    line = {
        "format": FORMAT,
        "started_at": match.started_at.isoformat(timespec="seconds") if match.started_at else None,
        "ended_at": match.ended_at.isoformat(timespec="seconds") if match.ended_at else None,
        "time_control": match.pace_slug,
        "rated": match.rated,
        "ending": match.ending,
        "voided": match.voided_at is not None,
        "players": players,
        "record": record,
    }
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _player(month: RecordMonth, seat: Seat, known: set[int]) -> dict[str, Any]:
    """Return who sat there at the end: their name, a pseudonym, or the strength of a bot; and rank and score."""
    result: dict[str, Any] = {"rank": seat.rank, "score": seat.score}
    if seat.user_id is None and not seat.former and seat.left is None:
        return {"bot": seat.bot, **result}
    if seat.left is not None:
        result["left"] = True
    if seat.user_id in known and seat.user_id is not None:
        return {"name": seat.username, **result}
    # Whose account is closed is nobody's any more: another in each match, even within the month.
    who = f"member {seat.user_id}" if seat.user_id else f"seat {seat.match_id}/{seat.number}"
    return {"pseudonym": pseudonym(month, who), **result}
