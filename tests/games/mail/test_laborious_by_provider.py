"""Mails that would take long to be read are dropped, in whatever their provider wraps them."""

import json
from base64 import b64encode
from time import process_time

import pytest
from anymail.inbound import AnymailInboundMessage
from django.test import Client

from config.lib.provider_mails import LARGEST, Unreadable
from tests.games.mail.test_receiver import BASIC, SECRET

PARTS = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(200))
LONG = f"From: a@example.org\n{PARTS}\n" + "\n" * 150_000
DEEP = "From: a@example.org\n" + "".join(
    f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(2_000)
)


@pytest.mark.parametrize("raw", [LONG, DEEP], ids=["long", "deep"])
def test_a_mail_as_base64_is_dropped(settings, db, raw):
    """As SparkPost passes it on; likewise Postal and Amazon SES."""
    settings.MAIL_PROVIDER, settings.ANYMAIL = "sparkpost", {"WEBHOOK_SECRET": SECRET}
    content = {"email_rfc822": b64encode(raw.encode()).decode(), "email_rfc822_is_base64": True}
    message = {"content": content, "msg_from": "a@example.org", "rcpt_to": "x@example.org", "protocol": "smtp"}
    body = json.dumps([{"msys": {"relay_message": message}}])
    start = process_time()
    answer = Client().post("/mail/events/sparkpost/inbound/", body, content_type="application/json", **BASIC)
    assert process_time() - start < 0.8
    assert answer.status_code == 200


def test_a_mail_that_is_fetched_has_an_end():
    with pytest.raises(Unreadable):
        AnymailInboundMessage.parse_raw_mime_chunks(b"x" * 65_536 for _chunk in range(2 * LARGEST // 65_536))
    assert AnymailInboundMessage.parse_raw_mime_chunks([b"Subject: a", b"\n\nroll"]).get_payload() == "roll"
