"""What templates say of a match as lines of text, as a screen reader would read them, and of HTML: for mails."""

from collections.abc import Callable
from html.parser import HTMLParser
from itertools import takewhile
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString

from games.table import Table, log_words

BREAKS = frozenset({"p", "li", "div", "ol", "ul"})
EMPTY = frozenset({"br", "img", "use", "input", "hr", "circle", "path", "rect"})
SHAPES = "●▲■◆★⬢✚♠"
"""The seats' shapes as characters, as mail programs show no drawings of ours."""


class Line(NamedTuple):
    """A line as text and as HTML, with the shapes of seats; `opens` says whether it begins what belongs together."""

    text: str
    html: SafeString
    opens: bool


class _Name(str):
    """Text that is not to be translated."""

    __slots__ = ()


class _Spoken(HTMLParser):
    """Collects the text of a fragment without times and what is hidden from screen readers."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[list[str | int]] = [[]]  # of each its texts, and the shapes of seats by number
        self.opening = {0}  # the lines with which a list item begins
        self.unspoken = 0
        self.named: list[str] = []  # what is open of an element that is not to be translated

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.unspoken:
            self.unspoken += tag not in EMPTY
            return
        found = dict(attrs)
        if tag not in EMPTY and (self.named or found.get("translate") == "no"):
            self.named.append(tag)
        if tag in BREAKS:
            self._break(opens=tag == "li")
        shape = next((name for name in (found.get("class") or "").split() if name.startswith("seat-")), "")
        if tag == "svg" and shape:
            self.lines[-1].append(int(shape.removeprefix("seat-")))
        label = found.get("aria-label") if found.get("role") == "img" else None
        if label:
            self.lines[-1].append(f" {label} ")
        hidden = found.get("aria-hidden") == "true" or "hidden" in found
        if tag not in EMPTY and (label or hidden or tag in ("time", "svg")):
            self.unspoken = 1

    def _break(self, *, opens: bool) -> None:
        self.lines.append([])
        if opens:
            self.opening.add(len(self.lines) - 1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Ignore an empty tag."""

    def handle_endtag(self, tag: str) -> None:
        if self.unspoken:
            self.unspoken -= tag not in EMPTY
        elif tag in BREAKS:
            self._break(opens=False)
        self.named = self.named[:-1]

    def handle_data(self, data: str) -> None:
        if not self.unspoken:
            self.lines[-1].append(_Name(data) if self.named else data)


def lines_of(html: str) -> list[Line]:
    """Return the lines of an HTML fragment."""
    return [
        Line(_joined(parts, lambda seat: f" {SHAPES[seat]} "), SafeString(_joined(parts, _shape, _marked)), opens)
        for opens, parts in _parts(html)
    ]


def plain_lines(html: str) -> list[str]:
    """Return the lines of an HTML fragment as plain text, without shapes."""
    return [_joined(parts, lambda _seat: "") for _opens, parts in _parts(html)]


def _parts(html: str) -> list[tuple[bool, list[str | int]]]:
    """Return the lines that say something, and of each whether it begins an item of a list."""
    parser = _Spoken()
    parser.feed(html)
    parser.close()
    found, opens = [], False
    for number, parts in enumerate(parser.lines):
        opens |= number in parser.opening
        if any(isinstance(part, int) or part.strip() for part in parts):
            found.append((opens, parts))
            opens = False
    return found


def _joined(parts: list[str | int], shape: Callable[[int], str], say: Callable[[str], str] = str) -> str:
    return _tidy("".join(say(part) if isinstance(part, str) else shape(part) for part in parts))


def _tidy(text: str) -> str:
    return " ".join(text.split()).replace(" ,", ",").replace(" .", ".")


def _marked(text: str) -> str:
    return f'<span translate="no">{escape(text)}</span>' if isinstance(text, _Name) else escape(text)


def _shape(seat: int) -> str:
    return f' <span class="seat-{seat}" aria-hidden="true">{SHAPES[seat]}</span> '


def log_lines(table: Table, most: int) -> list[Line]:
    """Return a table's log, from its game's template: so many lines at most, or a whole turn if that has more."""
    lines = lines_of(str(log_words(table).story(table, table["log"])))
    starts = [number for number, line in enumerate(lines) if line.opens]
    fitting = list(takewhile(lambda start: len(lines) - start <= most, reversed(starts)))
    return lines[fitting[-1] if fitting else starts[-1] if starts else 0 :]


def log_sentences(table: Table) -> list[str]:
    """Return a table's log in sentences, without shapes."""
    return plain_lines(str(log_words(table).story(table, table["log"])))
