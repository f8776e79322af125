"""Mail of the embedded site: each message is a file in the data folder and a text on the console."""

import sys

from django.core.mail.backends.console import EmailBackend as Console
from django.core.mail.backends.filebased import EmailBackend as Folder
from django.core.mail.message import EmailMessage


class FolderAndConsole(Folder):
    """Write each message to a file under EMAIL_FILE_PATH, then to standard output."""

    def write_message(self, message: EmailMessage) -> None:
        super().write_message(message)
        Console(stream=sys.stdout).write_message(message)
