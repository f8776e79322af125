"""Mails of tournaments: what happened, what is asked, why they came and how to turn them off; each once."""

import re
from datetime import UTC, timedelta
from email.parser import BytesParser
from email.policy import default
from random import Random

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services import visits
from accounts.services.closing import close_account
from config.lib import clock as present
from games.competitions import tasks
from games.competitions.models import LONGEST_NAME, LONGEST_REASON, Correction, Entrant, Round, Tournament
from games.competitions.services import announcing, correcting, entering, judging, notices
from games.models import Mail
from games.services.mail import planning
from tests.competitions.arranged import USUAL, announced, begun, entered, now, play_to_the_end, running_tables
from tests.factories import asked, browser_of, play_on, played_on, seated
from tests.hostile import TEXTS, fitting
from tests.mailing import HOUR, MINUTE, deliver, night, prefer, send

GREETED = re.compile(r"^(Hello|Bonjour) (\w+),$", re.MULTILINE)


def told() -> list:
    """Write and send the mails of tournaments that are due now; return them, by their readers."""
    before = len(mail.outbox)
    notices.send_due()
    deliver()
    news = [one for one in mail.outbox[before:] if "tournament" in one.body or "tournoi" in one.body]
    return sorted(news, key=lambda one: one.to)


def last_day(tournament: Tournament) -> None:
    """Let the round end in twenty hours, and note who is to be told."""
    Round.objects.filter(tournament=tournament, ended_at=None).update(ends_at=present.now() + timedelta(hours=20))
    judging.tell_of_last_day()


@pytest.fixture
def running(mo, ann, bob):
    """A tournament of Ann and Bob whose first round is under way, and what it began with is told."""
    tournament = begun(mo, [ann, bob])
    Mail.objects.all().delete()
    return tournament


def both_parts(message) -> str:
    (html, kind), *_more = message.alternatives
    assert kind == "text/html"
    return message.body + html


@pytest.mark.outgrown
def test_the_last_day(running):
    last_day(running)
    (table,) = running_tables(running)
    mover = asked(table.match).user
    (message,) = told()
    assert message.to == [mover.email]
    assert message.subject == "Last day of round 1: Autumn Cup"
    for part in (message.body, message.alternatives[0][0]):
        assert "It is your move at table 1 in round 1 of the tournament “Autumn Cup”." in part
        assert "a bot plays on in your seat and you are last at this table" in part
        assert f"/matches/{table.match_id}/" in part
        assert f"/tournaments/{running.pk}/" in part
        assert "because you signed up for this tournament" in part
    assert told() == []
    judging.tell_of_last_day()
    assert told() == []


def test_the_last_day_where_points_count(mo, ann, bob):
    tournament = begun(mo, [ann, bob], judge=Tournament.Judge.STANDING)
    Mail.objects.all().delete()
    last_day(tournament)
    (message,) = told()
    assert "the points of that moment count" in both_parts(message)
    assert "a bot" not in message.body


def test_who_has_moved_meanwhile_is_not_told_of_the_last_day(running):
    last_day(running)
    (table,) = running_tables(running)
    mover = Entrant.objects.exclude(to_tell="").get().user
    play_on(table.match, Random(1), until=lambda match: asked(match).user != mover)
    assert told() == []
    assert not Entrant.objects.exclude(to_tell="").exists()


@pytest.mark.outgrown
def test_it_is_over(mo, ann, bob, cem):
    tournament = play_to_the_end(begun(mo, [ann, bob, cem]))
    Mail.objects.exclude(kind="tournament").delete()
    *messages, organised = told()
    assert [one.to for one in messages] == [["ann@example.org"], ["bob@example.org"], ["cem@example.org"]]
    assert organised.to == [mo.email] and "because you organised this tournament" in both_parts(organised)
    assert "Winner: " in organised.body and "Your place" not in organised.body
    winners = [one for one in messages if one.subject == "You have won: Autumn Cup"]
    others = [one for one in messages if one.subject == "The tournament is over: Autumn Cup"]
    (winner,), name = winners, winners[0].to[0].partition("@")[0]
    assert len(others) == 2
    assert "You have won it, of 3 who took part." in both_parts(winner)
    assert {re.search(r"Your place: (\d) of 3\. Winner: (\w+)\.", one.body).groups() for one in others} == {
        ("2", name),
        ("3", name),
    }
    assert all(f"/tournaments/{tournament.pk}/" in part for one in messages for part in (one.body, both_parts(one)))
    assert told() == []


def test_a_run_calculates_the_standings_once(mo, ann, bob, cem, eve, monkeypatch):
    play_to_the_end(begun(mo, [ann, bob, cem, eve]))
    Entrant.objects.update(to_tell=Entrant.News.OVER)
    calls, honest = [], notices.standings
    monkeypatch.setattr(notices, "standings", lambda *about: calls.append(1) or honest(*about))
    assert notices.send_due() == 4
    assert calls == [1]


def test_too_few_had_signed_up(mo, ann, hours):
    tournament = announced(mo)
    entered(tournament, [ann])
    hours.go_by(hours=25)
    tasks.tend()
    assert now(tournament).state == Tournament.State.CANCELLED
    message, organised = told() or [one for one in mail.outbox if "tournament" in one.body]
    assert organised.to == [mo.email] and organised.subject == message.subject
    assert message.subject == "The tournament is cancelled: Autumn Cup"
    assert "when it was to begin, fewer than 2 people had signed up" in both_parts(message)
    assert "There is nothing for you to do." in both_parts(message)


def test_its_organiser_has_cancelled_it(mo, ann, bob):
    tournament = announced(mo)
    entered(tournament, [ann, bob])
    announcing.cancel_open(tournament_id=tournament.pk, user=mo, reason="I am <ill>")
    messages = told()
    assert [one.to for one in messages] == [["ann@example.org"], ["bob@example.org"]]
    assert "was cancelled by its organiser." in messages[0].body
    assert "The reason: I am <ill>" in messages[0].body
    assert "The reason: I am &lt;ill&gt;" in messages[0].alternatives[0][0]


def test_a_moderator_has_cancelled_it(mo, root, ann, bob, running):
    correcting.stop(tournament_id=running.pk, user=root, reason="it was a joke")
    messages = told()
    assert [one.to for one in messages] == [[ann.email], [bob.email], [mo.email]]
    assert "was cancelled by a moderator." in messages[0].body
    assert "The reason: it was a joke" in messages[0].body
    assert "Its running matches go on as ordinary ones" in both_parts(messages[0])


def test_in_french(mo, ann, bob):
    prefer(ann, language="fr")
    tournament = announced(mo, name="Coupe d’été")
    entered(tournament, [ann, bob])
    announcing.cancel_open(tournament_id=tournament.pk, user=mo, reason="pluie")
    french, _english = told()
    assert french.subject == "Le tournoi est annulé : Coupe d’été"
    assert "Le motif\N{NO-BREAK SPACE}: pluie" in french.body
    assert "Ne plus recevoir" in both_parts(french)


def test_the_link_turns_them_off_and_nothing_else(running, ann, bob):
    last_day(running)
    (message,) = told()
    reader = User.objects.get(email=message.to[0])
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = message.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in message.body and link in message.alternatives[0][0]
    path = link.partition("testserver")[2]
    page = browser_of().get(path)
    assert "News of my tournaments" in page.content.decode()
    assert browser_of().post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    reader.refresh_from_db()
    assert reader.topics_off - {"chat"} == {"tournament"}
    correcting.stop(tournament_id=running.pk, user=User.objects.get(username="mo"), reason="x")
    assert [one.to for one in told()] == [[one.email] for one in (ann, bob) if one.pk != reader.pk]


@pytest.mark.parametrize(
    "fields", [{"mail_off": ["tournament"]}, {"email": ""}, {"mail_broken_at": "2026-01-01T00:00:00Z"}]
)
def test_who_gets_none(mo, ann, bob, fields):
    tournament = announced(mo)
    entered(tournament, [ann, bob])
    prefer(ann, **fields)
    announcing.cancel_open(tournament_id=tournament.pk, user=mo, reason="x")
    assert [one.to for one in told()] == [["bob@example.org"]]
    assert not Entrant.objects.exclude(to_tell="").exists()


def test_quiet_hours_are_kept(mo, ann, bob, clock):
    tournament = announced(mo)
    entered(tournament, [ann, bob])
    hour = present.now().astimezone(UTC).hour
    prefer(ann, quiet_from=hour * 60, quiet_until=(hour + 2) % 24 * 60, time_zone="UTC")
    announcing.cancel_open(tournament_id=tournament.pk, user=mo, reason="x")
    assert [one.to for one in told()] == [["bob@example.org"]]
    clock.forward(2 * HOUR)
    assert [one.to for one in told()] == [["ann@example.org"]]


def test_who_is_on_the_site_is_told_later(mo, ann, bob, clock):
    tournament = announced(mo)
    entered(tournament, [ann, bob])
    visits.note(ann.pk)
    announcing.cancel_open(tournament_id=tournament.pk, user=mo, reason="x")
    assert [one.to for one in told()] == [["bob@example.org"]]
    clock.forward(6 * MINUTE)
    assert [one.to for one in told()] == [["ann@example.org"]]


@pytest.mark.outgrown
def test_one_mail_a_day_comes_at_its_hour(mo, ann, bob, clock):
    tournament = announced(mo)
    entered(tournament, [ann, bob])
    at = present.now().astimezone(UTC)
    due = (at + timedelta(hours=3)).hour
    prefer(ann, mail_rhythm="daily", digest_hour=due, time_zone="UTC", digest_on=at.date())
    announcing.cancel_open(tournament_id=tournament.pk, user=mo, reason="x")
    assert [one.to for one in told()] == [["bob@example.org"]]
    clock.forward(2 * HOUR)
    assert told() == []
    prefer(ann, digest_on=at.date() - timedelta(days=1))
    clock.forward(HOUR + MINUTE)
    planning.plan_mails_for(ann.pk)
    assert [one.to for one in told()] == [["ann@example.org"]]
    planning.plan_mails_for(ann.pk)
    assert told() == []


def test_a_mail_that_cannot_be_written_holds_up_no_other(mo, ann, bob, monkeypatch):
    tournament = announced(mo)
    entered(tournament, [ann, bob])
    announcing.cancel_open(tournament_id=tournament.pk, user=mo, reason="x")
    honest = notices.news_mail.send_to
    monkeypatch.setattr(
        notices.news_mail,
        "send_to",
        lambda reader, *about, **more: 1 / 0 if reader == ann else honest(reader, *about, **more),
    )
    assert [one.to for one in told()] == [["bob@example.org"]]
    monkeypatch.setattr(notices.news_mail, "send_to", honest)
    assert [one.to for one in told()] == [["ann@example.org"]]


def test_who_waits_costs_no_query_each(mo, ann, bob, cem, eve):
    tournament = announced(mo)
    entered(tournament, [ann, bob, cem, eve])
    User.objects.update(**night())
    announcing.cancel_open(tournament_id=tournament.pk, user=mo, reason="x")
    with CaptureQueriesContext(connection) as asked_for:
        assert notices.send_due() == 0
    assert len(asked_for) == 3  # those who take part, organisers, who is asked to take a place


@pytest.mark.outgrown
def test_the_mail_of_the_start_says_where_the_match_belongs(mo, ann, bob, clock):
    tournament = begun(mo, [ann, bob])
    clock.forward(MINUTE)
    messages = [one for one in send() if "has started" in one.body]
    assert {tuple(one.to) for one in messages} == {("ann@example.org",), ("bob@example.org",)}
    for one in messages:
        assert "The match has started.\nTournament: Autumn Cup, round 1, table 1." in one.body
        assert "Tournament: Autumn Cup, round 1, table 1." in one.alternatives[0][0]
    Mail.objects.all().delete()
    (table,) = running_tables(tournament)
    played_on(table.match, Random(2))
    clock.forward(HOUR)
    ended = [one for one in send() if "is over" in one.body]
    assert len(ended) == 2
    assert all("Tournament: Autumn Cup, round 1, table 1." in one.body for one in ended)


def test_a_match_of_its_own_belongs_to_no_tournament(ann, bob, clock):
    seated(ann, bob)
    clock.forward(MINUTE)
    assert all("Tournament:" not in one.body for one in send())


def test_whoever_closes_their_account_is_told_nothing(mo, ann, bob):
    tournament = announced(mo)
    entered(tournament, [ann, bob])
    announcing.cancel_open(tournament_id=tournament.pk, user=mo, reason="x")
    close_account(user_id=ann.pk)
    assert [one.to for one in told()] == [["bob@example.org"]]
    assert not Entrant.objects.exclude(to_tell="").exists()


def test_no_name_and_no_reason_runs_or_makes_a_line_of_its_own(mo, ann):
    """Each hostile text as the name of a tournament, and as the reason for which it was cancelled."""
    for text in TEXTS:
        facts = {**USUAL, "least": 2, "begins_at": present.now(), "name": fitting(text, LONGEST_NAME)}
        one = Tournament.objects.create(**facts, state="cancelled", ended_at=present.now())
        Entrant.objects.create(tournament=one, user=ann, number=1, to_tell=Entrant.News.CANCELLED)
        reason = fitting(text, LONGEST_REASON - 20) + "\n\nevil line"
        Correction.objects.create(tournament=one, kind="cancelled", by=mo, reason=reason)
    notices.send_due()
    assert len(deliver()) == len(TEXTS)
    for message in mail.outbox:
        received = BytesParser(policy=default).parsebytes(message.message().as_bytes())
        assert not received.defects
        assert "\n" not in message.subject
        assert "evil line" not in message.body.splitlines()
        html = received.get_body(("html",)).get_content()
        assert "<script" not in html.lower()
        assert not re.search("<[^>]*(onerror|onload|javascript:)", html)


@pytest.mark.outgrown
def test_whoever_is_taken_out_and_whoever_comes_instead_are_told(mo, ann, bob, cem, running):
    correcting.replace(tournament_id=running.pk, user=mo, number=1, by=cem, reason="Ann is ill")
    (asked,) = told()
    assert asked.to == [cem.email] and asked.subject == "Will you take a place in the tournament Autumn Cup?"
    for part in (asked.body, asked.alternatives[0][0]):
        assert "The organiser asks you to take part in the tournament “Autumn Cup”." in part
        assert "It is the place of ann." in part and "from round 2 on" in part
        assert "The reason: Ann is ill" in part and "You are not seated unless you accept." in part
        assert "Rated: 3 days a move; whoever runs out of time is not seated again." in part
        assert "because you are asked to take part in this tournament" in part
        assert f"/tournaments/{running.pk}/#place" in part
    entering.take_place(tournament_id=running.pk, user=cem)
    (gone,) = told()
    assert gone.to == [ann.email]
    assert gone.subject == "You were taken out of the tournament: Autumn Cup"
    for part in (gone.body, gone.alternatives[0][0]):
        assert "You were taken out of the tournament “Autumn Cup” by its organiser." in part
        assert "The reason: Ann is ill" in part and "You get no further table." in part
    assert told() == []
    correcting.take_out(tournament_id=running.pk, user=mo, number=2, reason="Bob asked for it")
    prefer(bob, language="fr")
    (message,) = told()
    assert message.to == [bob.email] and "Vous avez été retiré du tournoi" in message.subject
