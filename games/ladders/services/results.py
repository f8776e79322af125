"""What the matches of a ladder say of their challenges: hooks of games, under the lock of the match.

They write the state of the challenge alone and wait for no ladder; the sweep moves the places.
"""

from collections.abc import Sequence

from games import broadcast
from games.ladders.models import Challenge
from games.models import Match, Seat

STATE = Challenge.State


def match_ended(match: Match, seats: Sequence[Seat]) -> None:
    """Note whether the challenger has won; a match called off or voided has no result. A hook (ON_MATCH_END)."""
    challenge = _challenge_of(match)
    if challenge is None:
        return
    if match.ending == Match.Ending.CALLED_OFF or match.voided_at is not None:
        challenge.state = STATE.VOID
    else:
        challenge.state = STATE.WON if _has_won(seats, challenge.seat or 0) else STATE.HELD
    challenge.save(update_fields=["state"])
    broadcast.ladders_waiting()


def match_voided(match: Match) -> None:
    """Let a match that a moderator voided count for nothing; places that moved stay. A hook (ON_MATCH_VOIDED)."""
    Challenge.objects.filter(match=match).update(state=STATE.VOID)


def match_reopened(match: Match) -> None:
    """Wait for the end once more: the match goes on. A hook (ON_MATCH_REOPENED)."""
    Challenge.objects.filter(match=match).update(state=STATE.RUNNING, settled_at=None)


def _challenge_of(match: Match) -> Challenge | None:
    return Challenge.objects.select_for_update(no_key=True).filter(match=match).first()


def _has_won(seats: Sequence[Seat], number: int) -> bool:
    """Return whether this seat came out before the other; who left the match has lost, whatever a bot made of it."""
    own = next(seat for seat in seats if seat.number == number)
    other = next(seat for seat in seats if seat.number != number)
    if _is_away(own) or _is_away(other):
        return not _is_away(own) or (own.rank or 0) < (other.rank or 0)
    return (own.rank or 0) < (other.rank or 0)


def _is_away(seat: Seat) -> bool:
    return seat.left is not None or seat.substituted
