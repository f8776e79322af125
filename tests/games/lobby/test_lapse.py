"""An open table that nobody joined for 14 days lapses, with a mail."""

import pytest
from django.core import mail

from config.lib import clock as site_clock
from games import tasks
from games.models import Match
from games.services.lobby import closing, opening
from tests.factories import fresh, opened, seated
from tests.mailing import send

DAY = 24 * 3600

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def lapse(db):
    """Run the sweep, and send what it has to tell."""

    def lapse() -> int:
        lapsed = closing.lapse_open_matches()
        send()
        return lapsed

    return lapse


def test_before_its_time(ann, clock, lapse):
    match = opened(ann)
    clock.forward(14 * DAY - 60)
    assert lapse() == 0
    assert fresh(match).status == Match.Status.OPEN
    assert mail.outbox == []


def test_a_table_joined_on_day_13_stays(ann, bob, clock, lapse):
    match = opened(ann)
    clock.forward(13 * DAY)
    opening.join(match_id=match.pk, user=bob)
    clock.forward(13 * DAY)
    assert lapse() == 0
    clock.forward(2 * DAY)
    assert lapse() == 1
    assert fresh(match).ending == Match.Ending.LAPSED


@pytest.mark.outgrown
def test_a_running_match_never_lapses(ann, bob, clock, lapse):
    match = seated(ann, bob)
    clock.forward(100 * DAY)
    assert lapse() == 0
    assert fresh(match).status == Match.Status.RUNNING


def test_it_lapses(ann, bob, clock, lapse):
    match = opened(ann, invited=[bob])
    clock.forward(14 * DAY + 60)
    assert lapse() == 1
    match = fresh(match)
    assert (match.status, match.ending) == (Match.Status.ENDED, Match.Ending.LAPSED)
    assert match.ended_at <= site_clock.now()
    assert not match.invitations.filter(declined=False).exists()


@pytest.mark.outgrown
def test_a_mail_to_who_sat_there_once(ann, bob, cem, clock, lapse):
    match = opened(ann, invited=[cem], size=4, bots=["easy"])
    opening.join(match_id=match.pk, user=bob)
    clock.forward(15 * DAY)
    lapse()
    assert lapse() == 0
    assert sorted(message.to[0] for message in mail.outbox) == ["ann@example.org", "bob@example.org"]


@pytest.mark.parametrize(("language", "word"), [("fr", "personne"), ("en", "nobody")])
def test_the_mail_is_in_its_readers_language(ann, clock, lapse, language, word):
    ann.language = language
    ann.save()
    opened(ann)
    clock.forward(15 * DAY)
    lapse()
    (message,) = mail.outbox
    html, kind = message.alternatives[0]
    assert kind == "text/html"
    for text in (message.body, html):
        assert word in text.casefold()
        assert "http://testserver" in text
        assert "Yum EXTRA" in text
    assert "\n" not in message.subject
    assert "%(" not in message.subject + message.body + html
    assert f'lang="{language}"' in html


def test_nobody_is_written_to_without_an_address(ann, clock, lapse):
    ann.email = ""
    ann.save()
    match = opened(ann)
    clock.forward(15 * DAY)
    assert lapse() == 1
    assert mail.outbox == []
    assert fresh(match).ending == Match.Ending.LAPSED


def test_a_letter_that_cannot_be_sent_stops_nothing(ann, clock, lapse, settings):
    settings.EMAIL_BACKEND = "tests.no_such.Backend"
    one, other = opened(ann), opened(ann)
    clock.forward(15 * DAY)
    assert closing.lapse_open_matches() == 2
    assert fresh(one).ending == fresh(other).ending == Match.Ending.LAPSED


def test_one_table_that_fails_holds_up_no_other(ann, bob, clock, lapse, monkeypatch):
    broken, other = opened(ann), opened(bob)
    lock = closing.lock_match

    def failing(match_id):
        if match_id == broken.pk:
            raise RuntimeError("this row cannot be read")
        return lock(match_id)

    monkeypatch.setattr(closing, "lock_match", failing)
    clock.forward(15 * DAY)
    assert lapse() == 1
    assert fresh(other).ending == Match.Ending.LAPSED
    assert fresh(broken).status == Match.Status.OPEN


def test_somebody_joins_in_the_same_instant(ann, bob, clock, lapse, monkeypatch):
    """Between the sweep's look and its lock Bob sits down: the table stays."""
    match = opened(ann)
    clock.forward(15 * DAY)
    lock = closing.lock_match

    def late(match_id):
        monkeypatch.setattr(closing, "lock_match", lock)
        opening.join(match_id=match_id, user=bob)
        return lock(match_id)

    monkeypatch.setattr(closing, "lock_match", late)
    assert lapse() == 0
    assert fresh(match).status == Match.Status.OPEN


def test_the_task(ann, clock):
    match = opened(ann)
    clock.forward(15 * DAY)
    tasks.lapse_open_matches()
    assert fresh(match).ending == Match.Ending.LAPSED
