"""What moderators do to members; each deed leaves a row in the audit."""

from datetime import datetime
from functools import partial

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import letters, names
from accounts.models import User
from accounts.services import name_is_taken
from accounts.sockets import close_sockets, ring
from config import clock
from games import broadcast
from games.broadcast import person_group
from games.models import Match, Seat
from games.moderation.audit import note
from games.moderation.models import Audit, Report, Sanction
from games.moderation.sanctions import SILENCING, address_mark, lazy_sentence
from games.services import lobby
from games.services.leaving import leave
from games.services.locking import lock_match
from games.services.refusals import BadTable, NotOpen, NotYourSeat, Refused

REPLACING_BOT = "easy"
Kind, Deed = Sanction.Kind, Audit.Deed


class Staff(Refused):
    """Moderators do not sanction each other, nor themselves: admins do."""

    status = 403

    def __init__(self) -> None:
        super().__init__()
        self.sentence = _("Only an admin may do that to a moderator or an admin.")


def _check(moderator: User, member: User) -> None:
    """Refuse (Staff) what a moderator would do to a moderator or admin, and anybody to themselves."""
    if member.pk == moderator.pk or (member.is_staff and not moderator.is_superuser):
        raise Staff


def warn(*, moderator: User, member: User, reason: str, report: Report | None = None) -> Sanction:
    """Show the member the reason on every page until they say that they have read it."""
    return _impose(moderator, member, Kind.WARNING, reason, report=report)


def mute(
    *, moderator: User, member: User, reason: str, until: datetime, report: Report | None = None
) -> Sanction:
    """Keep the member from writing anywhere on the site until then."""
    return _impose(moderator, member, Kind.MUTE, reason, until=until, report=report)


def suspend(
    *, moderator: User, member: User, reason: str, until: datetime, report: Report | None = None
) -> Sanction:
    """Keep the member until then from everything but the matches that others wait in."""
    return _impose(moderator, member, Kind.SUSPENSION, reason, until=until, report=report)


IMPOSING = {
    Kind.WARNING: Deed.WARN,
    Kind.MUTE: Deed.MUTE,
    Kind.SUSPENSION: Deed.SUSPEND,
    Kind.BAN: Deed.BAN,
}


def _impose(
    moderator: User,
    member: User,
    kind: Sanction.Kind,
    reason: str,
    *,
    until: datetime | None = None,
    report: Report | None,
) -> Sanction:
    _check(moderator, member)
    with transaction.atomic():
        details = f"{until:%Y-%m-%d %H:%M} UTC" if until else ""
        row = note(moderator, IMPOSING[kind], reason, member=member, report=report, details=details)
        mark = address_mark(member.email)
        sanction = Sanction.objects.create(
            member=member, mark=mark, kind=kind, reason=row.reason, until=until
        )
        if kind in (Kind.SUSPENSION, Kind.BAN):
            _write_to(member, lazy_sentence(sanction))
        return sanction


def _write_to(member: User, words: object) -> None:
    """Tell the member by mail, in their language, once the deed is done."""
    send = partial(letters.send_to, member, "moderation/mail/account", {"words": words})
    transaction.on_commit(send, robust=True)


def ban(*, moderator: User, member: User, reason: str, report: Report | None = None) -> Sanction:
    """Close the account at once: sessions and sockets end, seats go to bots, open tables go on."""
    with transaction.atomic():
        sanction = _impose(moderator, member, Kind.BAN, reason, report=report)
        User.objects.filter(pk=member.pk).update(is_active=False)
        _end_sessions(member)
    leave_all(member)
    return sanction


def shut_out(member: User) -> None:
    """Close the account of somebody who was banned under another name: as a ban does, their page aside."""
    User.objects.filter(pk=member.pk).update(is_active=False)
    ring((person_group(member.pk), {"type": "session.ended"}))
    leave_all(member)


def leave_all(member: User) -> None:
    """Take the member out of all matches and tables, and their invitations with them."""
    member.is_active = False
    for match_id in Seat.objects.filter(user=member, bot="").values_list("match_id", flat=True):
        _leave(match_id, member)
    member.invitations.all().delete()


def _end_sessions(member: User) -> None:
    """Delete the member's sessions and close their sockets; an account that is closed opens no other."""
    store = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
    for session in UserSession.objects.filter(user=member):
        store(session.session_key).delete()
        close_sockets(session.session_key)
        session.delete()
    ring((person_group(member.pk), {"type": "session.ended"}))


def _leave(match_id: int, member: User) -> None:
    """Take the member out of a match that has not ended; in a running one a bot plays on."""
    try:
        lobby.leave(match_id=match_id, user=member)
    except NotOpen:
        with transaction.atomic():
            match, seats = lock_match(match_id)
            seat = next((one for one in seats if one.user_id == member.pk and one.is_in), None)
            if match.status == Match.Status.RUNNING and seat is not None:
                leave(match, seats, seat, bot=REPLACING_BOT, ending=Match.Ending.RESIGNED)
    except NotYourSeat:  # left meanwhile
        return


def lift(*, moderator: User, member: User, reason: str, report: Report | None = None) -> int:
    """End the member's mutes, suspensions and ban; return how many. What a ban ended stays so."""
    _check(moderator, member)
    with transaction.atomic():
        in_force = Sanction.objects.filter(member=member, kind__in=SILENCING, ended_at__isnull=True)
        ended = in_force.update(ended_at=clock.now())
        if not ended:
            raise BadTable(_("There is nothing to lift."))
        User.objects.filter(pk=member.pk).update(is_active=True)
        note(moderator, Deed.LIFT, reason, member=member, report=report)
        _write_to(
            member, gettext_lazy("A moderator has lifted what was imposed on you. You are welcome back.")
        )
    return ended


def rename(*, moderator: User, member: User, reason: str, name: str, report: Report | None = None) -> User:
    """Give the member another name, and tell them why. BadTable for a name that nobody may have."""
    _check(moderator, member)
    name = names.normalise(name)
    try:
        names.validate_name(name)
        names.refuse_reserved(name)
    except ValidationError as error:
        raise BadTable(" ".join(error.messages)) from error
    if name_is_taken(name, but=member):
        raise BadTable(_("This name is taken, or looks too much like one that is."))
    before = member.username
    try:
        with transaction.atomic():
            change = f"{before} → {name}"
            why = note(moderator, Deed.RENAME, reason, member=member, report=report, details=change)
            member.username = name
            member.save(update_fields=["username", "skeleton"])
            told = _("You are now called %(name)s. %(reason)s") % {"name": name, "reason": why.reason}
            Sanction.objects.create(member=member, kind=Kind.WARNING, reason=told[:500])
            _show_names(member)
    except IntegrityError as error:
        raise BadTable(_("This name is taken, or looks too much like one that is.")) from error
    return member


def _show_names(member: User) -> None:
    """Have the pages of the member's unfinished matches show the new name."""
    theirs = Match.objects.filter(seats__user=member).exclude(status=Match.Status.ENDED).order_by("pk")
    for match in theirs.select_for_update(of=("self",)).only("version"):
        Match.objects.filter(pk=match.pk).update(version=match.version + 1)
        broadcast.match_changed(match.pk, match.version + 1)
