"""What a sender may spell into the results of our own mail server: verdicts in quotes, in comments, in addresses."""

from email import message_from_string
from time import process_time

import pytest

from config.lib import mail_proof
from games.services.mail import reply_address
from tests.factories import asked, seated
from tests.replying import letter, say, take

ADDRESS, SERVER = "ann@example.org", "mx.example.org"


def is_proven(results: str) -> bool:
    mail = message_from_string(f"Authentication-Results: {SERVER}; {results}\nFrom: {ADDRESS}\n\nroll\n")
    return mail_proof.is_proven(mail, ADDRESS, SERVER)


@pytest.mark.parametrize(
    "results",
    [
        'spf=pass smtp.mailfrom="a; dkim=pass header.d=example.org "@evil.example',
        'spf=pass smtp.mailfrom="a; dmarc=pass header.from=example.org "@evil.example',
        'spf=pass smtp.mailfrom="a smtp.mailfrom=ann@example.org"@evil.example',
        r'spf=pass smtp.mailfrom="a\"; dkim=pass header.d=example.org "@evil.example',
        'dkim=pass header.d=evil.example header.i="a header.d=example.org"@evil.example',
        "spf=pass (by (our) rules; dkim=pass header.d=example.org) smtp.mailfrom=eve@evil.example",
        r"spf=pass (a\) ; dkim=pass header.d=example.org) smtp.mailfrom=eve@evil.example",
        'spf=pass smtp.mailfrom="("@evil; dmarc=fail header.from=example.org; spf=pass smtp.mailfrom=")"@example.org',
        'spf=pass reason="dkim=pass; dkim=pass header.d=example.org" smtp.mailfrom=eve@evil.example',
        'spf=pass smtp.mailfrom="a; dkim=pass header.d=example.org',
        "spf=pass smtp.mailfrom=eve@evil.example (a; dkim=pass header.d=example.org",
    ],
)
def test_what_stands_in_quotes_and_comments_is_no_verdict(results):
    assert not is_proven(results)


@pytest.mark.parametrize(
    "results",
    [
        'dmarc=pass (p=reject; "x") header.from="example.org"',
        'spf=pass (the domain of ann@example.org (it says); 1) smtp.mailfrom="ann"@example.org',
        'dkim=pass reason="good; it fits" header.d=example.org header.b="a;b"',
        "dmarc=none header.from=example.org; dkim=pass header.d=example.org",
    ],
)
def test_verdicts_beside_quotes_and_comments_count(results):
    assert is_proven(results)


@pytest.mark.parametrize(
    "filling", ["a" * 60_000, "a." * 30_000, " " * 60_000, "a=b;" * 15_000, "(" * 60_000, "a =" * 20_000]
)
def test_long_fields_are_read_in_a_moment(filling):
    start = process_time()
    assert not is_proven(f"dkim=pass {filling}")
    assert process_time() - start < 2


@pytest.mark.django_db
def test_forged_mails_do_not_use_up_the_members_own_limit(settings, monkeypatch, ann, bob):
    settings.REPLY_DOMAIN, settings.REPLY_SENDERS_CHECKED = "reply.example.org", False
    settings.REPLY_AUTHSERV_ID = SERVER
    monkeypatch.setattr("games.services.mail.receiving.MOST_OF_ADDRESS", 2)
    match = seated(ann, bob, game_slug="yum-extra")
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    answers = [str(take(letter(mover.user.email, to, "roll"), to))[:3] for _time in range(3)]
    assert answers == ["550", "550", "450"]
    domain = mover.user.email.rpartition("@")[2]
    results = f"{SERVER}; dmarc=pass header.from={domain}"
    assert str(say(match, "roll", headers={"Authentication-Results": results})).startswith("250")
    assert match.log.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("end", [b"\r", b"\n"])
def test_what_the_mail_server_saw_within_a_field_is_none_of_its_own(settings, ann, bob, end):
    settings.REPLY_DOMAIN, settings.REPLY_SENDERS_CHECKED = "reply.example.org", False
    settings.REPLY_AUTHSERV_ID = SERVER
    match = seated(ann, bob, game_slug="yum-extra")
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    fields = {"Authentication-Results": f"{SERVER}; dmarc=none", "X-Note": "HERE"}
    raw = letter(mover.user.email, to, "roll", headers=fields).replace(b"\n", b"\r\n")
    forged = f"Authentication-Results: {SERVER}; dkim=pass header.d=example.org".encode()
    assert str(take(raw.replace(b"HERE", b"HERE\r\n" + forged), to))[:3] == "250", "by the server itself"
    assert str(take(raw.replace(b"HERE", b"HERE" + end + forged), to)).startswith("554")
