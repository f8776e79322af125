"""No text that is shown has a word that the glossary bans, in either language."""

import re

import pytest
from babel.messages.pofile import read_po

from config.messages import ROOT, path_of

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()
BANNED_IN = {"en": 2, "fr": 3}  # columns of the first table


def rows(width: int) -> list[list[str]]:
    """Return the cells of the glossary's table of that width, without its head."""
    lines = [line for line in GLOSSARY.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if len(row) == width][2:]


LAWFUL = {(word, place) for word, place in rows(2)}


def banned(language: str) -> list[str]:
    """Return the words that no text of this language may have."""
    cells = [row[BANNED_IN[language]] for row in rows(4)]
    return [word.strip() for cell in cells for word in cell.split(";") if word.strip()]


def plain(text: str) -> str:
    """Return a text with single spaces and without placeholders, which nobody reads."""
    return re.sub(r"\s+", " ", re.sub(r"%\(\w+\)[sd]|\{[{%].*?[}%]\}", "…", text.replace("’", "'")))


def texts(language: str) -> list[str]:
    """Return every text of the site in this language: the catalogue's, and the rules' pages."""
    with path_of("fr").open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    told = [message.id if language == "en" else message.string for message in messages]
    pages = [path.read_text() for path in ROOT.glob(f"games/rules/*/templates/games/*/*.{language}.html")]
    told += [re.split(r"(?<=[.>:;])\s", page) for page in pages]
    return [plain(text) for forms in told for text in ([forms] if isinstance(forms, str) else forms)]


def found_in(text: str, words: list[str]) -> list[str]:
    """Return the banned words of a text, singular or plural, but for where they are lawful."""
    for word, place in LAWFUL:
        if word in words:
            text = text.replace(place, "…")
    return [word for word in words if re.search(rf"(?<![\w-]){re.escape(plain(word))}[sx]?(?![\w-])", text, re.I)]


@pytest.mark.thin(1)
@pytest.mark.parametrize("language", BANNED_IN)
def test_every_text_uses_the_words_of_the_glossary(language: str) -> None:
    words, shown = banned(language), texts(language)
    assert len(words) >= 10 and len(shown) > 2000
    assert {text: faults for text in shown if (faults := found_in(text, words))} == {}


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Votre mail, et deux mails", ["mail"]),
        ("Un e-mail", []),
        ("L’ordinateur joue", ["ordinateur"]),
        ("sur votre ordinateur", []),
        ("Vous l’un contre l’autre", ["l’un contre l’autre"]),
    ],
)
def test_a_banned_word_is_found(text: str, faults: list[str]) -> None:
    assert found_in(plain(text), banned("fr")) == faults
