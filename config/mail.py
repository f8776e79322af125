"""Mail: how a message is written, and where that of the embedded site goes (a folder and the console)."""

import sys
from collections.abc import Mapping
from typing import Any

import css_inline
from django.conf import settings
from django.core.mail.backends.console import EmailBackend as Console
from django.core.mail.backends.filebased import EmailBackend as Folder
from django.core.mail.message import EmailMessage
from django.template.loader import render_to_string

_inliner = css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=True, load_remote_stylesheets=False)


def render_mail(template_base: str, context: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return a mail's subject, text and HTML from `<base>_subject.txt`, `<base>.txt` and `<base>.html`.

    In the language that is active. The HTML carries its style on each element, as mail programs want it;
    what depends on the reader's screen (night, narrow) stays in a style sheet.
    """
    words = {"site_url": settings.SITE_URL, "site_name": settings.SITE_NAME, **context}
    subject = " ".join(render_to_string(f"{template_base}_subject.txt", words).split())
    text = render_to_string(f"{template_base}.txt", words).strip() + "\n"
    return subject, text, dress_mail(render_to_string(f"{template_base}.html", words))


def dress_mail(html: str) -> str:
    """Return a rendered mail page with its style on each element."""
    return _inliner.inline(html)


class FolderAndConsole(Folder):
    """Write each message to a file under EMAIL_FILE_PATH, then to standard output."""

    def write_message(self, message: EmailMessage) -> None:
        super().write_message(message)
        Console(stream=sys.stdout).write_message(message)
