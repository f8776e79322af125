"""Whether a notice is still true: an outdated one is never mailed."""

from datetime import timedelta

from django.db.models import Q

from config.lib import clock
from games.models import ASKING, Invitation, Kind, Match, Notice, Seat, TimeOut, Turn
from games.queries import play
from games.services.chat import mentions
from games.services.mail.candidates import LAST_CALL
from games.services.mail.planning import QUARTER_OF_MS


def is_relevant(notice: Notice) -> bool:
    """Return whether the notice's fact holds, and is news to its reader."""
    kind, match = Kind(notice.kind), notice.match
    if kind in (Kind.INVITED, Kind.DECLINED):
        is_declined = kind == Kind.DECLINED
        guest = notice.ask if is_declined else notice.user_id
        invitations = Invitation.objects.filter(match=match, user_id=guest, declined=is_declined)
        return match.status == Match.Status.OPEN and invitations.exists()
    if kind == Kind.LAPSED:
        return match.ending == Match.Ending.LAPSED
    if kind == Kind.MENTIONED:
        return mentions.is_unread_mention(notice)
    seat = Seat.objects.filter(match=match, user_id=notice.user_id).first()
    if seat is None:
        return False
    if kind in ASKING:
        return _is_asked(kind, notice, seat)
    if kind in (Kind.SAID, Kind.PROPOSED, Kind.REFUSED):
        return _is_open(kind, notice, seat)
    if kind == Kind.STARTED:  # who has moved, or has seen moves, knows
        moved = match.log.filter(seat=seat.number, by=Turn.By.PERSON).exists()
        return match.status == Match.Status.RUNNING and not moved and not seat.seen
    if kind == Kind.ENDED:
        saw_it = match.ending == Match.Ending.PLAYED and seat.seen >= match.turns
        return match.status == Match.Status.ENDED and not saw_it
    if kind == Kind.VOIDED:
        return match.voided_at is not None
    if kind == Kind.VACATION:
        return True  # the day is taken, whatever became of the question; its number is the day's
    if kind == Kind.ABSENT and not seat.absent:
        return False
    undone = TimeOut.objects.filter(match=match, seat=seat.number, ask=notice.ask, undone__isnull=False)
    return not undone.exists()


def _is_asked(kind: Kind, notice: Notice, seat: Seat) -> bool:
    if seat.ask != notice.ask or seat.bot or notice.match.status != Match.Status.RUNNING:
        return False
    if kind == Kind.TURN:
        return True
    left = seat.deadline - clock.now() if seat.deadline else timedelta()
    return timedelta() < left <= (LAST_CALL if kind == Kind.REMINDER2 else seat.bank * QUARTER_OF_MS)


def _is_open(kind: Kind, notice: Notice, seat: Seat) -> bool:
    """Return whether there are still lines to read, a proposal to answer, or a no to one's own."""
    if kind == Kind.SAID:
        return bool(mentions.with_news(notice.user, [notice.match_id]))
    if kind == Kind.PROPOSED:
        return play.proposed_to(notice.user).filter(pk=seat.pk).exists()
    return _is_refused(notice.match, seat)


def _is_refused(match: Match, seat: Seat) -> bool:
    """Return whether what this seat proposes stands, and somebody who plays has said no."""
    others = Seat.objects.filter(match=match, bot="", user__isnull=False).exclude(pk=seat.pk)
    no = Q(wants_pause=False) if seat.wants_pause else Q(pk=None)
    no |= Q(wants_call_off=False) if seat.wants_call_off else Q(pk=None)
    return match.status == Match.Status.RUNNING and others.filter(no).exists()
