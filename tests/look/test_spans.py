"""Spans of time in words, by the server and by the page's script alike; and until when a clock runs."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone, translation

from config.lib import clock
from games.clocks import span, to_ms, until

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


DAYS = {
    "en": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    "fr": ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
}
MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "fr": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
}
UNTIL = {
    "en": ("until 23:59", "until {day} at 23:59", "until {day} {n} {month} at 23:59"),
    "fr": ("jusqu’à 23 h 59", "jusqu’à {day} à 23 h 59", "jusqu’au {day} {n} {month} à 23 h 59"),
}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("days", "form"), [(0, 0), (1, 1), (6, 1), (7, 2), (40, 2), (-1, 2)])
def test_until_when(language, days, form):
    with timezone.override("Europe/Paris"), translation.override(language):
        then = timezone.localtime(clock.now()).replace(hour=23, minute=59) + timedelta(days=days)
        day, month = DAYS[language][then.weekday()], MONTHS[language][then.month - 1]
        if then.year != timezone.localtime(clock.now()).year:
            month += f" {then.year}"
        words = UNTIL[language][form].format(day=day, n=then.day, month=month)
        assert until(to_ms(then)).replace("\xa0", " ") == words


def test_another_year_is_named():
    with timezone.override("Europe/Paris"), translation.override("fr"):
        then = timezone.localtime(clock.now()) + timedelta(days=400)
        assert f" {then.year} à " in until(to_ms(then)).replace("\xa0", " ")


def test_the_script_counts_alike():
    """Its few numbers are the server's."""
    script = Path("games/static/games/clock.js").read_text()
    assert re.search(r"seconds > 3540\) seconds \+= 59;", script)
