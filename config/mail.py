"""Mail: how a message is written, and where that of the embedded site goes (a folder and the console)."""

import sys
from typing import Any

import css_inline
from django.conf import settings
from django.core.mail.backends.console import EmailBackend as Console
from django.core.mail.backends.filebased import EmailBackend as Folder
from django.core.mail.message import EmailMessage
from django.template.loader import render_to_string

_inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


class FolderAndConsole(Folder):
    """Write each message to a file under EMAIL_FILE_PATH, then to standard output."""

    def write_message(self, message: EmailMessage) -> None:
        super().write_message(message)
        Console(stream=sys.stdout).write_message(message)


def render_mail(base: str, context: dict[str, Any]) -> tuple[str, str, str]:
    """Return subject, text and HTML of a mail in the active language.

    The templates are `<base>_subject.txt`, `<base>.txt` and `<base>.html`. The HTML carries its style on
    each element, as mail programs want it; what depends on the reader's screen stays in a style sheet.
    """
    context = {"site_url": settings.SITE_URL, "site_name": settings.SITE_NAME, **context}
    subject = " ".join(render_to_string(f"{base}_subject.txt", context).split())
    text = render_to_string(f"{base}.txt", context).strip() + "\n"
    return subject, text, _inliner.inline(render_to_string(f"{base}.html", context))
