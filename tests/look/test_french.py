"""French texts: no word before a name that a vowel would shorten, and nothing that says its opposite."""

import re
from collections.abc import Iterator

from babel.messages.pofile import read_po

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
