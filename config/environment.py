"""The site's settings in the environment: which there are, `.env` as their file, and what is wrong with them.

Standard library only: the set-up reads it before any package is there.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
ALIKE = 0.86  # how much a name must be like one of ours to be taken for a slip of it
OTHERS = ("COMPOSE_", "POSTGRES_")  # what else may stand in `.env`: settings of compose.yaml

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")

Kind = Callable[[str], str | None]


def text(value: str) -> str | None:
    """Return None: any text will do."""
    return None


def number(value: str) -> str | None:
    """Return what is wrong with a whole number."""
    return None if value.isascii() and value.isdigit() else "is not a whole number"


def many(value: str) -> str | None:
    """Return what is wrong with a number of things of which there must be one."""
    return number(value) or (None if int(value) else "is none: there must be one at least")


def decimal(value: str) -> str | None:
    """Return what is wrong with a number."""
    return None if value.isascii() and value.replace(".", "", 1).isdigit() else "is not a number"


def port(value: str) -> str | None:
    """Return what is wrong with a port."""
    return None if not number(value) and 0 < int(value) < 65_536 else "is no port: a whole number from 1 to 65535"


def boolean(value: str) -> str | None:
    """Return what is wrong with a yes or no."""
    known = ("1", "0", "true", "false", "yes", "no", "on", "off")
    return None if value.lower() in known else "is neither true nor false"


def level(value: str) -> str | None:
    """Return what is wrong with the least level of lines in the log."""
    return None if value.upper() in LEVELS else f"is none of {', '.join(LEVELS)}"


def data(value: str) -> str | None:
    """Return what is wrong with settings as JSON."""
    try:
        return None if isinstance(json.loads(value), dict) else "is no JSON object"
    except ValueError:
        return "is no JSON"


def networks(value: str) -> str | None:
    """Return what is wrong with a list of networks, with commas."""
    try:
        for one in filter(None, value.split(",")):
            ip_network(one)
    except ValueError:
        return "is no list of networks, such as 10.0.0.0/8,::1/128"
    return None


def readable(value: str) -> str | None:
    """Return what is wrong with the path of a text file."""
    try:
        Path(value).read_text()
    except (OSError, ValueError):
        return "names no text file that can be read"
    return None


def contacts(value: str) -> str | None:
    """Return what is wrong with a list of addresses to write to, with commas (RFC 9116, 2.5.3)."""
    fine = all(urlsplit(one.strip()).scheme in ("mailto", "https", "tel") for one in value.split(",") if one.strip())
    return None if fine else "is no list of addresses that begin with mailto: or https:// or tel:"


def address(*schemes: str) -> Kind:
    """Return the check of an address that begins with one of the schemes. It never quotes one: they hold passwords."""

    def check(value: str) -> str | None:
        try:
            parts = urlsplit(value)
            known = parts.scheme in schemes and bool(parts.netloc or parts.path)
            _ = parts.port
        except ValueError:
            known = False
        return None if known else f"is no address that begins with {' or '.join(f'{one}://' for one in schemes)}"

    return check


DATABASES = ("postgres", "postgresql", "sqlite")
MAIL_SERVERS = ("smtp", "smtps", "smtp+tls", "smtp+ssl", "filemail", "consolemail", "memorymail", "dummymail")

# Every variable that the site reads (docs/operation.md tells what each is), with the check of its value.
KNOWN: dict[str, Kind] = {
    "ADMINS": text,
    "ALLOWED_HOSTS": text,
    "ANYMAIL": data,
    "AUTHENTICATOR_KEYS": text,
    "BACKUP_DIR": text,
    "BOT_PAUSE": decimal,
    "BUILD": text,
    "CSRF_TRUSTED_ORIGINS": text,
    "DATABASE_URL": address(*DATABASES),
    "DEBUG": boolean,
    "DEFAULT_FROM_EMAIL": text,
    "EMAIL_URL": address(*MAIL_SERVERS),
    "ENV_FILE": readable,
    "EXTRA_GAMES": text,
    "HOST": text,
    "HSTS_SECONDS": number,
    "HSTS_SUBDOMAINS": boolean,
    "IMPRINT_FILE": readable,
    "LOCK_SECONDS": decimal,
    "LOG_LEVEL": level,
    "MAIL_PROVIDER": text,
    "MAIL_WEBHOOK_SECRET": text,
    "METRICS_ALLOWED": networks,
    "PORT": port,
    "PUSH": boolean,
    "RECORDS_DIR": text,
    "RECORD_KEYS": text,
    "REDIS_URL": address("redis", "rediss", "unix"),
    "REPLY_AUTHSERV_ID": text,
    "REPLY_DOMAIN": text,
    "REPLY_HOST": text,
    "REPLY_PORT": port,
    "REPLY_SENDERS_CHECKED": boolean,
    "SECRET_KEY": text,
    "SECURITY_CONTACT": contacts,
    "SENTRY_DSN": address("http", "https"),
    "SITE_URL": address("http", "https"),
    "SOCKETS_OF_ADDRESS": number,
    "SOURCE_URL": address("http", "https"),
    "STAFF_SECOND_FACTOR": boolean,
    "THREADS": many,
    "TIME_OUT_MARGIN": decimal,
    "TRUSTED_PROXY_COUNT": number,
    "VAPID_KEY": text,
    "VAR_DIR": text,
    "WEBHOOKS": boolean,
}


def parsed(lines: str) -> Iterator[tuple[int, str, str]]:
    """Yield line number, name and value of each setting of a file: `NAME=value`, in quotes or not; `#` begins a note.

    A line without "=" has the name "".
    """
    for at, line in enumerate(lines.splitlines(), 1):
        wanted = line.strip().removeprefix("export ")
        if wanted and not wanted.startswith("#"):
            name, equals, value = (part.strip() for part in wanted.partition("="))
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            yield at, name if equals else "", value


def file() -> Path:
    """Return the path of the file of settings: `.env` beside the code, or `ENV_FILE`; it need not exist."""
    return Path(os.environ.get("ENV_FILE") or ROOT / ".env")


def read() -> None:
    """Bring the file's settings into the environment; what stands there already is stronger."""
    if file().is_file():
        for _at, name, value in parsed(file().read_text()):
            if name:
                os.environ.setdefault(name, value)


def slips(given: Mapping[str, str]) -> list[str]:
    """Return a sentence for each name that looks like a misspelt setting."""
    found = []
    for name in sorted(set(given) - set(KNOWN)):
        if near := get_close_matches(name, KNOWN, 1, ALIKE):
            found.append(f"{name}: there is no such setting; is {near[0]} meant?")
    return found


def mistakes(given: Mapping[str, str]) -> list[str]:
    """Return a sentence for each setting with an impossible value, and for each line of `.env` that means nothing."""
    found = []
    for name, check in KNOWN.items():
        if (value := given.get(name, "")) and (wrong := check(value)):
            found.append(f"{name} {wrong}.")
    if file().is_file():
        for at, name, _value in parsed(file().read_text()):
            if name not in KNOWN and not name.startswith(OTHERS):
                near = get_close_matches(name, KNOWN, 1, 0.6)
                hint = f"; is {near[0]} meant?" if near else ""
                found.append(f"{file().name}, line {at}: {name or 'a line without “=”'} is no setting of Club Y{hint}")
    return found


def insist() -> None:
    """Exit with a sentence for each setting that is wrong; warn of names that look misspelt."""
    for slip in slips(os.environ):
        sys.stderr.write(f"Warning: {slip}\n")
    if wrong := mistakes(os.environ):
        sys.exit("Club Y cannot start with these settings:\n  " + "\n  ".join(wrong))
