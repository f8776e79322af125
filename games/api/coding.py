"""What is sent to programs, as JSON."""

from typing import Any

import msgspec


def encoded(data: Any) -> bytes:
    """Return data as JSON; words that are translated late, or marked as safe for HTML, are texts like others."""
    return msgspec.json.encode(data, enc_hook=_plain)


def _plain(thing: object) -> str:
    return "".join([str(thing)])  # an exact `str`, which `str` alone does not make of a subclass
