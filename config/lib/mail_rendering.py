"""Rendering of mails: subject, text and HTML with inlined styles."""

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
    """A paragraph of a mail; `kind` is "text", "code", "button" (the first link) or "link"."""

    kind: str
    text: str


def parts(body: str, code: str = "") -> list[Part]:
    """Return the paragraphs of a text body, without the signature."""
    text = body.partition(SIGNATURE)[0]
    paragraphs = (" ".join(lines.split()) for lines in re.split(r"\n\s*\n", text))
    found: list[Part] = []
    for words in filter(None, paragraphs):
        kind = _kind(words, code)
        first = kind == "link" and all(part.kind != "button" for part in found)
        found.append(Part("button" if first else kind, words))
    return found


def render_html(subject: str, text: str, code: str) -> str:
    """Return the HTML version of a text mail."""
    words = {"site_url": settings.SITE_URL, "subject": subject, "parts": parts(text, code)}
    return INLINER.inline(render_to_string("account/email/letter.html", words))


def render_mail(base: str, context: dict[str, Any]) -> tuple[str, str, str]:
    """Return subject, text and HTML of a mail in the active language.

    The templates are `<base>_subject.txt`, `<base>.txt` and `<base>.html`. Styles are inlined, as mail
    programs need it, except those that depend on the reader's screen.
    """
    words = {"site_url": settings.SITE_URL, **context}
    subject = " ".join(render_to_string(f"{base}_subject.txt", words).split())
    text = render_to_string(f"{base}.txt", words).strip() + "\n"
    return subject, text, INLINER.inline(render_to_string(f"{base}.html", words))


def _kind(words: str, code: str) -> str:
    if code and words == code:
        return "code"
    return "link" if re.fullmatch(r"https?://\S+", words) else "text"
