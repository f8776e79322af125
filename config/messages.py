"""The texts of the site and their translations: `extract` them into the catalogues, or `check` these.

The English texts are the keys; each other language has `config/locale/<language>/LC_MESSAGES/django.po`.
A new file starts with just a header: the `Plural-Forms` that Django has for the language.
Catalogues are sorted and hold neither line numbers nor dates, so that branches merge without conflicts.
"""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_python
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("accounts", "config", "games", "leaderboards", "templates")
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
BROKEN = {"fr": re.compile(r" (?=[:;?!»])|(?<=«) |(?<=\d) (?=\d{3}\b)")}  # spaces that must not break
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|(?<!%)%[sd]|{\w*}")

Found = Iterator[tuple[int, Any, list[str], str | None]]


def django_template(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Found:
    """Yield the texts of a Django template for Babel."""
    code = templatize(file.read().decode())
    lines = "\n".join(line.lstrip() for line in code.splitlines())
    yield from extract_python(io.BytesIO(lines.encode()), keywords, comment_tags, options)


METHODS: list[tuple[str, Any]] = [
    ("**/migrations/**", "ignore"),
    ("**/static/**", "ignore"),
    ("**.py", "python"),
    ("**.jinja", "jinja2.ext:babel_extract"),
    ("**.html", django_template),
    ("**.txt", django_template),
]
JINJA = {"extensions": "jinja2.ext.i18n", "trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}


def path_of(language: str) -> Path:
    """Return the path of the language's catalogue."""
    return ROOT / "config" / "locale" / language / "LC_MESSAGES" / "django.po"


def updated(language: str) -> Catalog:
    """Return the language's catalogue with every present text, and former ones as obsolete."""
    today = Catalog()
    for folder in FOLDERS:
        found = extract_from_dir(ROOT / folder, METHODS, {"**.jinja": JINJA}, KEYWORDS)
        for name, _line, text, _comments, context in found:
            today.add(text, locations=[(f"{folder}/{name}", 0)], context=context)
    with path_of(language).open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    catalogue.update(today, no_fuzzy_matching=True, update_creation_date=False)
    return catalogue


def typeset(language: str, text: str) -> str:
    """Return a translation with the no-break spaces of its language."""
    return BROKEN[language].sub("\u00a0", text)


def extract(language: str) -> None:
    """Write the catalogue anew: every present text with its translation, typeset."""
    catalogue = updated(language)
    for message in catalogue:
        if message.id:
            forms = tuple(typeset(language, form) for form in _forms(message.string))
            message.string = forms if message.pluralizable else forms[0]
    with path_of(language).open("wb") as file:
        write_po(file, catalogue, width=100, sort_output=True, no_location=True, ignore_obsolete=True)


def _forms(text: Any) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, (tuple, list)) else (text or "",)


def _fault(language: str, message: Message) -> str | None:
    translated = _forms(message.string)
    if not all(translated):
        return "missing"
    if message.fuzzy:
        return "fuzzy"
    wanted = [set(PLACEHOLDER.findall(form)) for form in _forms(message.id)]
    for form in translated:
        if (has := set(PLACEHOLDER.findall(form))) not in wanted:
            return f"placeholders differ: {', '.join(sorted(has ^ wanted[-1]))}"
        if typeset(language, form) != form:
            return "a line may break before its punctuation (extract corrects it)"
    return None


def check(language: str) -> list[str]:
    """Return what is missing, fuzzy, obsolete or faulty, a line each."""
    catalogue = updated(language)
    faults = [
        f"{language}: {fault}: {message.id!r} ({message.locations[0][0]})"
        for message in catalogue
        if message.id and (fault := _fault(language, message))
    ]
    return faults + [f"{language}: obsolete: {message.id!r}" for message in catalogue.obsolete.values()]


def main(what: str) -> None:
    """Extract or check every language."""
    settings.configure(USE_I18N=False)
    for language in BROKEN:
        if what == "extract":
            extract(language)
        elif faults := check(language):
            count = f"{len(faults)} texts of {language} need work: make messages, then translate."
            sys.exit("\n".join([*faults, count]))


if __name__ == "__main__":
    main(sys.argv[1])
