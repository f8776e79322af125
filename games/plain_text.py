"""The log of a match as plain text, as a screen reader would read it: for mails."""

from html.parser import HTMLParser

from games.table import Table, log_words

BREAKS = frozenset({"p", "li", "div", "ol", "ul"})
EMPTY = frozenset({"br", "img", "use", "input", "hr", "circle", "path", "rect"})


class _Spoken(HTMLParser):
    """Collects the text of a fragment without times and what is hidden from screen readers."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = [""]
        self.unspoken = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.unspoken:
            self.unspoken += tag not in EMPTY
            return
        if tag in BREAKS:
            self.lines.append("")
        found = dict(attrs)
        label = found.get("aria-label") if found.get("role") == "img" else None
        if label:
            self.lines[-1] += f" {label} "
        hidden = found.get("aria-hidden") == "true" or "hidden" in found
        if tag not in EMPTY and (label or hidden or tag in ("time", "svg")):
            self.unspoken = 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Ignore an empty tag."""

    def handle_endtag(self, tag: str) -> None:
        if self.unspoken:
            self.unspoken -= tag not in EMPTY
        elif tag in BREAKS:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        if not self.unspoken:
            self.lines[-1] += data


def plain_lines(html: str) -> list[str]:
    """Return the lines of an HTML fragment as plain text."""
    parser = _Spoken()
    parser.feed(html)
    parser.close()
    lines = (" ".join(line.split()) for line in parser.lines)
    return [line.replace(" ,", ",").replace(" .", ".") for line in lines if line]


def log_sentences(table: Table) -> list[str]:
    """Return a table's log in sentences, from its game's template."""
    return plain_lines(str(log_words(table).story(table, table["log"])))
