"""Mail on its way out: by SMTP, with word before it is handed over; embedded, as files and on the console."""

import smtplib
import sys
from collections.abc import Callable
from typing import Any

from django.core.mail.backends import smtp
from django.core.mail.backends.console import EmailBackend as Console
from django.core.mail.backends.filebased import EmailBackend as Folder
from django.core.mail.message import EmailMessage

Handing = Callable[[], None] | None


class _Telling:
    """Say, once the server has taken the recipient, that it gets the message now."""

    handing: Handing = None

    def data(self, msg: Any) -> tuple[int, bytes]:
        if self.handing is not None:
            self.handing()
        return super().data(msg)  # type: ignore[misc,no-any-return]


class _Plain(_Telling, smtplib.SMTP):
    pass


class _Tls(_Telling, smtplib.SMTP_SSL):
    pass


class Smtp(smtp.EmailBackend):
    """Django's SMTP, which calls a message's `handing` between RCPT and DATA; it may raise."""

    tells_handing = True

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _Tls if self.use_ssl else _Plain

    def _send(self, email_message: EmailMessage) -> bool:
        self.connection.handing = getattr(email_message, "handing", None)  # type: ignore[union-attr]
        return bool(super()._send(email_message))  # type: ignore[misc]


class FolderAndConsole(Folder):
    """Write each message to a file under EMAIL_FILE_PATH, then to standard output."""

    def write_message(self, message: EmailMessage) -> None:
        super().write_message(message)
        Console(stream=sys.stdout).write_message(message)
