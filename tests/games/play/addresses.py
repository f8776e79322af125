"""What the tests of addresses share: which there are, and what is read in an answer."""

import re

from django.urls import reverse

from games.models import Match
from games.urls import urlpatterns

POSTS = {
    "quick-match",
    "move",
    "join",
    "here",
    "leave",
    "start",
    "invite",
    "decline",
    "resign",
    "skip-lesson",
    "undo",
    "open-dice",
    "take-back",
    "take-over",
    "call-off",
    "pause",
    "rematch",
    "notes",
    "orders",
    "say",
    "mute",
    "read-calls",
    "hear",
    "operation-again",
    "operation-resume-mails",
    "notices",
    "accept-challenge",
    "change-challenge",
    "device-add",
    "device-change",
    "puzzle-answer",
}


OF_A_MATCH = {path.name for path in urlpatterns if str(path.pattern).startswith("matches/<int:match_id>")}


ROLL = '{"type": "roll"}'


def address(name: str, match: Match | int, token: str = "none") -> str:
    number = match if isinstance(match, int) else match.pk
    arguments = {
        "join-link": [token],
        "link-card": [token],
        "answer": [token],
        "calendar": [token],
        "accept-challenge": [1],
        "change-challenge": [1],
        "device-change": [1],
        "colours": ["x"],
        "game": ["yum-extra"],
        "mails-off": [token],
        "operation-again": [number],
        "operation-puzzle": [1],
        "operation-release": [1],
        "operation-undo": [1],
        "quick-match": ["yum-extra"],
        "profile": ["ann"],
        "season": ["ann"],
        "puzzle-of": ["2026-01-01"],
        "puzzle-answer": ["2026-01-01"],
        "hear": ["ann"],
        "statistics": ["yum-extra"],
        "lesson": ["yum-extra"],
        "rules-sheet": ["yum-extra"],
        "replay": [number, 0],
        "record-month": ["2026-01"],
    }
    return reverse(name, args=arguments.get(name, [number] if name in OF_A_MATCH else []))


def sentence(response) -> str:
    """The words of the page's answer, tags left out."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode()))


def assert_told(response, *, live: bool) -> None:
    """The answer shows the table with a sentence: alone for a script, else within a whole page."""
    text = response.content.decode()
    assert ("<html" in text) is not live
    assert 'id="table"' in text
    assert re.search(r"[A-Z’][^.<>]{10,}\.", sentence(response))
