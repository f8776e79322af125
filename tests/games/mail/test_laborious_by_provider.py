"""Mails that would take long to be read are dropped, in whatever their provider wraps them."""

import json
from base64 import b64encode
from time import process_time

import pytest
from anymail.inbound import AnymailInboundMessage
from django.test import Client

from config.lib.provider_mails import LARGEST, Unreadable
from tests.games.mail.test_receiver import BASIC, SECRET
from tests.games.mail.test_unreadable_by_provider import MAIL

PARTS = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(200))
LONG = f"From: a@example.org\n{PARTS}\n" + "\n" * 150_000
DEEP = "From: a@example.org\n" + "".join(
    f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(2_000)
)


RAW = {
    "long": LONG,
    "deep": DEEP,
    "marks": f'From: a@example.org\nContent-Type: text/plain; a="{";" * 200_000}\n\nroll',
    "comments": f"From: {'(' * 50_000}\nTo: {'(' * 50_000}\n\nroll",
    "recipients": f"From: a@example.org\nTo: {'a@example.org, ' * 40_000}\n\nroll",
    "odd recipients": "From: a:;@example.org\nTo: a:;@example.org\n\nroll",
}


@pytest.mark.parametrize("raw", RAW.values(), ids=RAW)
@pytest.mark.parametrize("recipient", ["x@example.org", ""])
def test_a_mail_as_base64_is_dropped(settings, db, raw, recipient):
    """As SparkPost passes it on; likewise Postal and Amazon SES."""
    settings.MAIL_PROVIDER, settings.ANYMAIL = "sparkpost", {"WEBHOOK_SECRET": SECRET}
    content = {"email_rfc822": b64encode(raw.encode()).decode(), "email_rfc822_is_base64": True}
    message = {"content": content, "msg_from": "a@example.org", "rcpt_to": recipient, "protocol": "smtp"}
    body = json.dumps([{"msys": {"relay_message": message}}])
    start = process_time()
    client = Client(raise_request_exception=False)
    answer = client.post("/mail/events/sparkpost/inbound/", body, content_type="application/json", **BASIC)
    assert process_time() - start < 0.8
    assert answer.status_code == 200


MANY = "a@example.org, " * 60_000
FIELDS = {
    "a sender": {"FromFull": MAIL["FromFull"] | {"Name": "(" * 900_000}},
    "recipients": {"ToFull": [MAIL["ToFull"][0]] * 10_000},
    "fields": {"Headers": [{"Name": "Reply-To", "Value": "a@example.org, " * 50}] * 1_000},
    "one field": {"Headers": [{"Name": "Sender", "Value": MANY}]},
    "fields of no form": {"Headers": [{"Name": "X-Note", "Value": "a " * 400}] * 1_000},
    "attachments": {
        "Attachments": [{"Name": "a", "Content": "", "ContentType": f'a/b; c="{";" * 5_000}', "ContentLength": 1}] * 150
    },
    "a comment in another": {"FromFull": MAIL["FromFull"] | {"Email": "(" * 5_000}},
    "a group": {"FromFull": MAIL["FromFull"] | {"Email": "a:;@example.org"}},
}


@pytest.mark.parametrize("fields", FIELDS.values(), ids=FIELDS)
def test_a_mail_in_fields_is_dropped(settings, db, fields):
    settings.MAIL_PROVIDER, settings.ANYMAIL = "postmark", {"WEBHOOK_SECRET": SECRET}
    client, body = Client(raise_request_exception=False), json.dumps(MAIL | fields)
    start = process_time()
    answer = client.post("/mail/events/postmark/inbound/", body, content_type="application/json", **BASIC)
    assert process_time() - start < 0.8
    assert answer.status_code == 200


def test_a_mail_that_is_fetched_has_an_end():
    with pytest.raises(Unreadable):
        AnymailInboundMessage.parse_raw_mime_chunks(b"x" * 65_536 for _chunk in range(2 * LARGEST // 65_536))
    assert AnymailInboundMessage.parse_raw_mime_chunks([b"Subject: a", b"\n\nroll"]).get_payload() == "roll"
