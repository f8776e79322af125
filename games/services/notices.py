"""Facts to tell by mail: noted where they happen, in the same transaction, each once."""

from collections.abc import Iterable

from games.models import Match, Seat
from games.post import Kind, Notice


def note(match: Match, kind: Kind | str, user_ids: Iterable[int], ask: int = 0) -> None:
    """Note a fact for each of these people; what was noted before stays as it is.

    `ask` is the question that it is about, or what else tells two such facts of a match apart. Call it inside
    the transaction that makes it a fact; the sweep finds it by query.
    """
    Notice.objects.bulk_create(
        [
            Notice(user_id=user_id, match_id=match.pk, kind=kind, ask=ask, unread=kind == Kind.MENTIONED)
            for user_id in user_ids
        ],
        ignore_conflicts=True,
    )


def note_end(match: Match, seats: Iterable[Seat]) -> None:
    """Note for each person in these seats that the match has ended, also for those who left it before.

    A match that is restored may end again: the version tells the two apart.
    """
    note(match, Kind.ENDED, [seat.user_id for seat in seats if seat.user_id], ask=match.version)
