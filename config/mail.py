"""Mail on its way out: by SMTP, with word before it is handed over; embedded, as files in a folder."""

import os
import smtplib
from collections.abc import Callable
from typing import Any

import structlog
from django.core.mail.backends import filebased, smtp
from django.core.mail.message import EmailMessage

log = structlog.get_logger(__name__)

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


class Folder(filebased.EmailBackend):
    """Write messages to files under EMAIL_FILE_PATH, for the site's owner alone; the log says where."""

    def open(self) -> bool:
        """Open this connection's file, which nobody else may read; return whether it was closed."""
        if self.stream is not None:
            return False
        os.chmod(self.file_path, 0o700)
        self.stream = os.fdopen(os.open(self._get_filename(), os.O_WRONLY | os.O_CREAT, 0o600), "wb")
        return True

    def write_message(self, message: EmailMessage) -> None:
        super().write_message(message)
        log.info("mail written", file=self._get_filename())  # type: ignore[attr-defined]
