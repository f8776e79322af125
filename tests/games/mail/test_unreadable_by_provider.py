"""Mails at which Python's library fails, as a stranger may write them, are dropped: an error has them come again."""

import json
from itertools import product
from time import process_time

import pytest
from django.test import Client

from config.lib import mail_proof, mail_reading
from tests.games.mail.test_receiver import BASIC, SECRET

MAIL = {
    "FromFull": {"Email": "eve@evil.example", "Name": "", "MailboxHash": ""},
    "ToFull": [{"Email": "reply+a@reply.example.org", "Name": "", "MailboxHash": ""}],
    "OriginalRecipient": "reply+a@reply.example.org",
    "Subject": "Re: Your turn",
    "TextBody": "roll",
    "Headers": [],
    "Attachments": [],
}
ENVELOPE = json.dumps({"to": ["b@example.org"], "from": "a@example.org"})
ODD = {
    "a subject with line ends": {"Subject": "a\r\nb"},
    "a header with line ends": {"Headers": [{"Name": "X-Note", "Value": "a\rb"}]},
    "half a sender": {"FromFull": MAIL["FromFull"] | {"Email": '"<'}},
    "a name with line ends": {"FromFull": MAIL["FromFull"] | {"Name": "a\r\nb"}},
    "a recipient with a line end": {"ToFull": [MAIL["ToFull"][0] | {"Email": "a\nb@c"}]},
    "the same without an envelope": {"ToFull": [MAIL["ToFull"][0] | {"Email": "a\nb@c"}], "OriginalRecipient": ""},
    "a recipient of no form": {"ToFull": [MAIL["ToFull"][0] | {"Email": '"<'}], "OriginalRecipient": ""},
    "half a letter": {"TextBody": "\ud800"},
    "an attachment of no type": {
        "Attachments": [{"Name": "a", "Content": "YQ==", "ContentType": "a/b/c\r\nd", "ContentLength": 1}]
    },
    "an attachment of no base64": {
        "Attachments": [{"Name": "a", "Content": "a", "ContentType": "image/png", "ContentLength": 1}]
    },
    "a mail in it that is no text": {
        "Attachments": [{"Name": "a", "Content": "/w==", "ContentType": "message/rfc822", "ContentLength": 1}]
    },
}


@pytest.mark.parametrize("odd", ODD)
def test_what_cannot_be_read_does_not_come_again(settings, db, odd):
    settings.MAIL_PROVIDER, settings.ANYMAIL = "postmark", {"WEBHOOK_SECRET": SECRET}
    settings.REPLY_DOMAIN = "reply.example.org"
    body = json.dumps(MAIL | ODD[odd])
    client = Client(raise_request_exception=False)
    answer = client.post("/mail/events/postmark/inbound/", body, content_type="application/json", **BASIC)
    assert answer.status_code == 200


NO_EVENTS = ("[1]", "null", "{}", "{", '[[{"event": {}}]]', '{"event": 1, "signature": 1}')


@pytest.mark.parametrize("provider", ["postmark", "sendgrid", "mailgun", "mailjet"])
def test_json_that_is_no_event_does_not_come_again(settings, db, provider):
    settings.MAIL_PROVIDER, settings.ANYMAIL = provider, {"WEBHOOK_SECRET": SECRET, "MAILGUN_WEBHOOK_SIGNING_KEY": "k"}
    client = Client(raise_request_exception=False)
    for kind, body in product(("inbound", "tracking"), NO_EVENTS):
        answer = client.post(f"/mail/events/{provider}/{kind}/", body, content_type="application/json", **BASIC)
        assert answer.status_code in (200, 400), (kind, body)


def test_an_alphabet_that_nobody_knows(settings, db):
    """As SendGrid tells it, in the sender's words."""
    settings.MAIL_PROVIDER, settings.ANYMAIL = "sendgrid", {"WEBHOOK_SECRET": SECRET}
    form = {"headers": "From: a@example.org", "text": "roll", "charsets": '{"text": "x-none"}', "envelope": ENVELOPE}
    assert Client().post("/mail/events/sendgrid/inbound/", form, **BASIC).status_code == 200


@pytest.mark.parametrize("named", ["punycode", "idna", "undefined", "zip", "\0", ""])
def test_an_alphabet_that_takes_long(settings, db, named):
    """A stranger's mail held up the web server for minutes, as SendGrid passes on what the mail names."""
    settings.MAIL_PROVIDER, settings.ANYMAIL = "sendgrid", {"WEBHOOK_SECRET": SECRET}
    form = {"headers": "From: a@example.org", "html": "a" * 90_000 + "-" + "ba" * 90_000, "envelope": ENVELOPE}
    form["charsets"] = json.dumps({"html": named})
    start = process_time()
    assert Client().post("/mail/events/sendgrid/inbound/", form, **BASIC).status_code == 200
    assert process_time() - start < 0.8


def test_a_text_in_an_old_alphabet_is_read(settings, db, monkeypatch):
    taken = []
    monkeypatch.setattr("games.services.mail.receiving.receive", lambda raw, **about: taken.append(raw))
    settings.MAIL_PROVIDER, settings.ANYMAIL = "sendgrid", {"WEBHOOK_SECRET": SECRET}
    form = {"headers": "From: a@example.org", "text": "roll", "charsets": '{"text": "utf-16-le"}', "envelope": ENVELOPE}
    assert Client().post("/mail/events/sendgrid/inbound/", form, **BASIC).status_code == 200
    assert mail_reading.own_words(mail_reading.parsed(taken[0])) == b"roll".decode("utf-16-le")


@pytest.mark.parametrize("charsets", ["[]", "1", '{"text": 1}', '{"text": null}', '"a"', '{"text": ["utf-8"]}'])
def test_no_alphabets_of_a_provider_are_an_error(settings, db, charsets):
    settings.MAIL_PROVIDER, settings.ANYMAIL = "sendgrid", {"WEBHOOK_SECRET": SECRET}
    form = {"headers": "From: a@example.org", "text": "roll", "charsets": charsets, "envelope": ENVELOPE}
    assert Client().post("/mail/events/sendgrid/inbound/", form, **BASIC).status_code == 200


@pytest.mark.parametrize("end", ["\r", "\n"])
def test_what_the_provider_saw_within_a_field_is_none(settings, db, monkeypatch, end):
    taken = []
    monkeypatch.setattr("games.services.mail.receiving.receive", lambda raw, **about: taken.append(raw))
    settings.MAIL_PROVIDER, settings.ANYMAIL = "postmark", {"WEBHOOK_SECRET": SECRET}
    for name in ("X-Note", f"X-Note{end}Authentication-Results"):
        body = json.dumps(MAIL | {"Headers": [{"Name": name, "Value": "mx.example.org; dmarc=pass"}]})
        answer = Client().post("/mail/events/postmark/inbound/", body, content_type="application/json", **BASIC)
        assert answer.status_code == 200
    assert len(taken) == 1
    settings.MAIL_PROVIDER = "sendgrid"
    for value in ("a", "a\rAuthentication-Results: mx.example.org; dmarc=pass"):
        form = {
            "headers": f"From: a@example.org\nX-Note: {value}\nTo: b@example.org",
            "text": "roll",
            "envelope": ENVELOPE,
        }
        assert Client().post("/mail/events/sendgrid/inbound/", form, **BASIC).status_code == 200
    assert len(taken) == 2


@pytest.mark.parametrize("sign", "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", ids=ascii)
def test_what_python_takes_for_a_line_end_within_a_field_makes_no_field(settings, db, monkeypatch, sign):
    """It splits the text of a field there as it writes the mail out: a stranger’s mail was proven to be a member’s."""
    taken = []
    monkeypatch.setattr("games.services.mail.receiving.receive", lambda raw, **about: taken.append(raw))
    forged = f"a{sign}Authentication-Results: mx.example.org; dmarc=pass"
    settings.MAIL_PROVIDER, settings.ANYMAIL = "sendgrid", {"WEBHOOK_SECRET": SECRET}
    form = {
        "headers": f"From: a@example.org\nX-Note: {forged}\nTo: b@example.org",
        "envelope": ENVELOPE,
        "text": "roll",
    }
    assert Client().post("/mail/events/sendgrid/inbound/", form, **BASIC).status_code == 200
    settings.MAIL_PROVIDER = "postmark"
    for odd in ({"Subject": forged}, {"Headers": [{"Name": "X-Note", "Value": forged}]}):
        answer = Client().post(
            "/mail/events/postmark/inbound/", json.dumps(MAIL | odd), content_type="application/json", **BASIC
        )
        assert answer.status_code == 200
    mails = [mail_reading.parsed(raw) for raw in taken]
    assert not any(mail_proof.is_proven(mail, "a@example.org", "mx.example.org") for mail in mails)


LONG = {
    "a name": {"FromFull": MAIL["FromFull"] | {"Name": "é " * 3_000}},
    "a subject": {"Subject": "é " * 40_000},
    "marks": {"Headers": [{"Name": "X-Note", "Value": '"' * 150_000}]},
}


@pytest.mark.parametrize("what", LONG)
def test_no_field_takes_a_second_to_be_written_out(settings, db, monkeypatch, what):
    """A stranger's mail of one long name held up the web server for 44 seconds."""
    taken = []
    monkeypatch.setattr("games.services.mail.receiving.receive", lambda raw, **about: taken.append(raw))
    settings.MAIL_PROVIDER, settings.ANYMAIL = "postmark", {"WEBHOOK_SECRET": SECRET}
    body, client = json.dumps(MAIL | LONG[what]), Client()
    start = process_time()
    assert (
        client.post("/mail/events/postmark/inbound/", body, content_type="application/json", **BASIC).status_code == 200
    )
    assert process_time() - start < 0.8
    mail = mail_reading.parsed(taken[0])
    assert (mail_reading.sender(mail), mail_reading.own_words(mail)) == ("eve@evil.example", "roll")
