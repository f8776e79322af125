"""Replies by mail whose reading alone would take long are refused unread; large ones of mail programs are read."""

from time import process_time

import pytest

from games.models import Reply
from games.services.mail import reply_address
from tests.factories import asked, seated
from tests.replying import take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("replies_on")]


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob, game_slug="yum-extra")


def _in_one_another(depth: int, text: str) -> str:
    parts = [f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(depth)]
    return "".join(parts) + "\n" + text


COSTLY = {
    "parts in one another": _in_one_another(200, "\n" * 200_000),
    "parts beside one another": _in_one_another(1, "--b0\n\n" * 400_000),
    "lines of headers": "a: b\n" * 800_000 + "\nroll",
    "a kind with a mark without end": 'Content-Type: text/plain; a="' + ";" * 200_000 + "\n\nroll",
    "a kind with many marks": "Content-Type: text/plain" + "; a=b" * 200_000 + "\n\nroll",
    "a name in many lines": "CONTENT-disposition: inline" + ";\n " * 300_000 + "\n\nroll",
    "kinds of parts": _in_one_another(1, ('--b0\rContent-Type: image/png; a="' + ";" * 20_000 + "\n\n") * 50),
    "an alphabet that takes long": "Content-Type: text/plain; charset=punycode\n\n"
    + "a" * 60_000
    + "é-"
    + "ba" * 60_000,
    "a name in such an alphabet": "Content-Type: text/plain; name*=punycode''a-" + "ba" * 100_000 + "\n\nroll",
    "an alphabet named in such": "Content-Type: text/plain; charset*=punycode''a-" + "ba" * 100_000 + "\n\nroll",
    "a mark between parts in such": "Content-Type: multipart/mixed; boundary*=punycode''a-"
    + "ba" * 100_000
    + "\n\nroll",
    "words of a header": "Message-ID: " + "=?utf-8?b?YQ==?= x " * 60_000 + "\n\nroll",
}


@pytest.mark.thin(3)
@pytest.mark.parametrize("what", COSTLY)
def test_no_mail_takes_a_second_to_be_read(match, what):
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    raw = f"From: {mover.user.email}\n{COSTLY[what]}".encode()
    start = process_time()
    assert str(take(raw, to))[:3] in ("250", "554")
    assert process_time() - start < 0.8


def test_forwarded_mails_with_large_attachments_are_read(match):
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    inner = "Content-Type: text/plain\n\nroll\n--b7\nContent-Disposition: attachment\n\n" + f"{'QUJD' * 19}\n" * 60_000
    raw = (
        f"From: {mover.user.email}\nMessage-ID: <large@example.org>\n"
        + _in_one_another(8, "").rstrip("\n")
        + f"\n{inner}"
    )
    assert str(take(raw.replace("\n", "\r\n").encode(), to))[:3] == "250"
    assert Reply.objects.get().outcome == "played"


ODD_ALPHABETS = (
    *("idna", "undefined", "punycode", "unicode_escape", "zip", "x-none", '"', "a" * 100_000, "\0", "a\0b"),
    *("x''y", '"us-ascii; "', "é"),
)
ODD_PARTS = (
    *(f"; charset={name}" for name in ODD_ALPHABETS),
    *(
        f"; {of}*={name}''x%e9"
        for of in ("charset", "name")
        for name in ("idna", "undefined", "utf-8", "%00", "\0", "")
    ),
    *(f"; {of}*=utf-8''a; {of}*0=b" for of in ("charset", "name", "a")),
    *(f"\nContent-Disposition: inline; filename*={name}''" for name in ("idna", "undefined", "\0")),
)


@pytest.mark.thin(8)
@pytest.mark.parametrize("odd", ODD_PARTS, ids=lambda odd: ascii(odd)[:40])
def test_no_alphabet_of_a_part_is_an_error(match, odd):
    """Python decodes what is no ASCII as the sender says; an error has the mail come again for days."""
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    raw = f"From: {mover.user.email}\nContent-Type: text/plain{odd}\n\nroll\n\n-- \né".encode()
    assert str(take(raw, to))[:3] == "250"
    assert Reply.objects.get().outcome in ("played", "unclear")


@pytest.mark.parametrize("name", ["idna", "undefined", "\0", "utf-8"])
def test_no_alphabet_of_the_mark_between_parts_is_an_error(match, name):
    """Python needs the mark as it reads a mail, before anybody knows from whom it is."""
    mover = asked(match)
    to = reply_address.address_for(mover.user, match.pk, mover.ask)
    for more in ("", "; boundary*0=b"):
        head = f"From: {mover.user.email}\nContent-Type: multipart/mixed; boundary*={name}''x%e9{more}\n\n"
        inner = f"--b0\nContent-Type: text/plain\n\nroll\n\n--b0\n{head}--b0--\n"
        whole = f"From: {mover.user.email}\nContent-Type: multipart/mixed; boundary=b0\n\n{inner}"
        for raw in (head, whole):
            assert str(take(raw.encode(), to))[:3] in ("250", "554")
