"""The receiver of replies as it really runs: a process that speaks SMTP and LMTP, and a provider's webhook."""

import asyncio
import json
import os
import re
import smtplib
import socket
import subprocess
import sys
import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from time import process_time

import pytest
from django.test import Client

from games.management.commands import receive_mail
from games.management.commands.receive_mail import END, MOST_BYTES, MOST_CONNECTIONS
from games.models import Mail, Reply
from games.services.mail import delivery, planning, reply_address
from tests.factories import asked, seated
from tests.processes import ROOT, Process, free_port, wait_until
from tests.replying import letter

DOMAIN = "reply.example.org"


@pytest.fixture(autouse=True)
def _on(settings):
    settings.REPLY_DOMAIN, settings.REPLY_SENDERS_CHECKED = DOMAIN, True


@pytest.fixture
def started():
    """The receivers that a test has started, which are stopped at its end."""
    processes: list[Process] = []
    yield processes
    for process in processes:
        assert process.stop() == 0


@pytest.fixture
def receiver(new_site, tmp_path, started):
    """Start a receiver with these settings and options; return its port."""

    def start(*options: str, **env: str) -> int:
        port = free_port()
        own = {"REPLY_DOMAIN": DOMAIN, "REPLY_PORT": str(port), "REPLY_SENDERS_CHECKED": "1", **env}
        site, log = new_site(**own), tmp_path / f"receiver-{port}"
        command = [sys.executable, "manage.py", "receive_mail", *options]
        started.append(Process(command, site.env, log, lambda: "replies received" in log.read_text()))
        started[-1].start()
        return port

    return start


def question_of(match) -> tuple[str, str]:
    """Return who is asked, and the address for the answer."""
    mover = asked(match)
    return mover.user.email, reply_address.address_for(mover.user, match.pk, mover.ask)


@pytest.mark.outgrown
def test_a_reply_by_smtp_plays_and_refusals_are_told(receiver, ann, bob):
    match, port = seated(ann, bob), receiver()
    email, to = question_of(match)
    with smtplib.SMTP("127.0.0.1", port, timeout=20) as server:
        assert server.sendmail("", [to], letter(email, to, "roll")) == {}, "a bounce is taken, and nothing else"
        assert not Reply.objects.exists()
        assert server.sendmail("x@example.org", [to], letter(email, to, "roll")) == {}
        assert match.log.get().move == {"type": "roll"}
        for wrong in ("reply+abc@" + DOMAIN, "reply@" + DOMAIN, to[:-1], "ann@example.org", to.replace("+", "-")):
            code, words = server.docmd("MAIL FROM:<x@example.org>"), server.docmd(f"RCPT TO:<{wrong}>")
            assert (code[0], words[0]) == (250, 550)
            server.rset()
        with pytest.raises(smtplib.SMTPDataError) as refused:
            server.sendmail("x@example.org", [to], letter("eve@evil.example", to, "roll all"))
        assert refused.value.smtp_code == 550
        with pytest.raises(smtplib.SMTPResponseException) as too_large:
            server.sendmail("x@example.org", [to], b"x" * (MOST_BYTES + 100_000))
        assert too_large.value.smtp_code == 552
    assert match.log.count() == 1


@pytest.mark.outgrown
def test_one_mail_brought_many_times_at_once_and_two_answers_at_once(receiver, ann, bob):
    match, port = seated(ann, bob), receiver()
    email, to = question_of(match)
    mails = [letter(email, to, "roll", message_id=f"<{number // 4}@example.org>") for number in range(8)]

    def bring(raw: bytes) -> dict:
        with smtplib.SMTP("127.0.0.1", port, timeout=60) as server:
            return server.sendmail("x@example.org", [to], raw)

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(bring, mails)) == [{}] * 8
    assert match.log.count() == 1
    assert sorted(Reply.objects.values_list("outcome", flat=True)) == ["played", "stale"]
    assert Mail.objects.filter(kind="reply").count() == 2


def test_lmtp(receiver, ann, bob):
    match, port = seated(ann, bob), receiver("--lmtp")
    email, to = question_of(match)
    with smtplib.LMTP("127.0.0.1", port, timeout=20) as server:
        assert server.sendmail("x@example.org", [to], letter(email, to, "roll")) == {}
    assert match.log.count() == 1


def test_more_connections_than_fit_are_put_off(receiver):
    port = receiver()
    with ExitStack() as open_ones:
        for _one in range(MOST_CONNECTIONS):
            client = open_ones.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            assert client.recv(3) == b"220"
        client = open_ones.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
        assert client.recv(3) == b"421"
    wait_until(lambda: greeted(port), "room for others")


def test_who_says_nothing_for_long_in_many_words_is_cut_off(monkeypatch):
    """However often a byte comes: else twenty connections would hold up all replies for good."""
    monkeypatch.setattr(receive_mail, "LONGEST_SECONDS", 1.0)

    async def drip() -> float:
        server = await receive_mail.listen(receive_mail.Handler(), host="127.0.0.1", port=0, lmtp=False)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        began = time.monotonic()
        while await asyncio.wait_for(reader.readline(), 5) and time.monotonic() - began < 5:
            await asyncio.sleep(0.1)
            writer.write(b"NOOP\r\n")
        server.close()
        return time.monotonic() - began

    assert 0.9 < asyncio.run(drip()) < 3


def above(email: str, to: str) -> bytes:
    """Return a reply that ends with the beginning of a signature."""
    return letter(email, to, "roll", quote="-- ").replace(b"\n", b"\r\n")


BODIES = {
    "short lines": (b"a\r\n" * (MOST_BYTES // 3 - 2000), 250),
    "empty lines": (b"\r\n" * (MOST_BYTES // 2 - 2000), 554),
    "one line": (b"a" * (MOST_BYTES - 100), 500),
    "too much": (b"b\r\n" * 3 * MOST_BYTES, 552),
}


@pytest.mark.thin(1)
@pytest.mark.parametrize(("body", "code"), BODIES.values(), ids=BODIES)
def test_no_mail_takes_the_receiver_long_or_fills_its_memory(receiver, started, ann, bob, body, code):
    """aiosmtpd keeps each line by itself. The answer stands above whatever else there is."""
    match, port = seated(ann, bob), receiver()
    email, to = question_of(match)
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as server:
        pid = started[0].child.pid
        memory, took = peak_of(pid), seconds_of(pid)
        for command in ("EHLO x", "MAIL FROM:<x@example.org>", f"RCPT TO:<{to}>", "DATA"):
            assert server.docmd(command)[0] in (250, 354)
        server.send(above(email, to) + body + END + b"NOOP\r\n")
        assert server.getreply()[0] == code
        assert server.getreply()[0] == 250, "and what follows is heard"
        assert seconds_of(pid) - took < 0.8
        assert peak_of(pid) - memory < 50_000
        assert match.log.count() == (code == 250)
        assert server.sendmail("x@example.org", [to], letter(email, to, "roll")) == {}
    assert match.log.count() == 1


@pytest.mark.thin(0)
def test_many_mails_at_once_fill_no_memory(receiver, started, ann, bob):
    match, port = seated(ann, bob), receiver()
    email, to = question_of(match)
    raw = above(email, to) + (b"a" * 76 + b"\r\n") * (MOST_BYTES // 79)
    memory = peak_of(started[0].child.pid)

    def bring(_number: int) -> None:
        with smtplib.SMTP("127.0.0.1", port, timeout=60) as server:
            server.sendmail("x@example.org", [to], raw)

    with ThreadPoolExecutor(MOST_CONNECTIONS) as threads:
        list(threads.map(bring, range(MOST_CONNECTIONS)))
    assert peak_of(started[0].child.pid) - memory < 150_000
    assert match.log.count() == 1


def seconds_of(pid: int) -> float:
    """Return how long a process has used the processor."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_of(pid: int) -> int:
    """Return how much memory a process has had at most, in KB."""
    return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


@pytest.mark.parametrize("split", range(1, 5))
def test_the_end_of_a_mail_that_is_cut_is_found_wherever_it_is_split(monkeypatch, split):
    """Handed on is one end, whatever was before it."""
    monkeypatch.setattr(receive_mail, "KEPT_BYTES", 20)
    for size in (17, 18, 19, 20, 21, 30):
        mail, whole = receive_mail._Incoming(), b"a" * size + END
        pieces = [whole[: size + split], whole[size + split :] + b"NOOP\r\n", b"QUIT\r\n"]
        said = b"".join(map(mail.taken, pieces))
        assert said.count(END) == 1
        assert said.partition(END)[2] == b"NOOP\r\nQUIT\r\n"
        assert mail.is_cut


def greeted(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        return client.recv(3) == b"220"


def test_while_the_database_is_away_replies_are_put_off(receiver, ann, bob):
    match, port = seated(ann, bob), receiver(DATABASE_URL="postgres://nobody@127.0.0.1:1/none")
    email, to = question_of(match)
    with (
        smtplib.SMTP("127.0.0.1", port, timeout=30) as server,
        pytest.raises(smtplib.SMTPRecipientsRefused) as put_off,
    ):
        server.sendmail("x@example.org", [to], letter(email, to, "roll"))
    assert [code for code, _words in put_off.value.recipients.values()] == [451]
    assert not match.log.exists()


def test_make_reply_answers_the_newest_mail(receiver, ann, bob, clock, settings, tmp_path):
    settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = "config.mail.Folder", Path(settings.VAR_DIR) / "mail"
    match = seated(ann, bob)
    receiver()
    mover = asked(match)
    clock.forward(600)
    planning.sweep()
    delivery.send_due()
    command = [sys.executable, "-m", "config.reply", "roll", mover.user.username]
    environment = {"VAR_DIR": str(settings.VAR_DIR), "PATH": ""}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Answered for" in done.stdout
    assert match.log.get().move == {"type": "roll"}
    nobody = subprocess.run([*command[:-1], "zoe"], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert nobody.returncode == 1


@pytest.mark.thin(0)
def test_without_a_domain_there_is_no_receiver(new_site):
    site = new_site(REPLY_DOMAIN="", EMAIL_URL="smtp://mail.example.org")
    command = [sys.executable, "manage.py", "receive_mail"]
    done = subprocess.run(command, cwd=ROOT, env=site.env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "REPLY_DOMAIN" in done.stderr


SECRET = "user:password"
BASIC = {"HTTP_AUTHORIZATION": "Basic " + b64encode(SECRET.encode()).decode()}
PROVEN = "mx.provider.example; dmarc=pass header.from=example.org"


@pytest.fixture
def passed_on(settings, db):
    """Pass a mail on as Postmark does; return the status."""
    settings.ANYMAIL, settings.MAIL_PROVIDER = {"WEBHOOK_SECRET": SECRET}, "postmark"
    settings.REPLY_SENDERS_CHECKED, settings.REPLY_AUTHSERV_ID = False, "mx.provider.example"

    def post(
        email: str, to: str, text: str, *, results: str = PROVEN, headers=BASIC, sender="x@example.org", raw=""
    ) -> int:
        event = {
            "FromFull": {"Email": email, "Name": "Ana"},
            "ToFull": [{"Email": to}],
            "OriginalRecipient": to,
            "Subject": "Re: Your turn",
            "TextBody": f"{text}\n\nOn Friday, Club Y wrote:\n> believe",
            "HtmlBody": "",
            "Headers": [
                {"Name": "Return-Path", "Value": f"<{sender}>"},
                {"Name": "Authentication-Results", "Value": results},
                {"Name": "Message-ID", "Value": "<passed-on@example.org>"},
            ],
            "Attachments": [],
        }
        body = json.dumps(event | ({"RawEmail": raw} if raw else {}))
        address = "/mail/events/postmark/inbound/"
        return Client().post(address, body, content_type="application/json", **headers).status_code

    return post


def test_a_provider_passes_a_reply_on(passed_on, ann, bob):
    match = seated(ann, bob)
    email, to = question_of(match)
    for _time in range(2):
        assert passed_on(email, to, "roll") == 200
    assert match.log.get().move == {"type": "roll"}
    assert Reply.objects.get().outcome == "played"


@pytest.mark.parametrize(
    "more",
    [
        {"results": "mx.provider.example; dmarc=fail header.from=example.org"},
        {"results": "other.example; dmarc=pass header.from=example.org"},
        {"headers": {}},
        {"sender": ""},
    ],
    ids=str,
)
def test_what_a_provider_did_not_prove_is_not_played(passed_on, ann, bob, more):
    match = seated(ann, bob)
    email, to = question_of(match)
    assert passed_on(email, to, "roll", **more) in (200, 400)
    assert not match.log.exists()


def test_a_mail_that_takes_long_to_be_read_is_dropped_as_a_provider_passes_it_on(passed_on, ann, bob):
    match = seated(ann, bob)
    email, to = question_of(match)
    parts = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(200))
    start = process_time()
    assert passed_on(email, to, "roll", raw=f"From: {email}\n{parts}\n" + "\n" * 200_000) == 200
    assert process_time() - start < 0.8
    assert not match.log.exists()
