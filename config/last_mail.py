"""`make mail`: the newest mail in VAR_DIR, as its reader sees it without HTML. Standard library only."""

import os
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from config import environment

SHOWN = ("From", "To", "Subject", "Date")


def newest() -> Path | None:
    """Return the path of the newest mail that was kept; None without any."""
    folder = Path(os.environ.get("VAR_DIR") or environment.ROOT / "var") / "mail"
    kept = sorted(folder.glob("*.eml"), key=lambda path: path.stat().st_mtime)
    return kept[-1] if kept else None


def plain(raw: bytes) -> str:
    """Return the headers that matter, decoded, and the text of a mail."""
    mail = message_from_bytes(raw, EmailMessage, policy=policy.default)
    text = mail.get_body(("plain",))
    head = "\n".join(f"{name}: {mail[name]}" for name in SHOWN if mail[name])
    return f"{head}\n\n{text.get_content() if text else ''}"


if __name__ == "__main__":
    environment.read()
    found = newest()
    sys.stdout.write(plain(found.read_bytes()) if found else "No mail yet.\n")
