"""Every "spec: page.md, Heading" in the code leads to a page of docs/spec and to a heading on it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SPEC = ROOT / "docs" / "spec"
PAGES = {
    page.name: re.findall(r"^#{2,4} (.+)$", page.read_text(), re.M)
    for page in SPEC.glob("*.md")
    if page.name != "README.md"
}
FOLDERS = ("accounts", "config", "games", "leaderboards", "templates", "tests")
SUFFIXES = {".py", ".jinja", ".html", ".js", ".css", ".txt"}
SOURCES = sorted(
    path
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*")
    if path.suffix in SUFFIXES and path != Path(__file__)
)

NEXT_LINE = re.compile(r"\s*\n\s*(?:# |\* )?")
REFERENCE = re.compile(r"\bspec:\s*([\w-]+\.md\b)?(?=(,? ?)(.{0,60}))")
BARE_PAGE = re.compile(rf"(?<!spec: )(?<![\w/-])(?:{'|'.join(map(re.escape, PAGES))})\b")


def astray(text: str) -> Iterator[str]:
    """Yield the references in a source that lead nowhere, and the pages it names in another form."""
    text = NEXT_LINE.sub(" ", text)
    for reference in REFERENCE.finditer(text):
        page, comma, rest = reference.groups()
        if page not in PAGES or (comma.startswith(",") and not _begins_with_heading(rest, PAGES[page])):
            yield reference[0]
    yield from BARE_PAGE.findall(text)


def _begins_with_heading(text: str, headings: list[str]) -> bool:
    return any(re.match(rf"{re.escape(heading)}(?![\w-])", text) for heading in headings)


def test_every_reference_leads_somewhere() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {reference}"
        for path in SOURCES
        for reference in astray(path.read_text(errors="replace"))
    ]
    assert not wrong


@pytest.mark.parametrize(
    "text",
    [
        "Setup (spec: Setup).",
        "Clocks (spec: clocks.md).",
        "Clocks (spec: site.md, Watches).",
        "Clocks (spec: site.md, Clockwork).",
        "Clocks (spec: site.md,\n    Watches).",
        "Clocks (spec: site.md; spec: watches.md).",
        "Clocks (site.md, Clocks).",
        "Records, as engine.md says.",
    ],
)
def test_a_reference_that_leads_nowhere_is_found(text: str) -> None:
    assert list(astray(text))


@pytest.mark.parametrize(
    "text",
    [
        "Clocks (spec: site.md).",
        "Clocks (spec: site.md, Clocks), told once.",
        "# The answer (spec: yam-menteur.md,\n# The answer): sealed.",
        "docs/spec/README.md says why.",
    ],
)
def test_a_reference_that_leads_somewhere_is_let_through(text: str) -> None:
    assert not list(astray(text))


def test_the_code_names_its_sources() -> None:
    named = {page for path in SOURCES for page in re.findall(r"spec: ([\w-]+\.md)", path.read_text(errors="replace"))}
    assert named == set(PAGES)


def test_every_game_has_a_page() -> None:
    folders = [path.parent for path in (ROOT / "games" / "rules").glob("*/__init__.py")]
    assert folders
    assert {folder.name.replace("_", "-") + ".md" for folder in folders} <= set(PAGES)


def test_every_page_is_in_the_table_of_contents() -> None:
    assert set(re.findall(r"\]\(([\w-]+\.md)\)", (SPEC / "README.md").read_text())) == set(PAGES)
