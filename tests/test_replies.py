"""The replies that people write in ten mail programs and two languages: none is ever taken for another move."""

import json
import quopri
from email import message_from_bytes
from html import escape
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from config.lib import mail_reading
from config.lib.texts import clean_text
from games.engine import permits
from games.engine.replies import understand
from games.rules import grammar
from games.services.mail.receiving import asks_for_help
from tests.replies.situations import NAMES, SITUATIONS, view_of

HOME = Path(__file__).with_name("replies")
LINES = [line for line in (HOME / "replies.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
LEAST, EXPECTED = 200, 0.95
"""How many there are at least, and how many of them are to do what is expected; the rest do nothing."""


def mail_of(program: str, text: str) -> bytes:
    """Return a reply as this mail program sends it."""
    lines = text.split("/")
    html = "<br>".join(map(escape, lines))
    frame = (HOME / "programs" / f"{program}.eml").read_bytes()
    quoted = quopri.encodestring("\n".join(lines).encode("iso-8859-1", errors="replace"))
    filled = frame.replace(b"@TEXT@", "\n".join(lines).encode()).replace(b"@HTML@", html.encode())
    return filled.replace(b"@QP@", quoted)


def outcome(program: str, situation: str, text: str) -> Any:
    """Return what the site makes of a reply: a legal move, "none", "help" or "program"."""
    mail = message_from_bytes(mail_of(program, text))
    if mail_reading.is_from_a_program(mail):
        return "program"
    words = mail_reading.own_words(mail)
    if asks_for_help(words):
        return "help"
    slug, _state = SITUATIONS[situation]
    view = view_of(situation)
    move = understand(grammar(slug), clean_text(words), view, NAMES)
    return move if move is not None and permits(view["prompt"], move) else "none"


def cases() -> list[tuple[str, str, str, Any]]:
    found = []
    for line in LINES:
        program, situation, text, expected = (part.strip() for part in line.split("|"))
        found.append((program, situation, text, json.loads(expected) if expected.startswith("{") else expected))
    return found


def test_there_are_enough_of_them_in_every_program():
    assert len(cases()) >= LEAST
    assert {program for program, *_rest in cases()} == {path.stem for path in (HOME / "programs").glob("*.eml")}
    assert {situation for _program, situation, *_rest in cases()} == set(SITUATIONS)


def test_no_reply_is_a_wrong_move_and_nearly_all_do_what_is_expected():
    wrong, missed = [], []
    for program, situation, text, expected in cases():
        found = outcome(program, situation, text)
        if found != expected:
            (missed if found in ("none", "help") and expected != "program" else wrong).append((program, text, found))
    assert wrong == []
    assert len(missed) <= (1 - EXPECTED) * len(cases()), missed


@pytest.mark.thin(8)
@pytest.mark.parametrize("program", sorted(path.stem for path in (HOME / "programs").glob("*.eml")))
def test_every_answer_in_every_program_is_that_answer_or_none(program):
    for written, situation, text, expected in cases():
        if isinstance(expected, dict) and written != program:
            assert outcome(program, situation, text) in (expected, "none", "program"), (situation, text)
        elif expected == "none" and not written.startswith(("forward", "tofu")):
            assert outcome(program, situation, text) in ("none", "help", "program"), (situation, text)


@pytest.mark.parametrize(
    "text", ["On " * 7000, "> " * 9000, "From: a\n" * 3000, "-" * 20_000, "<div " * 5000, "wrote:" * 4000]
)
def test_hostile_texts_are_read_in_no_time(text):
    for kind in ("plain", "html"):
        mail = message_from_bytes(f"Content-Type: text/{kind}\n\n{text}".encode())
        assert len(mail_reading.own_words(mail)) <= mail_reading.LONGEST_READ


LONG = 200_000
HOSTILE_HTML = (
    *("<b>" * 33_000 + "</i>" * 25_000, "<!--a>" * 33_000, "<!a>" * 50_000, "<?a>" * 50_000, "<![if>" * 33_000),
    *("<a b='>" * 28_000, "<a " + "b=" * 90_000 + ">", "</a" + " " * LONG + ">"),
)
HOSTILE_LINES = ("_" * 498 + "!\n", "--" + "_a" * 248 + "!\n", "wrote: " * 70 + "\n", "<a@b" * 120 + "\n", "- -" * 160)


@pytest.mark.parametrize(
    ("kind", "text"),
    [*(("html", one) for one in HOSTILE_HTML), *(("plain", one * 40) for one in HOSTILE_LINES)],
    ids=lambda one: one[:12],
)
def test_the_longest_hostile_texts_are_read_in_a_moment(kind, text):
    mail = message_from_bytes(f"Content-Type: text/{kind}\n\nroll\n{text}x".encode())
    start = process_time()
    mail_reading.own_words(mail)
    assert process_time() - start < 2


@pytest.mark.parametrize("html", ["<![x]>roll", "<![>roll", "<!x>roll", "<?x>roll", "<!-- no <b>x</b> -->roll"])
def test_odd_declarations_are_no_words_and_no_errors(html):
    assert mail_reading.own_words(message_from_bytes(f"Content-Type: text/html\n\n{html}".encode())) == "roll"


@pytest.mark.parametrize("charset", ["idna", "undefined", "punycode", "hex", "utf\0", "unicode_escape", "x"])
def test_odd_alphabets_are_no_errors(charset):
    mail = message_from_bytes(f'Content-Type: text/plain; charset="{charset}"\n\nroll'.encode())
    assert mail_reading.own_words(mail) == "roll"


@pytest.mark.parametrize("text", ["=?utf-8?b?a?=", "=?idna?q?a?=", "=?x?q?a?=", "=?utf-8?b?=C3?=", "=?utf-7?q?+2AA-?="])
def test_odd_headers_are_no_errors(text):
    mail = message_from_bytes(f"Subject: {text}\nMessage-ID: {text}\nAuto-Submitted: {text}\n\nroll".encode())
    assert isinstance(mail_reading.is_from_a_program(mail), bool)
    assert isinstance(mail_reading.header(mail, "Message-ID").encode(), bytes)


def test_spaces_beside_what_is_set_in_bold_stay():
    html = "Content-Type: text/html\n\n<div>keep <b>6 6</b> 6, <i>please</i>\n  now</div>"
    assert mail_reading.own_words(message_from_bytes(html.encode())) == "keep 6 6 6, please now"


ATTACHED = """Content-Type: multipart/mixed; boundary="x"

--x
Content-Type: text/html

<p>doubt</p>
--x
Content-Type: message/rfc822
Content-Disposition: attachment

From: bob@example.org
Content-Type: text/plain

believe
--x
Content-Type: text/plain
Content-Disposition: inline; filename="notes.txt"

believe
--x--
"""


def test_what_is_attached_is_not_what_one_writes():
    assert mail_reading.own_words(message_from_bytes(ATTACHED.encode())) == "doubt"
    forwarded = ATTACHED.replace("<p>doubt</p>", "<p></p>")
    assert mail_reading.own_words(message_from_bytes(forwarded.encode())) == ""


@pytest.mark.parametrize(
    "text",
    [
        "j'y crois/En fait non (j'ai un virus, je suis crevé)",
        "believe/no, doubt: but keep that confidential",
        "believe/" + ("it rained today " * 12 + "/") * 11 + "no, I doubt it",
        "Well, no/believe",
        "ok non/oui",
        "bon, no/yes",
    ],
)
def test_what_takes_an_answer_back_is_not_overlooked(text):
    for program in ("gmail", "bare"):
        assert outcome(program, "yam claim", text) == "none"


@pytest.mark.parametrize(
    "sender",
    [
        *("Ann@Example.org", "<ann@example.org>", "Ann <ann@example.org>", '"Doe, Ann \\"A\\"" <ann@example.org>'),
        *("=?utf-8?q?Ann=40home?= <ann@example.org>", "Ann (home)\n <ann@example.org>", "ann@example.org (Ann Doe)"),
    ],
)
def test_senders_are_read_as_mail_programs_write_them(sender):
    assert mail_reading.sender(message_from_bytes(f"From: {sender}\n\nroll".encode())) == "ann@example.org"


@pytest.mark.parametrize(
    ("situation", "text"),
    [
        *(("yam claim", f"believe/{line}") for line in ("nah", "nan je déconne", "typo", "my bad", "Negative!", "jk")),
        *(("yes interest", f"oui/{line}") for line in ("euh", "enfin", "en fait", "je retire", "n'importe quoi")),
        *(("yam claim", f"believe/{line}") for line in ("ignore that", "disregard", "hmm", "hum")),
        *(("yay decide", f"throw D4/{line}") for line in ("E5", "e 5", "5E")),
        *(("yes bid", f"bid 30000, 2 spaces/{line}") for line in ("3 spaces", "40k", "1 case")),
        *(
            ("yam dice", line) for line in ("keep 6", "garder 6", "keep 2 6", "garde 2 6")
        ),  # all sixes, or a two and one?
        *(("yesss word", line) for line in ("Best", "k", "Bisou", "Amicalement")),
    ],
)
def test_second_thoughts_and_farewells_are_no_answers(situation, text):
    assert outcome("bare", situation, text) == "none"


def test_one_of_equal_dice_can_still_be_kept():
    assert outcome("bare", "yam dice", "keep 6 2") == {"type": "roll", "dice": [1, 2, 4]}
    assert outcome("bare", "yam dice", "keep 2") == {"type": "roll", "dice": [0, 1, 2, 4]}
