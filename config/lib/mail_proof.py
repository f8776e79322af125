"""Whether a mail is from the domain that it says: by what one's own mail server found (RFC 8601), and nobody else."""

import re
from email.message import Message

RESULT = re.compile(r"\s*(\w+)\s*=\s*(\w+)(.*)", re.DOTALL)
PROPERTY = re.compile(r"(?<![\w.-])([\w.-]+)\s*=\s*(\S+)")
IN_QUOTES = re.compile(r"[\w.@-]")  # of what is quoted: the rest may be a sender's, spelt like a verdict


def is_proven(mail: Message, address: str, server: str) -> bool:
    """Return whether `server`, by its name in Authentication-Results, found that the address's domain sent this.

    Only fields above the second `Received` are read: those below may have come with the mail. DMARC has the last word,
    where the domain has a policy.
    """
    domain = address.rpartition("@")[2].lower()
    results = [result for field in _fields(mail, server) for result in _results(field)]
    dmarc = [
        verdict for method, verdict, of in results if method == "dmarc" and of.get("header.from", domain) == domain
    ]
    if set(dmarc) - {"none"}:
        return set(dmarc) == {"pass"}
    return any(_is_aligned(method, of, domain) for method, verdict, of in results if verdict == "pass")


def _fields(mail: Message, server: str) -> list[str]:
    found, received = [], 0
    for name, value in mail.items():
        received += name.lower() == "received"
        if received > 1:
            break
        if name.lower() == "authentication-results":
            first, _semicolon, rest = _bare(str(value)).partition(";")
            if first.split()[:1] == [server] and server:
                found.append(rest)
    return found


def _bare(field: str) -> str:
    """Return a field without comments, one within another too, and without marks in quotes; "" if one has no end."""
    found, depth, quoted, at = [], 0, False, 0
    while at < len(field):
        sign = field[at]
        at += 1
        if sign == "\\" and (depth or quoted):
            at += 1  # what follows is no mark
        elif sign == '"' and not depth:
            quoted = not quoted
        elif quoted:
            found.append(sign if IN_QUOTES.match(sign) else "_")
        elif sign == "(":
            depth += 1
        elif sign == ")" and depth:
            depth -= 1
            found.append(" ")
        elif not depth:
            found.append(sign)
    return "" if depth or quoted else "".join(found)


def _results(field: str) -> list[tuple[str, str, dict[str, str]]]:
    """Return the methods of a field, each with its verdict and what it is about."""
    found = []
    for part in field.split(";"):
        if result := RESULT.match(part):
            about = {name.lower(): value.lower() for name, value in PROPERTY.findall(result[3])}
            found.append((result[1].lower(), result[2].lower(), about))
    return found


def _is_aligned(method: str, about: dict[str, str], domain: str) -> bool:
    """Return whether a signature or an envelope is of the same domain, or of one above it."""
    if method == "dkim":
        signed = about.get("header.d") or about.get("header.i", "").rpartition("@")[2]
    elif method == "spf":
        signed = about.get("smtp.mailfrom", "").rpartition("@")[2] or about.get("smtp.mailfrom", "")
    else:
        return False
    return bool(signed) and "." in signed and (domain == signed or domain.endswith(f".{signed}"))
