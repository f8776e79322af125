"""What moderators do to members; each action leaves a row in the audit."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import names
from accounts.models import User
from accounts.services.mail_links import end_links
from accounts.services.membership import name_is_taken
from config.lib import clock
from config.lib.sockets import end_sessions, person_group, ring
from games.models import Audit, Match, Seat
from games.moderation.models import Appeal, Report, Sanction
from games.moderation.removal import leave_after_commit
from games.moderation.sanctions import SILENCING, address_mark, in_force
from games.services.operation.admin_actions import note
from games.services.people.account_changes import show_names
from games.services.refusals import Invalid, Refused

Kind, Deed = Sanction.Kind, Audit.Deed


class Opponent(Refused):
    """A moderator does not sanction a member against whom they play."""

    status = 403
    sentence = gettext_lazy("You play a match with this member: leave it to another moderator.")


class Staff(Refused):
    """Moderators sanction neither each other nor themselves; admins do."""

    status = 403
    sentence = gettext_lazy("Only an admin may do that to a moderator or an admin.")


def check_impartial(moderator: User, member: User) -> None:
    """Raise Staff for oneself, a moderator or an admin, Opponent for who plays with the moderator."""
    if member.pk == moderator.pk or (member.is_staff and not moderator.is_superuser):
        raise Staff
    playing = Seat.objects.filter(match__status=Match.Status.RUNNING, bot="")
    shared = playing.filter(user=member, match__in=playing.filter(user=moderator).values("match"))
    if not moderator.is_superuser and shared.exists():
        raise Opponent


def warn(*, moderator: User, member: User, reason: str, report: Report | None = None) -> Sanction:
    """Show the member the reason on every page until they confirm that they have read it."""
    return _impose(moderator, member, Kind.WARNING, reason, report=report)


def mute(*, moderator: User, member: User, reason: str, until: datetime, report: Report | None = None) -> Sanction:
    """Stop the member from writing anywhere on the site until then."""
    return _impose(moderator, member, Kind.MUTE, reason, until=until, report=report)


def suspend(*, moderator: User, member: User, reason: str, until: datetime, report: Report | None = None) -> Sanction:
    """Limit the member until then to the matches that others wait in."""
    with transaction.atomic():
        sanction = _impose(moderator, member, Kind.SUSPENSION, reason, until=until, report=report)
        leave_after_commit(member, running=False)
    return sanction


IMPOSING = {Kind.WARNING: Deed.WARN, Kind.MUTE: Deed.MUTE, Kind.SUSPENSION: Deed.SUSPEND, Kind.BAN: Deed.BAN}


def _impose(
    moderator: User,
    member: User,
    kind: Sanction.Kind,
    reason: str,
    *,
    until: datetime | None = None,
    report: Report | None,
    to_ban: bool = False,
) -> Sanction:
    check_impartial(moderator, member)
    with transaction.atomic():
        details = f"{until:%Y-%m-%d %H:%M} UTC" if until else ""
        deed = Deed.PROPOSE if to_ban else IMPOSING[kind]
        row = note(moderator, deed, reason, member=member, report=report, details=details)
        mark = address_mark(member.email)
        about: dict[str, Any] = {"member": member, "mark": mark, "by": moderator}
        if kind != Kind.WARNING:
            end_links([member.pk])
        return Sanction.objects.create(kind=kind, reason=row.reason, until=until, to_ban=to_ban, **about)


def ban(*, moderator: User, member: User, reason: str, report: Report | None = None) -> Sanction:
    """Close the account at once: sessions and sockets end, seats go to bots, open tables go on."""
    with transaction.atomic():
        sanction = _impose(moderator, member, Kind.BAN, reason, report=report)
        User.objects.filter(pk=member.pk).update(is_active=False)
        end_sessions(member.pk)
        for path in settings.ON_LOGGED_OUT:
            import_string(path)(member)
        ring((person_group(member.pk), {"type": "session.ended"}))
        leave_after_commit(member, running=True)
    member.is_active = False
    return sanction


def is_alone(moderator: User) -> bool:
    """Return whether nobody else moderates, who could be the second of two."""
    return not User.objects.filter(is_staff=True, is_active=True).exclude(pk=moderator.pk).exists()


def ban_to_confirm(member: User) -> Sanction | None:
    """Return the suspension that stands for a ban until a second moderator confirms it, if there is one."""
    return next((one for one in in_force(member, [Kind.SUSPENSION]) if one.to_ban), None)


def propose_ban(*, moderator: User, member: User, reason: str, report: Report | None = None) -> Sanction:
    """Suspend the member without end, until a second moderator confirms the ban or lifts it."""
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=member.pk)
        if ban_to_confirm(member) is not None:
            raise Invalid(_("A ban of this member waits for a second moderator already."))
        sanction = _impose(moderator, member, Kind.SUSPENSION, reason, report=report, to_ban=True)
        leave_after_commit(member, running=False)
    return sanction


def confirm_ban(*, moderator: User, member: User, reason: str, report: Report | None = None) -> Sanction:
    """Ban the member whom another moderator proposed to ban; who moderates alone bans at once.

    Invalid when nobody else proposed it.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=member.pk)
        proposed = ban_to_confirm(member)
        if (proposed is None or proposed.by_id == moderator.pk) and not is_alone(moderator):
            raise Invalid(_("A second moderator has to confirm a ban."))
        sanction = ban(moderator=moderator, member=member, reason=reason, report=report)
        if proposed is not None:
            Sanction.objects.filter(pk=proposed.pk).update(ended_at=clock.now(), told_at=clock.now())
            Appeal.objects.filter(sanction=proposed, state=Appeal.State.OPEN).update(sanction=sanction)
    return sanction


def shut_out(member: User) -> None:
    """Close the account of somebody banned under another name, as a ban does; their session goes on."""
    User.objects.filter(pk=member.pk).update(is_active=False)
    ring((person_group(member.pk), {"type": "session.ended"}))
    end_links([member.pk])
    leave_after_commit(member, running=True)


def end_mail_links(*, moderator: User, member: User, reason: str, report: Report | None = None) -> None:
    """End all links in the member's mails that answer without log-in; later mails have new ones."""
    check_impartial(moderator, member)
    with transaction.atomic():
        note(moderator, Deed.LINKS, reason, member=member, report=report)
        end_links([member.pk])


def lift(*, moderator: User, member: User, reason: str, report: Report | None = None) -> int:
    """End the member's mutes, suspensions and ban; return how many. Lost seats stay lost."""
    check_impartial(moderator, member)
    with transaction.atomic():
        held = in_force(member, SILENCING)
        if not held:
            raise Invalid(_("There is nothing to lift."))
        Sanction.objects.filter(pk__in=[one.pk for one in held]).update(ended_at=clock.now())
        if any(one.kind == Kind.BAN for one in held):
            User.objects.filter(pk=member.pk).update(is_active=True)
        note(moderator, Deed.LIFT, reason, member=member, report=report)
    return len(held)


def rename(*, moderator: User, member: User, reason: str, name: str, report: Report | None = None) -> User:
    """Give the member another name, and show them why; a guest's keeps its mark. Invalid if not allowed or taken."""
    check_impartial(moderator, member)
    name, before = names.normalise(name), member.username
    mark = names.GUEST_PREFIX if member.is_guest else ""
    plain = name.removeprefix(mark)
    name = mark + plain
    try:
        names.validate_name(plain)
        names.validate_length(name)
        names.refuse_reserved(plain)
    except ValidationError as error:
        raise Invalid(" ".join(error.messages)) from error
    if name_is_taken(name, but=member):
        raise Invalid(_("This name is taken, or too similar to one that is."))
    try:
        with transaction.atomic():
            change = f"{before} → {name}"
            why = note(moderator, Deed.RENAME, reason, member=member, report=report, details=change)
            member.username = name
            member.save(update_fields=["username", "skeleton"])
            Sanction.objects.create(member=member, kind=Kind.RENAMING, reason=why.reason)
            show_names(member)
    except IntegrityError as error:
        raise Invalid(_("This name is taken, or too similar to one that is.")) from error
    return member


def write_note(*, moderator: User, member: User, reason: str, report: Report | None = None) -> Audit:
    """Leave a note on a member for other moderators; it does nothing."""
    return note(moderator, Deed.NOTE, reason, member=member, report=report)
