"""Mails: who reads them, their words in the site's look, and the outbox that they are handed to."""

import re
from dataclasses import dataclass
from typing import Any

import css_inline
from django.conf import settings
from django.template.loader import render_to_string

SIGNATURE = "\n-- \n"
INLINER = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


@dataclass(frozen=True)
class Part:
    """A paragraph of a mail: `text`, a `code` to type in, the `button` (the first link), or a `link`."""

    kind: str
    text: str


def parts(body: str, code: str = "") -> list[Part]:
    """Return the paragraphs of a text body, its signature left out."""
    text = body.partition(SIGNATURE)[0]
    paragraphs = (" ".join(lines.split()) for lines in re.split(r"\n\s*\n", text))
    found: list[Part] = []
    for words in filter(None, paragraphs):
        kind = _kind(words, code)
        first = kind == "link" and all(part.kind != "button" for part in found)
        found.append(Part("button" if first else kind, words))
    return found


def dressed(subject: str, text: str, code: str) -> str:
    """Return the HTML twin of a text mail, made of the same paragraphs."""
    words = {"site_url": settings.SITE_URL, "subject": subject, "parts": parts(text, code)}
    return INLINER.inline(render_to_string("account/email/letter.html", words))


def written(base: str, context: dict[str, Any]) -> tuple[str, str, str]:
    """Return subject, text and HTML of a mail in the active language.

    The templates are `<base>_subject.txt`, `<base>.txt` and `<base>.html`. The HTML carries its style on
    each element, as mail programs want it; what depends on the reader's screen stays in a style sheet.
    """
    words = {"site_url": settings.SITE_URL, **context}
    subject = " ".join(render_to_string(f"{base}_subject.txt", words).split())
    text = render_to_string(f"{base}.txt", words).strip() + "\n"
    return subject, text, INLINER.inline(render_to_string(f"{base}.html", words))


def _kind(words: str, code: str) -> str:
    if code and words == code:
        return "code"
    return "link" if re.fullmatch(r"https?://\S+", words) else "text"
