"""What is to be mailed, kept in the transaction that makes it true: facts to tell, and finished messages."""

from collections.abc import Iterable
from datetime import timedelta

from accounts.models import User
from config.lib import clock
from games import broadcast
from games.models import Kind, Mail, Match, Notice, Seat

POSTED_FOR = timedelta(days=3)  # for which a finished mail is tried: as long as its links are good


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


def post(
    *, to: str, subject: str, text: str, html: str, kind: str, user: User | None, life: timedelta | None
) -> None:
    """Keep a finished mail (MAIL_OUTBOX); a worker sends it after commit, if it can before its life ends.

    `user` is the member whose address it is, None when it is nobody's.
    """
    message = {"to": to, "subject": subject, "text": text, "html": html, "headers": {}}
    expires_at = clock.now() + (life or POSTED_FOR)
    Mail.objects.create(user=user, kind=kind, message=message, expires_at=expires_at)
    broadcast.mails_waiting()
