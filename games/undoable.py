"""Which move may be taken back: the last one, by whoever made it, as long as it has revealed nothing to anybody."""

from collections.abc import Sequence

from games.models import Match, Seat, Turn


def undoable(match: Match, seat: Seat, turns: Sequence[Turn]) -> int | None:
    """Return the number of the turn that the person in `seat` may take back, None without one; `turns` are the last.

    It caused nothing but that it was made: a sealed answer while others still owe theirs, the choice of a die. Each
    turn once, lest others wait for somebody who cannot decide; never in live play, nor in a lesson.
    """
    last = turns[-1] if turns else None
    if last is None or last.number != match.turns or last.seat != seat.number or last.by != Turn.By.PERSON:
        return None
    if not seat.is_in or seat.undid == last.number or match.pace.is_live or match.coached:
        return None
    told = [event["type"] for event in last.events]
    return last.number if len(told) == 1 and told[0] in match.game.sealed else None
