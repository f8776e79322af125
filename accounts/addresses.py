"""Mail addresses: as they are stored, and one spelling for all that reach the same mailbox."""

import re

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from config.lib.texts import unicode_form

LONGEST_DOMAIN = 253  # characters; looking through longer ones is dear
GMAIL = ("gmail.com", "googlemail.com")
PROTON = ("proton.me", "protonmail.com", "protonmail.ch", "pm.me")
YANDEX = ("yandex.ru", "yandex.by", "yandex.com", "yandex.kz", "ya.ru")
APPLE = ("icloud.com", "me.com", "mac.com")
# Domains of one provider at which a name is one and the same mailbox, and what that provider reads a sign as.
SAME: tuple[tuple[tuple[str, ...], dict[int, str]], ...] = (
    (GMAIL, {ord("."): ""}),
    (PROTON, {ord("."): "", ord("_"): "", ord("-"): ""}),
    (YANDEX, {ord("."): "-"}),
    (APPLE, {}),
)

# Where anybody has a mailbox, so that no one person owns the domain.
# fmt: off
PROVIDERS = frozenset(
    (
        *GMAIL, *PROTON, *YANDEX, *APPLE,
        "aol.com", "bluewin.ch", "free.fr", "gmx.ch", "gmx.com", "gmx.de", "gmx.fr", "gmx.net", "hey.com",
        "hotmail.co.uk", "hotmail.com", "hotmail.fr", "laposte.net", "libero.it", "live.com",
        "live.fr", "mail.com", "mail.ru", "mailbox.org", "msn.com", "neuf.fr", "numericable.fr",
        "orange.fr", "outlook.com", "outlook.fr", "posteo.de", "qq.com",
        "sfr.fr", "skynet.be", "sympatico.ca", "t-online.de", "telenet.be", "tutanota.com", "videotron.ca",
        "wanadoo.fr", "web.de", "yahoo.co.uk", "yahoo.com", "yahoo.de", "yahoo.fr", "ymail.com",
    )
)
# fmt: on


def normalise(address: str) -> str:
    """Return an address as it is stored and looked for: in one case and width, and with no sign for a letter."""
    return unicode_form("NFKC", address).strip().lower()


def clean(address: str) -> str:
    """Return an address as it is stored. ValidationError when that is none to which every server can write."""
    found = normalise(address)
    try:
        validate_email(found)
    except ValidationError as error:
        raise ValidationError(_("This is no e-mail address."), code="invalid") from error
    local, _at, domain = found.rpartition("@")
    is_odd = '"' in local or "[" in domain  # a second spelling of a plain one, which nobody has for their own
    if is_odd or not local.isascii():  # Django takes a dotless i for the I of its upper case
        raise ValidationError(_("This is no e-mail address."), code="invalid")
    return found


def canonical(address: str) -> str:
    """Return an address without quotes and tag, in one case, width and spelling of its domain.

    Of the providers in SAME a name is spelt in one way, at one domain: Gmail's without dots.
    To recognise who comes back, and to count what one mailbox gets; never to write to: some mail servers do take
    `+` for a letter like others.
    """
    local, _at, domain = unicode_form("NFKC", address).strip().casefold().rpartition("@")
    local, domain = _unquoted(local), _in_ascii(domain.rstrip("."))
    local = local.partition("+")[0] or local
    for domains, read_as in SAME:
        if domain in domains:
            local, domain = local.translate(read_as) or local, domains[0]
    return f"{local}@{domain}"


def domain_of(address: str) -> str:
    """Return the domain of an address, in lower case."""
    return address.rpartition("@")[2].lower()


def _unquoted(local: str) -> str:
    """Return the part before `@` as it is meant (RFC 5321, 4.1.2)."""
    is_quoted = len(local) > 1 and local[0] == local[-1] == '"'
    return re.sub(r"\\(.)", r"\1", local[1:-1]) if is_quoted else local


def _in_ascii(domain: str) -> str:
    if len(domain) > LONGEST_DOMAIN:
        return domain
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:  # no such domain can exist
        return domain
