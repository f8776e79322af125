"""`make reply TEXT="believe" TO=ana`: answers the newest mail in VAR_DIR that can be. Standard library only."""

import argparse
import os
import smtplib
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

from config import environment
from config.place import RECEIVER

FOLDER = Path(os.environ.get("VAR_DIR") or environment.ROOT / "var")


def newest(to: str) -> EmailMessage | None:
    """Return the newest mail in the folder that can be answered, to an address that begins with `to`."""
    kept = sorted((FOLDER / "mail").glob("*.eml"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept:
        mail = message_from_bytes(path.read_bytes(), EmailMessage, policy=policy.default)
        if mail["Reply-To"] and str(mail["To"]).lower().startswith(to.lower()):
            return mail
    return None


def answer_to(mail: EmailMessage, text: str) -> EmailMessage:
    """Return the reply that its reader writes: the text above the mail, quoted."""
    reply = EmailMessage()
    reply["From"], reply["To"], reply["Subject"] = str(mail["To"]), str(mail["Reply-To"]), f"Re: {mail['Subject']}"
    reply["Message-ID"] = make_msgid(domain="terminal.invalid")
    reply["In-Reply-To"] = str(mail["Message-ID"])
    body = mail.get_body(("plain",))
    quoted = "\n".join(f"> {line}" for line in (body.get_content() if body else "").splitlines())
    reply.set_content(f"{text}\n\nOn {mail['Date']}, Club Y wrote:\n{quoted}\n")
    return reply


def main() -> None:
    """Send the answer to the receiver of the running site."""
    parser = argparse.ArgumentParser(prog="make reply")
    parser.add_argument("text")
    parser.add_argument("to", nargs="?", default="")
    wanted = parser.parse_args()
    mail = newest(wanted.to)
    if mail is None:
        sys.exit(f"No mail that can be answered is in {FOLDER / 'mail'}. One comes 20 s after a question is asked.")
    try:
        host, _colon, port = (FOLDER / RECEIVER).read_text().strip().rpartition(":")
        with smtplib.SMTP(host, int(port), timeout=20) as server:
            server.send_message(answer_to(mail, wanted.text))
    except OSError as error:
        sys.exit(f"Not taken: {error}")
    sys.stdout.write(f"Answered for {mail['To']}: {wanted.text}\nWhat became of it: make mail\n")


if __name__ == "__main__":
    environment.read()
    main()
