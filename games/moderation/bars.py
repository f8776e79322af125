"""Addresses and domains that are banned: nobody signs up with them or confirms them."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_domain_name, validate_email
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.addresses import canonical, domain_of
from accounts.models import User
from games.models import Audit
from games.moderation.models import Barred
from games.services.operation.admin_actions import done_before, mark_done, note


def normalised(pattern: str) -> str:
    """Return an address or a domain as it is stored. ValidationError for anything else."""
    text = pattern.strip().lower().removeprefix("@")
    try:
        if "@" in text:
            validate_email(text)
            return canonical(text)
        validate_domain_name(text)
    except ValidationError as error:
        raise ValidationError(_("Give an e-mail address or a domain, such as example.org.")) from error
    if "." not in text:
        raise ValidationError(_("Give an e-mail address or a domain, such as example.org."))
    return canonical(f"any@{text}").rpartition("@")[2]


def is_domain_barred(address: str) -> bool:
    """Return whether the domain of an address, or one above it, is banned; a hook (ADDRESS_DOMAIN_BARRED)."""
    above = set()
    for domain in (domain_of(address), domain_of(canonical(address))):
        labels = domain.split(".")[-10:]
        above |= {".".join(labels[number:]) for number in range(len(labels))}
    return Barred.objects.filter(pattern__in=above).exists()


def is_barred(address: str) -> bool:
    """Return whether this very address or its domain is banned; a hook (ADDRESS_BARRED).

    That an address is banned is told to nobody who types it: no mail is sent there, and it is not confirmed.
    """
    return Barred.objects.filter(pattern=canonical(address)).exists() or is_domain_barred(address)


def bar(*, moderator: User, pattern: str, reason: str, key: str = "") -> None:
    """Ban an address or a domain; a form posted twice, or what is banned already, changes nothing."""
    with transaction.atomic():
        if not done_before(moderator, key):
            facts = {"reason": reason, "by": moderator}
            _row, fresh = Barred.objects.get_or_create(pattern=normalised(pattern), defaults=facts)
            if fresh:
                note(moderator, Audit.Deed.BAR, reason, details=_domain(pattern))
                mark_done(moderator, key)


def allow(*, moderator: User, barred: Barred, reason: str) -> None:
    """Let people sign up with an address or domain again; the audit, which moderators read, names domains alone."""
    with transaction.atomic():
        note(moderator, Audit.Deed.UNBAR, reason, details=_domain(barred.pattern))
        Barred.objects.filter(pk=barred.pk).delete()


def _domain(pattern: str) -> str:
    return "" if "@" in pattern else pattern
