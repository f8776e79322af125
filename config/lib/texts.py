"""Cleaning of what people write: no control characters, no change of direction."""

import re
import unicodedata
from typing import Literal

from django import forms
from django.http import QueryDict

LONGEST_SHOWN = 20_000  # characters of a refused text
MOST_MARKS = 3  # accents on one letter; more would cover the lines above and below
MARKS_SORTED = 30  # in a row; more are in no language (Unicode's annex 15, stream-safe text)
SHORT = 1000  # characters, which are never dear
_BECOME_MARKS = "\u0f73\u0f75\u0f81\uff9e\uff9f"  # Tibetan and halfwidth signs that are taken apart into marks

# A flag of tags, as those of Scotland, Wales and England: a black flag, a region's letters, the end.
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
# Explicit directions (U+202A to E, U+2066 to 9) affect the text behind; other tags and joiners hide text.
_HIDING = "[\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
_TURNING = re.compile(f"({_FLAG})|{_HIDING}")
# Places that Unicode keeps for pictures: one newer than this Python has no category here yet.
_PICTURES = re.compile("[\U0001f000-\U0001faff\U0001fc00-\U0001fffd]")
_BLANK_LINES = re.compile(r"\n\s*\n\s*\n+")


WRITTEN = ("text", "notes", "words", "answer")  # fields in which people write


def written(post: QueryDict) -> str:
    """Return what somebody wrote in a form that was refused, so that it is not lost."""
    names = WRITTEN if "words" in post else (*WRITTEN, "reason")  # a report's reason is one of a list
    return "\n\n".join(filter(None, (post.get(name, "")[:LONGEST_SHOWN] for name in names)))


class TextField(forms.CharField):
    """The field of a text of several lines: its line ends count once, as browsers count them."""

    def to_python(self, value: str | None) -> str:
        """Return the text with single line ends."""
        return str(super().to_python(value and str(value).replace("\r\n", "\n")))


def unicode_form(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a form of Unicode, in a time that grows with its length and no faster.

    Python sorts a row of marks by inserting each: 80 000 of them, in a password say, would hold up everybody for ten
    seconds. Of a row that is longer than in any language each part is brought into the form by itself.
    """
    if len(text) <= SHORT or text.isascii():
        return unicodedata.normalize(form, text)
    parts: list[str] = []
    start = row = 0
    for place, character in enumerate(text):
        row = row + 1 if unicodedata.combining(character) or character in _BECOME_MARKS else 0
        if row > MARKS_SORTED:
            parts.append(text[start:place])
            start, row = place, 1
    return "".join(unicodedata.normalize(form, part) for part in [*parts, text[start:]])


def clean_text(text: str) -> str:
    """Return the text as it is stored, with the same meaning."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    text = _TURNING.sub(lambda found: found[1] or "", unicode_form("NFC", text))
    kept: list[str] = []
    marks = 0
    for character in text:
        kind = unicodedata.category(character)
        marks = marks + 1 if kind[0] == "M" else 0
        if marks > MOST_MARKS or (kind in ("Cc", "Cs", "Cn", "Co") and not _stays(character)):
            continue
        kept.append(character)
    return _BLANK_LINES.sub("\n\n", "".join(kept)).strip()


def _stays(character: str) -> bool:
    return character in "\n\t" or bool(_PICTURES.match(character))


def one_line(text: str) -> str:
    """Return the text as `clean_text` does, on one line."""
    return " ".join(clean_text(text).split())
