"""One spelling for all the ways of writing a mail address that reach the same mailbox."""

import unicodedata

GMAIL = ("gmail.com", "googlemail.com")


def canonical(address: str) -> str:
    """Return an address without tag, in one case, width and spelling of its domain; Gmail's without dots.

    To recognise who comes back, never to write to: some mail servers do take `+` for a letter like others.
    """
    local, _at, domain = unicodedata.normalize("NFKC", address).strip().casefold().rpartition("@")
    local, domain = local.partition("+")[0] or local, _in_ascii(domain.rstrip("."))
    if domain in GMAIL:
        local, domain = local.replace(".", "") or local, GMAIL[0]
    return f"{local}@{domain}"


def _in_ascii(domain: str) -> str:
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:  # no such domain can exist
        return domain
