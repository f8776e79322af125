"""What admins do to the accounts of members: another address, other rights; both with a mail, and at once."""

from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils.functional import lazy
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.addresses import clean
from accounts.models import User
from accounts.services import bounces
from accounts.services.mail import send_to
from config.lib.sockets import end_sessions, person_group, ring
from games.models import Audit
from games.moderation.models import Report, moderators
from games.services.operation.admin_actions import note
from games.services.people.account_changes import show_names
from games.services.refusals import Invalid, Refused

Deed = Audit.Deed


class AdminsOnly(Refused):
    """Another admin changes addresses and rights; nobody their own."""

    status = 403
    sentence = gettext_lazy("Only an admin may do that, and not to their own account.")


class Rights(models.TextChoices):
    """What a member may do on the site."""

    MEMBER = "member", gettext_lazy("member")
    MODERATOR = "moderator", gettext_lazy("moderator")
    ADMIN = "admin", gettext_lazy("admin")


def rights_of(user: User) -> Rights:
    """Return the rights of a member; those of somebody with any right in the admin are a moderator's."""
    if user.is_superuser:
        return Rights.ADMIN
    return Rights.MODERATOR if user.is_staff else Rights.MEMBER


def change_address(*, moderator: User, member: User, reason: str, address: str, report: Report | None = None) -> None:
    """Make this the member's one address, confirmed; their sessions end. AdminsOnly; Invalid if it is another's.

    The audit does not name addresses, as moderators read it.
    """
    _check(moderator, member)
    try:
        fresh = clean(address)
    except ValidationError as error:
        raise Invalid(_("This is no e-mail address.")) from error
    taken = Invalid(_("Another member has this address."))
    try:
        with transaction.atomic():
            before = User.objects.select_for_update(no_key=True).get(pk=member.pk).email
            if before == fresh:
                raise Invalid(_("This is the member’s address already."))
            others = EmailAddress.objects.filter(email=fresh, verified=True).exclude(user=member)
            if others.exists() or User.objects.filter(email__iexact=fresh).exclude(pk=member.pk).exists():
                raise taken
            EmailAddress.objects.filter(user=member).delete()
            EmailAddress.objects.create(user=member, email=fresh, primary=True, verified=True)
            member.email = fresh
            member.save(update_fields=["email"])
            bounces.try_again(member.pk)
            row = note(moderator, Deed.ADDRESS, reason, member=member, report=report)
            for path in settings.ON_ADDRESS_CONFIRMED:
                import_string(path)(member, fresh)
            _log_out(member)
            told = partial(_address_changed, member.username, row.reason)
            for mailbox in filter(None, (before, fresh)):
                _tell(member, told, mailbox)
    except IntegrityError as error:
        raise taken from error


def change_rights(*, moderator: User, member: User, reason: str, rights: str, report: Report | None = None) -> None:
    """Make somebody a member, a moderator or an admin, with the rights of that and no others.

    Their sessions end; they and the admin who did it get a mail. AdminsOnly; Invalid without a confirmed address.
    """
    _check(moderator, member)
    if rights not in Rights:
        raise Invalid(_("Choose the rights."))
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).get(pk=member.pk)
        before, after = rights_of(locked), Rights(rights)
        if before == after:
            raise Invalid(_("These are the member’s rights already."))
        if after != Rights.MEMBER and not locked.is_confirmed:
            raise Invalid(_("Staff need a confirmed e-mail address."))
        locked.is_staff, locked.is_superuser = after != Rights.MEMBER, after == Rights.ADMIN
        locked.save(update_fields=["is_staff", "is_superuser"])
        locked.user_permissions.clear()
        locked.groups.set([moderators()] if after == Rights.MODERATOR else [])
        change = f"{before.value} → {after.value}"
        row = note(moderator, Deed.RIGHTS, reason, member=member, report=report, details=change)
        _log_out(member)
        show_names(member)
        for reader in (locked, moderator):
            if reader.email:
                _tell(reader, partial(_rights_changed, member.username, after, row.reason))


def _check(moderator: User, member: User) -> None:
    if not moderator.is_superuser or moderator.pk == member.pk or member.is_guest or member.is_bot:
        raise AdminsOnly


def _log_out(member: User) -> None:
    end_sessions(member.pk)
    ring((person_group(member.pk), {"type": "session.ended"}))


def _tell(reader: User, words: Any, address: str = "") -> None:
    send_to(reader, "moderation/mail/account", {"words": lazy(words, str)()}, kind="account", address=address)


def _address_changed(name: str, reason: str) -> str:
    return _(
        "An admin has changed the e-mail address of the account %(name)s. All its sessions have ended, and both "
        "addresses get this mail. Reason: %(reason)s"
    ) % {"name": name, "reason": reason}


def _rights_changed(name: str, rights: Rights, reason: str) -> str:
    return _(
        "The rights of the account %(name)s were changed: %(rights)s. All its sessions have ended. Reason: %(reason)s"
    ) % {"name": name, "rights": rights.label, "reason": reason}
