"""The translations' tool finds every text, and every fault that is planted."""

from pathlib import Path

import pytest
from babel.messages.frontend import CommandLineInterface

from config import messages

PYTHON = """
from x import gettext_lazy as _
A = _('Hello %(name)s')
B = ngettext('a die', '%d dice', 2)
"""
PAGE = """<p>
   {% translate 'It is late' %}
  {% blocktranslate count n=n %}one
{% plural %}{{ n }} of them{% endblocktranslate %}</p>
"""
BOARD = "<p>{{ pgettext('dice', 'Roll') }}{{ _('It\\'s {}') }}</p>"
TEXTS = {"games/words.py": PYTHON, "templates/page.html": PAGE, "templates/board.jinja": BOARD}


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small site with some texts."""
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    for folder in messages.FOLDERS:
        (tmp_path / folder).mkdir()
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    catalogue().parent.mkdir(parents=True)
    catalogue().write_text('msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n')
    messages.extract("fr")
    return tmp_path


def catalogue() -> Path:
    return messages.path_of("fr")


def translate(*pairs: tuple[str, str]) -> None:
    """Fill the catalogue in: what stands after each English text."""
    text = catalogue().read_text()
    for english, french in pairs:
        assert english in text
        text = text.replace(english, french)
    catalogue().write_text(text)


def translate_all() -> None:
    translate(
        ('msgid "Hello %(name)s"\nmsgstr ""', 'msgid "Hello %(name)s"\nmsgstr "Bonjour %(name)s"'),
        ('"%d dice"\nmsgstr[0] ""\nmsgstr[1] ""', '"%d dice"\nmsgstr[0] "un dé"\nmsgstr[1] "%d dés"'),
        ('msgid "It is late"\nmsgstr ""', 'msgid "It is late"\nmsgstr "Il est tard"'),
        ('msgid "Roll"\nmsgstr ""', 'msgid "Roll"\nmsgstr "Lancer"'),
        ('msgid "It\'s {}"\nmsgstr ""', 'msgid "It\'s {}"\nmsgstr "C’est {}"'),
        ('msgstr[0] ""\nmsgstr[1] ""', 'msgstr[0] "un\\n"\nmsgstr[1] "%(n)s"'),
    )


def test_all_kinds_of_texts_are_found_and_missing_at_first() -> None:
    faults = messages.check("fr")
    assert len(faults) == 6
    assert all(fault.startswith("fr: missing: ") for fault in faults)


def test_complete_catalogue_passes_and_compiles(site: Path) -> None:
    translate_all()
    assert messages.check("fr") == []
    CommandLineInterface().run(["pybabel", "-q", "compile", "-d", f"{site}/config/locale", "-D", "django"])
    assert catalogue().with_suffix(".mo").stat().st_size > 100


def test_extracting_again_changes_nothing() -> None:
    translate_all()
    before = catalogue().read_text()
    messages.extract("fr")
    assert catalogue().read_text() == before


def test_fuzzy_entry_is_named() -> None:
    translate_all()
    translate(('msgid "It is late"', '#, fuzzy\nmsgid "It is late"'))
    assert messages.check("fr") == ["fr: fuzzy: 'It is late' (templates/page.html)"]


def test_text_that_is_gone_is_named_and_leaves_with_the_next_extraction(site: Path) -> None:
    translate_all()
    (site / "templates/page.html").write_text("")
    assert "fr: obsolete: 'It is late'" in messages.check("fr")
    messages.extract("fr")
    assert messages.check("fr") == []


@pytest.mark.parametrize("planted", ["Bonjour", "Bonjour %(nom)s", "Bonjour {name}"])
def test_placeholder_that_differs_is_named(planted: str) -> None:
    translate_all()
    translate(("Bonjour %(name)s", planted))
    [fault] = messages.check("fr")
    assert fault.startswith("fr: placeholders differ: ")


def test_a_line_does_not_break_before_a_colon() -> None:
    translate_all()
    translate(('"Il est tard"', '"Il est tard : « dormez » !"'))
    (fault,) = messages.check("fr")
    assert "punctuation" in fault
    messages.extract("fr")
    assert messages.check("fr") == []
    assert "tard\u00a0: «\u00a0dormez\u00a0»\u00a0!" in catalogue().read_text()
