"""The replies that people write in ten mail programs and two languages: none is ever taken for another move."""

import json
import quopri
from email import message_from_bytes
from html import escape
from pathlib import Path
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
