"""Mail without a server: files that their owner alone can read, and a log that says no more than where."""

import json
import subprocess
import sys
from email import message_from_string
from pathlib import Path

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection

from tests.processes import ROOT

SEND = """
from django.core.mail import send_mail
words = "Bitte schön: https://club.example/secret-link"
send_mail("Bitte schön, é", words, None, ["ann@example.org"], html_message="<p>in colours</p>")
"""


@pytest.fixture
def folder(tmp_path, settings) -> Path:
    settings.EMAIL_BACKEND = "config.mail.Folder"
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")
    return tmp_path / "mail"


def mail(subject="Hello") -> EmailMultiAlternatives:
    return EmailMultiAlternatives(subject, "come in: https://club.example/secret-link", to=["ann@example.org"])


def test_each_mail_is_a_file_for_its_owner_alone(folder, capsys):
    for subject in ("first", "second"):
        mail(subject).send()
    files = sorted(folder.iterdir())
    assert [message_from_string(file.read_text())["Subject"] for file in files] == ["first", "second"]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700
    said = capsys.readouterr().out
    assert all(str(file) in said for file in files)
    for secret in ("ann@", "secret-link", "first"):
        assert secret not in said, secret


def test_mails_of_one_connection_have_files_of_their_own(folder):
    with get_connection() as connection:
        assert connection.send_messages([mail("one"), mail("two")]) == 2
    subjects = [message_from_string(file.read_text())["Subject"] for file in sorted(folder.iterdir())]
    assert subjects == ["one", "two"]


def test_files_go_after_a_week(folder, clock):
    mail("old").send()
    clock.forward(6 * 24 * 3600)
    mail("late").send()
    (folder / "mine.txt").write_text("of somebody else")
    assert len(list(folder.glob("*.eml"))) == 2
    clock.forward(2 * 24 * 3600)
    mail("new").send()
    subjects = [message_from_string(file.read_text())["Subject"] for file in sorted(folder.glob("*.eml"))]
    assert subjects == ["late", "new"]
    assert (folder / "mine.txt").exists()


def test_a_folder_that_others_could_read_is_closed(folder):
    folder.mkdir(mode=0o755)
    mail().send()
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_embedded_site_does_so(tmp_path):
    """As `make run` has it: no mail server is named, so `make mail` shows what was written."""
    env = {"PATH": "/usr/bin:/bin", "VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", SEND]
    done = subprocess.run(command, env=env, cwd=ROOT, check=True, capture_output=True, text=True)
    (line,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert line["event"] == "mail written"
    shown = subprocess.run(["make", "-s", "mail"], env=env, cwd=ROOT, check=True, capture_output=True, text=True)
    assert "Bitte schön: https://club.example/secret-link" in shown.stdout
    assert "Subject: Bitte schön, é\n" in shown.stdout
    assert "in colours" in Path(line["file"]).read_text()
    assert "in colours" not in shown.stdout
    assert "ann@" not in done.stdout + done.stderr


def test_no_mail_yet(tmp_path):
    env = {"PATH": "/usr/bin:/bin", "VAR_DIR": str(tmp_path)}
    shown = subprocess.run(["make", "-s", "mail"], env=env, cwd=ROOT, check=True, capture_output=True, text=True)
    assert shown.stdout == "No mail yet.\n"
