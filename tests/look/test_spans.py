"""Spans of time in words, by the server and by the page's script alike."""

import re
from pathlib import Path

import pytest
from django.utils import translation

from games.table import span

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (-5, "0:00"),
        (0, "0:00"),
        (999, "0:00"),
        (61 * SECOND, "1:01"),
        (59 * MINUTE, "59:00"),
        (59 * MINUTE + 30 * SECOND, "1 h 0 min"),
        (4 * HOUR + 12 * MINUTE, "4 h 12 min"),
        (DAY - SECOND, "1 day"),
        (3 * DAY - 2 * SECOND, "3 days"),
        (2 * DAY + 4 * HOUR, "2 days 4 h"),
        (3 * DAY, "3 days"),
    ],
)
def test_span(ms, words):
    with translation.override("en"):
        assert span(ms) == words


def test_a_mail_tells_no_seconds():
    assert span(12 * MINUTE + 5 * SECOND, exact=False) == "12 min"


def test_the_script_counts_alike():
    """Its few numbers are the server's."""
    script = Path("games/static/games/clock.js").read_text()
    assert re.search(r"seconds > 3540\) seconds \+= 59;", script)
