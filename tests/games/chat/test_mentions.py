"""Who is called in a talk hears of it elsewhere: on the home page and by mail, until they have read it."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services.closing import close_account
from games.broadcast import chat_changed
from games.models import ChatLine, Kind, Match, Notice
from games.services.chat import mentions
from games.services.lobby import closing, opening
from games.services.mail import delivery
from games.services.people.personal_data import play_data
from tests.factories import browser_of, opened, seated
from tests.games.chat.calls import REFUSALS, be_blocked, block, called, home, mute, read, say
from tests.games.play.test_consumer import hears, in_thread, opened_page, page, people, running
from tests.mailing import DAY, HOUR, prefer, send

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def match(ann, bob, clock):
    """A running match in which nobody is asked anything, so that only talk is news."""
    match = seated(ann, bob)
    Notice.objects.all().delete()
    match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
    clock.forward(HOUR)
    return match


@pytest.mark.parametrize("refuse", [mute, block, be_blocked])
def test_who_does_not_want_to_read_it_is_not_told(ann, bob, cem, refuse):
    match = seated(ann, bob, cem)
    refuse(match, ann, bob)
    say(match, ann, "@bob @cem @ann")
    assert list(Notice.objects.filter(kind=Kind.MENTIONED).values_list("user_id", flat=True)) == [cem.pk]
    assert (called(ann), called(bob), called(cem)) == ([], [], [(match.pk, "ann")])


@pytest.mark.parametrize(
    "where", ["https://site.example/@bob", "see https://a.example/x?by=@bob.", "site.example/@bob"]
)
def test_an_address_calls_nobody(match, ann, bob, where):
    say(match, ann, where)
    assert called(bob) == []
    assert "<mark" not in browser_of(bob).get(f"/matches/{match.pk}/").content.decode()
    say(match, ann, f"{where} @bob")
    assert called(bob) == [(match.pk, "ann")]


@pytest.mark.parametrize("refuse", REFUSALS)
def test_what_may_not_be_read_any_more_is_not_told(match, ann, bob, refuse):
    say(match, ann)
    assert called(bob) == [(match.pk, "ann")]
    refuse(match, ann, bob)
    assert called(bob) == []
    assert "mentioned you at" not in home(bob)
    assert [m for m in send() if m.to == [bob.email] and "mentioned you" in m.body] == []


@pytest.mark.outgrown
def test_a_talk_that_closed_to_the_reader_calls_no_more(ann, bob, cem):
    """Players read what watchers say when the match is over; who left the table reads no players' talk."""
    table = opened(ann, size=3)
    say(table, bob, "may I?")
    say(table, cem, "@bob do")
    assert called(bob) == [(table.pk, "cem")]
    opening.join(match_id=table.pk, user=bob)
    assert called(bob) == []
    say(table, ann, "@bob welcome")
    assert called(bob) == [(table.pk, "ann")]
    closing.leave(match_id=table.pk, user=bob)
    assert called(bob) == [(table.pk, "cem")]
    Match.objects.update(access=Match.Access.INVITATION)
    assert called(bob) == []


def test_closed_accounts_are_called_nowhere(match, ann, bob):
    say(match, ann)
    close_account(user_id=bob.pk)
    assert not Notice.objects.filter(kind=Kind.MENTIONED).exists()
    assert not any("mentioned you" in m.body for m in send())


@pytest.mark.outgrown
def test_nothing_is_noted_of_what_was_not_said(match, ann, monkeypatch):
    def failing(*arguments, **more):
        chat_changed(*arguments, **more)
        raise RuntimeError

    monkeypatch.setattr("games.broadcast.chat_changed", failing)
    with pytest.raises(RuntimeError):
        say(match, ann)
    assert not Notice.objects.exists()
    assert not ChatLine.objects.exists()


def test_watchers_call_each_other(match, ann, cem, eve):
    say(match, cem, "he bluffs")
    say(match, eve, "@cem never, and @ann is not here")
    assert (called(cem), called(ann)) == ([(match.pk, "eve")], [])
    (got,) = send()
    assert (got.to, "> eve\n> @cem never" in got.body) == ([cem.email], True)


def test_the_home_page_tells_the_newest_of_each_match(match, ann, bob, cem):
    other = seated(cem, bob)
    say(match, ann)
    say(match, ann)
    say(other, cem)
    assert called(bob) == [(other.pk, "cem"), (match.pk, "ann")]
    assert len(mentions.unread(bob, 1)) == 1
    text = home(bob)
    assert (
        f'<a href="/matches/{match.pk}/#chat"><span translate="no">ann</span> mentioned you at Yum EXTRA, match' in text
    )
    for nobody in (None, ann, cem):
        assert "mentioned you at" not in home(nobody)


def test_the_button_takes_it_away(match, ann, bob, cem):
    line = say(match, ann)
    address = f"/matches/{match.pk}/chat/read/"
    for wrong in ({}, {"line": "x"}, {"line": "-1"}, {"line": "9" * 30}, {"line": line.pk - 1}):
        assert browser_of(bob).post(address, wrong).url == "/"
    browser_of(cem).post(address, {"line": line.pk})
    assert called(bob) == [(match.pk, "ann")]
    assert browser_of(bob).get(address).status_code == 405
    later = say(match, ann)
    assert f'name="line" value="{later.pk}"' in home(bob)
    browser_of(bob).post(address, {"line": later.pk})
    assert called(bob) == []


def test_who_answers_has_read(match, ann, bob):
    say(match, ann)
    say(match, bob, "yes, @ann?")
    assert (called(bob), called(ann)) == ([], [(match.pk, "bob")])


def test_fetching_is_not_reading(match, ann, bob):
    """Programs that look into mails fetch, and so do pages that nobody looks at."""
    say(match, ann)
    for path in ("", "chat/", "table/"):
        browser_of(bob).get(f"/matches/{match.pk}/{path}", headers={"X-Live": "1"})
    assert called(bob) == [(match.pk, "ann")]


def test_reading_asks_two_queries_when_nothing_is_new(match, bob):
    with CaptureQueriesContext(connection) as queries:
        read(match, bob)
    assert len(queries) == 2
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {queries[1]['sql']}")
            assert "notice_unread" in str(cursor.fetchall())


def test_nobody_is_told_for_ever(match, ann, bob, clock):
    prefer(bob, mail_off=["mentioned"])
    say(match, ann)
    clock.forward(89 * DAY)
    delivery.forget_old()
    assert called(bob) == [(match.pk, "ann")]
    clock.forward(2 * DAY)
    delivery.forget_old()
    assert not Notice.objects.exists()


def test_it_is_in_the_file_of_ones_data(match, ann, bob):
    say(match, ann)
    told = play_data(bob)["still_to_be_told"]
    assert [(one["match"], one["kind"]) for one in told] == [(match.pk, "mentioned")]


@pytest.mark.django_db(transaction=True)
async def test_a_page_that_is_looked_at_has_read_what_it_shows():
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    line = await in_thread(say)(match, ann)

    async def tells(*said) -> list:
        for one in said:
            await socket.send_to(json.dumps(one))
        while not await socket.receive_nothing(timeout=1):
            await hears(socket)
        return await in_thread(called)(bob)

    async with page(f"match={match.pk}", bob) as socket:
        await opened_page(socket)
        assert await tells({"here": False, "talk": line.pk}, {"here": True}) == [(match.pk, "ann")]
        wrong = (line.pk - 1, -(10**30), str(line.pk), True, None, [line.pk], 1e99)
        assert await tells(*({"here": True, "talk": last} for last in wrong)) == [(match.pk, "ann")]
        assert await tells({"here": True, "talk": line.pk}) == []
