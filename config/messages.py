"""The texts of the site and their translations: `extract` into the catalogues, `check` them, `compile` them.

The English texts are the keys; each other language has `config/locale/<language>/LC_MESSAGES/django.po`.
Catalogues are sorted and hold no line numbers and no dates, so that branches merge quietly.
"""

import io
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = {"fr": "nplurals=2; plural=(n > 1);"}  # Django's own plural rule for each
NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
BROKEN = {"fr": re.compile(r" (?=[:;?!»])|(?<=«) ")}  # spaces at which no line may break
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|(?<!%)%[sd]|{\w*}")

Found = Iterator[tuple[int, Any, list[str], str | None]]


def django_template(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Found:
    """Yield the texts of a Django template, as Babel wants them."""
    code = templatize(file.read().decode())
    lines = "\n".join(line.lstrip() for line in code.splitlines())
    yield from extract_python(io.BytesIO(lines.encode()), keywords, comment_tags, options)


METHODS: list[tuple[str, Any]] = [
    ("**/migrations/**", "ignore"),
    ("**.py", "python"),
    ("**.jinja", "jinja2.ext:babel_extract"),
    ("**.html", django_template),
    ("**.txt", django_template),
]
FOLDERS = ("accounts", "config", "games", "leaderboards", "templates")
JINJA = {"extensions": "jinja2.ext.i18n", "trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}


def extracted(language: str) -> Catalog:
    """Return an empty catalogue of every text in the code and the templates."""
    catalogue = Catalog(
        locale=language,
        project="Club Y",
        version="1",
        header_comment=f"# Texts of Club Y: {language}.",
        creation_date=NO_DATE,
        revision_date=NO_DATE,
        last_translator="Club Y",
        language_team="Club Y",
        msgid_bugs_address="none",
        fuzzy=False,
    )
    catalogue.mime_headers = [*catalogue.mime_headers, ("Plural-Forms", LANGUAGES[language])]
    for folder in FOLDERS:
        found = extract_from_dir(
            ROOT / folder, METHODS, {"**.jinja": JINJA}, KEYWORDS, strip_comment_tags=True
        )
        for name, _line, text, _comments, context in found:
            catalogue.add(text, locations=[(f"{folder}/{name}", 0)], context=context)
    return catalogue


def path_of(language: str) -> Path:
    """Return where the language's catalogue lies."""
    return ROOT / "config" / "locale" / language / "LC_MESSAGES" / "django.po"


def kept(language: str, path: Path | None = None) -> Catalog:
    """Return the catalogue as it is on disk, the site's or another; an empty one when there is none."""
    path = path or path_of(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def typeset(language: str, text: str) -> str:
    """Return a translation with the no-break spaces that its language asks for."""
    return BROKEN[language].sub("\u00a0", text)


def extract(language: str) -> None:
    """Write the catalogue anew: every text of today, with the translation it had, typeset."""
    old, new = kept(language), extracted(language)
    for message in new:
        if message.id and (known := old.get(message.id, message.context)):
            forms = tuple(typeset(language, form) for form in _forms(known)[1])
            message.string = forms if isinstance(known.string, (tuple, list)) else forms[0]
            message.flags |= known.flags & {"fuzzy"}
    path = path_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, new, width=100, sort_output=True, no_location=True, ignore_obsolete=True)


def _forms(message: Message) -> tuple[list[str], list[str]]:
    """Return the English forms of a message and its translated ones."""
    english = list(message.id) if isinstance(message.id, (tuple, list)) else [message.id]
    translated = message.string if isinstance(message.string, (tuple, list)) else [message.string or ""]
    return english, list(translated)


def _fault(language: str, message: Message, known: Message | None) -> str | None:
    """Return what is wrong with the translation of a message; None when it is complete."""
    if known is None:
        return "missing"
    english, translated = _forms(known)
    if not all(translated):
        return "missing"
    if known.fuzzy:
        return "fuzzy"
    wanted = [set(PLACEHOLDER.findall(form)) for form in english]
    for form in translated:
        has = set(PLACEHOLDER.findall(form))
        if has not in wanted:
            return f"placeholders differ: {', '.join(sorted(has ^ wanted[-1]))}"
        if typeset(language, form) != form:
            return "a line may break before its punctuation (extract mends it)"
    return None


def check(language: str) -> list[str]:
    """Return what is missing, fuzzy, obsolete or does not fit, each in a line."""
    catalogue, today = kept(language), extracted(language)
    faults = []
    for message in today:
        if message.id and (fault := _fault(language, message, catalogue.get(message.id, message.context))):
            faults.append(f"{language}: {fault}: {message.id!r} ({message.locations[0][0]})")
    wanted = {(str(message.id), message.context) for message in today}
    left = [
        message for message in catalogue if message.id and (str(message.id), message.context) not in wanted
    ]
    faults += [f"{language}: obsolete: {message.id!r}" for message in [*left, *catalogue.obsolete.values()]]
    return faults


def compile_catalogue(language: str) -> None:
    """Write the compiled form that the site reads: of its own texts, and of a game's that has its own."""
    extra = ROOT.glob(f"tests/*/locale/{language}/LC_MESSAGES/django.po")
    for path in (path_of(language), *extra):
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, kept(language, path))


def main(what: str) -> None:
    """Do what the command line says, for every language."""
    settings.configure(USE_I18N=False)
    for language in LANGUAGES:
        if what == "extract":
            extract(language)
        elif what == "compile":
            compile_catalogue(language)
        elif faults := check(language):
            sys.exit(
                "\n".join(
                    [*faults, f"{len(faults)} texts of {language} need work: make messages, then translate."]
                )
            )


if __name__ == "__main__":
    main(sys.argv[1])
