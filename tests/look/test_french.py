"""French texts: no word before a name that a vowel would shorten, and nothing that says its opposite."""

import re
from collections.abc import Iterator

from babel.messages.pofile import read_po
from django.conf import settings

from config.messages import path_of

NAMED = re.compile(r"\b(?:de|le|la|que|ne|se|si) %\((?:names?|other|member|winner|buyer|country)\)s")


def french() -> Iterator[str]:
    with path_of("fr").open("rb") as file:
        for message in read_po(file):
            yield from message.string if isinstance(message.string, (list, tuple)) else [message.string]


def test_no_name_follows_a_word_that_a_vowel_shortens():
    """It is "d’Ana" and "l’Inde", but "de Bob" and "le Canada": the sentence has to do without."""
    assert [text for text in french() if NAMED.search(text)] == []


def test_mails_are_stopped_not_wished_for():
    """On its own, "Plus de" says "more of" as well as "no more"."""
    assert [text for text in french() if re.match(r"Plus d(e |’)(courriel|e-mail|mail)", text)] == []


def test_no_colon_parts_a_word_from_what_it_needs():
    """It is "depuis 14 h 02" or "début : 14 h 02", never "depuis : 14 h 02"."""
    assert [text for text in french() if re.search(r"(?i)\b(depuis|jusqu’à|avant|pendant|pour) ?:", text)] == []


def test_no_template_sets_a_colon_itself_where_french_sets_a_space_before_it():
    """What is read aloud alone (`hidden`) is not set."""
    found = []
    for folder in ("competitions", "ladders"):
        for path in (settings.BASE_DIR / "templates" / folder).rglob("*.*"):
            lines = path.read_text().splitlines()
            found += [f"{path.name}: {line}" for line in lines if re.search(r"(</\w+>|%\}|\}\}) ?[:;!?](\s|$)", line)]
    assert [line for line in found if "hidden" not in line and "blocktranslate" not in line and "{{" not in line] == []
