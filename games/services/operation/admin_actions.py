"""What admins do to the site by hand, its audit, and the mail that tells them of a blown fuse."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import urljoin

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services import bounces
from accounts.services.mail import send_to
from config.lib import clock, error_counts, redis
from config.lib.texts import clean_text
from games import broadcast
from games.models import LONGEST_REASON, Audit, Match, Outage, Puzzle, Sweep
from games.services.clocks import outages, time_outs
from games.services.clocks.adjustments import give_time
from games.services.mail import delivery, fuse
from games.services.operation import undo
from games.services.puzzles import making
from games.services.refusals import DoneSince, NothingToUndo, NotStopped, Refused


class NoReason(Refused):
    """A reason is required."""

    status = 400
    sentence = _("Say why.")


class NotStanding(Refused):
    sentence = _("This puzzle was withdrawn before. Nothing was done.")


def reason_of(text: str) -> str:
    """Return the cleaned reason; NoReason when there is none."""
    reason = clean_text(text)[:LONGEST_REASON]
    if not reason:
        raise NoReason
    return reason


def note(moderator: User, deed: str, reason: str | None, *, details: str = "", **about: Any) -> Audit:
    """Append an audit row. NoReason for an empty reason; None for actions that need none."""
    why = "" if reason is None else reason_of(reason)
    return Audit.objects.create(moderator=moderator, deed=deed, reason=why, details=details[:200], **about)


def lock_staff(member: User) -> None:
    """Lock the row of who acts; PermissionDenied if their rights are not those any more with which they came.

    Two admins who take each other's rights at the same moment would both succeed, and nobody be one.
    """
    now = User.objects.select_for_update(no_key=True).get(pk=member.pk)
    if any(getattr(now, name) != getattr(member, name) for name in ("is_active", "is_staff", "is_superuser")):
        raise PermissionDenied


def done_before(moderator: User, key: str) -> bool:
    """Return whether the form with this key was done; lock its sender's row, so that two posts are one deed."""
    lock_staff(moderator)
    return bool(key) and Audit.objects.filter(moderator=moderator, key=key).exists()


def mark_done(moderator: User, key: str) -> None:
    """Give the key of a form to the row that its deed has just left; in the transaction of `done_before`."""
    last = Audit.objects.filter(moderator=moderator).order_by("-pk").first()
    if key and last is not None:
        Audit.objects.filter(pk=last.pk).update(key=key)


MOST_HOURS = 336  # two weeks, the longest time that a match gives for a move
MOST_MATCHES = 100  # at once by hand; beyond that, time is given to all
SHOWN_ACTS = 20

Deed = Audit.Deed
ACTS = (Deed.TIME_ALL, Deed.TIME, Deed.RELEASE, Deed.UNDO, Deed.AGAIN, Deed.MAILS, Deed.PUZZLE)


def acts() -> QuerySet[Audit]:
    """Return the actions on the site's clocks, mails and puzzles, latest first."""
    return Audit.objects.filter(deed__in=ACTS).order_by("-pk")


def last_act(admin: User) -> int:
    """Return the id of this admin's last action, 0 before the first; forms quote it, so none runs twice."""
    return acts().filter(moderator=admin).aggregate(last=Max("pk"))["last"] or 0


def give_time_to_all(*, admin: User, hours: int, reason: str, last: int) -> Outage:
    """Give every running clock this many hours; DoneSince."""
    with transaction.atomic():
        _quoted(admin, last)
        gift = outages.give_all(timedelta(hours=hours))
        note(admin, Deed.TIME_ALL, reason, outage=gift, details=f"{hours} h")
    return gift


def give_time_to_matches(
    *, admin: User, match_ids: Sequence[int], hours: int, reason: str, last: int
) -> tuple[int, int]:
    """Give the members to move this many hours; return how many matches got it, how many not. DoneSince."""
    given = 0
    with transaction.atomic():
        _quoted(admin, last)
        for match_id in sorted(match_ids):
            if give_time(match_id=match_id, amount=timedelta(hours=hours)):
                note(admin, Deed.TIME, reason, match_id=match_id, details=f"{hours} h")
                given += 1
    return given, len(match_ids) - given


def release(*, admin: User, sweep: Sweep, reason: str, last: int) -> None:
    """Let the sweep that the fuse stopped go on; NotStopped when it is not stopped, DoneSince."""
    with transaction.atomic():
        _quoted(admin, last)
        if outages.stopped_sweep() != sweep:
            raise NotStopped
        time_outs.release(sweep)
        note(admin, Deed.RELEASE, reason, sweep=sweep, details=f"{_('due matches')}: {sweep.due}")


def undo_sweep(*, admin: User, sweep: Sweep, reason: str, last: int) -> dict[str, int]:
    """Undo a sweep's time-outs, each in its transaction, after the audit row. NothingToUndo, DoneSince."""
    with transaction.atomic():
        _quoted(admin, last)
        if not sweep.time_outs.filter(undone__isnull=True).exists():
            raise NothingToUndo
        row = note(admin, Deed.UNDO, reason, sweep=sweep)
    done = undo.undo_sweep(sweep)
    row.details = undone_words(done)[:200]
    row.save(update_fields=["details"])
    return done


def undone_words(done: dict[str, int]) -> str:
    """Return the result of an undo as a sentence."""
    words = _("Restored: %(restored)d. Seat returned: %(returned)d. Left as it is: %(left)d. Failed: %(failed)d.")
    return words % done


def withdraw_puzzle(*, admin: User, puzzle: Puzzle, reason: str, last: int) -> None:
    """Take a puzzle from its day, and have a worker make another. NotStanding, DoneSince."""
    with transaction.atomic():
        _quoted(admin, last)
        if not making.withdraw(puzzle):
            raise NotStanding
        note(admin, Deed.PUZZLE, reason, match=puzzle.match, details=f"{puzzle.day} {puzzle.game_name}")
        broadcast.puzzle_missing(puzzle.day.toordinal())


def look_again(*, admin: User, match: Match) -> bool:
    """Let the next sweep look at a match that was set aside; return whether it was."""
    with transaction.atomic():
        if was_aside := time_outs.look_again(match.pk):
            note(admin, Deed.AGAIN, None, match=match)
    return was_aside


def resume_mails(*, admin: User) -> tuple[int, int] | None:
    """Let mails go on, with those that were refused; return how many mails and addresses. None if all go on."""
    with transaction.atomic():
        stop = fuse.release()
        if stop is None:
            return None
        mails = delivery.resend_refused(since=stop.since)
        addresses = bounces.turn_on_since(stop.since)
        words = _("mails: %(mails)d, addresses: %(addresses)d") % {"mails": mails, "addresses": addresses}
        note(admin, Deed.MAILS, None, details=words)
    return mails, addresses


def _quoted(admin: User, last: int) -> None:
    """Lock the admin's row, and refuse (DoneSince) if `last` is not the admin's last action."""
    lock_staff(admin)
    if last_act(admin) != last:
        raise DoneSince


log = structlog.get_logger(__name__)


def tell_of_fuse(*, sweep_id: int) -> int:
    """Mail every admin that the fuse stopped a sweep, once per sweep; return to how many."""
    untold = Sweep.objects.filter(pk=sweep_id, stopped=True, told_at__isnull=True)
    with transaction.atomic():
        if not untold.update(told_at=clock.now()):
            return 0
        sweep, readers = Sweep.objects.get(pk=sweep_id), _admins()
        context = {"sweep": sweep, "page_url": _page_url()}
        for address, user in readers.items():
            send_to(user, "games/operation/fuse", context, kind="fuse", address=address)
    log.warning("fuse told", sweep=sweep_id, readers=len(readers))
    return len(readers)


MOST_ERRORS = 20  # in one mail


def tell_of_errors() -> int:
    """Mail every admin the errors that nobody was told of for a day, once an hour at most; return to how many."""
    try:
        news = [error for error in error_counts.last_day() if not error_counts.is_told(error)]
        if not news or not error_counts.may_tell():
            return 0
        error_counts.mark_told(news)
    except redis.AWAY:
        return 0
    context = {"errors": news[:MOST_ERRORS], "number": len(news), "page_url": _page_url()}
    with transaction.atomic():
        readers = _admins()
        for address, user in readers.items():
            send_to(user, "games/operation/errors", context, kind="errors", address=address)
    return len(readers)


def _page_url() -> str:
    return urljoin(settings.SITE_URL, reverse("operation"))


def _admins() -> dict[str, User | None]:
    """Return the superusers with an address, and ALARM_ADDRESSES; each address once."""
    superusers = User.objects.filter(is_superuser=True, is_active=True).exclude(email="").order_by("pk")
    admins: dict[str, User | None] = {user.email.lower(): user for user in superusers}
    for address in settings.ALARM_ADDRESSES:
        admins.setdefault(address.lower(), None)
    return admins
