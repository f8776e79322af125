"""A member's name in what others wrote: found in any case, accents included, and taken out."""

import re

from django.db.models import Q

GONE = "…"
_PLAIN = re.compile(r"[\x21-\x7e]+")


def may_name(field: str, name: str) -> Q:
    """Return the condition of the rows whose text may hold this name, and of hardly any other.

    SQLite knows no case beyond ASCII, so it looks for the longest part of the name that is plain; of a name
    without any it finds every row. Whether the name is there `unnamed` tells.
    """
    plain = max(_PLAIN.findall(name), key=len, default="")
    return Q(**{f"{field}__icontains": plain}) if plain else Q()


def unnamed(text: str, name: str) -> str:
    """Return the text without this name wherever it stands as a word of its own, in any case."""
    forms = sorted({name, name.casefold(), name.upper()}, key=len, reverse=True)
    words = "|".join(re.escape(form) for form in forms)
    return re.sub(rf"(?<!\w)(?:{words})(?!\w)", GONE, text, flags=re.IGNORECASE)
