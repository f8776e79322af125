"""Mail backends: SMTP with a callback before the message is handed over, and files in a folder."""

import os
import smtplib
import tempfile
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.core.mail.backends import smtp
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import EmailMessage

from config.lib import clock

log = structlog.get_logger(__name__)

Handing = Callable[[], None] | None
KEPT = timedelta(days=7)  # mails as files
AT_ONCE = 100  # of them deleted


class _Announcing:
    """Call `handing` once the server has accepted the recipient, before it gets the message."""

    handing: Handing = None

    def data(self, msg: Any) -> tuple[int, bytes]:
        if self.handing is not None:
            self.handing()
        return super().data(msg)  # type: ignore[misc,no-any-return]


class _Plain(_Announcing, smtplib.SMTP): ...


class _Tls(_Announcing, smtplib.SMTP_SSL): ...


class Smtp(smtp.EmailBackend):
    """Django's SMTP, calling a message's `handing`, which may raise, between RCPT and DATA."""

    tells_handing = True

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _Tls if self.use_ssl else _Plain

    def _send(self, email_message: EmailMessage) -> bool:
        self.connection.handing = getattr(email_message, "handing", None)  # type: ignore[union-attr]
        return bool(super()._send(email_message))  # type: ignore[misc]


class Folder(BaseEmailBackend):
    """Write each message to a file under EMAIL_FILE_PATH, readable by the owner alone, and log its path.

    Files of over a week ago are deleted, some at each message.
    """

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write the messages; return how many. OSError when the folder cannot be written."""
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        for message in email_messages:
            handle, path = tempfile.mkstemp(".eml", f"{clock.now():%Y%m%d-%H%M%S-%f}-", folder)  # mode 600
            with os.fdopen(handle, "wb") as file:
                file.write(message.message().as_bytes() + b"\n")
            log.info("mail written", file=path)
        _forget(folder)
        return len(email_messages)


def _forget(folder: Path) -> None:
    """Delete mails of over a week ago, which their names tell."""
    before = f"{clock.now() - KEPT:%Y%m%d-%H%M%S-%f}"
    old = (file for file in folder.glob("*.eml") if file.name < before)
    for file in islice(old, AT_ONCE):
        file.unlink(missing_ok=True)
