"""Who is mentioned in a chat hears of it elsewhere: on the home page and by mail, until they have read it."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import bonds, visits
from accounts.closing import close_account
from accounts.models import User
from config import clock as site_clock
from games.broadcast import chat_changed
from games.chat import ChatLine, Muted
from games.export import play_data
from games.models import Match
from games.post import Kind, Letter, Notice
from games.queries import seats_of
from games.services import chat, due, letters, lobby, mentions, writing
from games.services.notices import note
from tests.factories import browser_of, opened, seated
from tests.games.play.test_consumer import hears, in_thread, opened_page, page, people, running
from tests.mailing import DAY, HOUR, MINUTE, prefer, send

pytestmark = [pytest.mark.usefixtures("clock"), pytest.mark.both]


@pytest.fixture
def match(ann, bob, clock):
    """A running match in which nobody is asked anything, so that only talk is news."""
    match = seated(ann, bob)
    Notice.objects.all().delete()
    match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
    clock.forward(HOUR)
    return match


def say(match, user, text="@bob look at that") -> ChatLine:
    return chat.say(match=match, seats=seats_of(match), user=user, text=text)


def called(user) -> list[tuple[int, str]]:
    """Return what the home page tells: the match, and by whom."""
    return [(call.match_id, call.name) for call in mentions.unread(user, 9)]


def home(user) -> str:
    return browser_of(user).get("/").content.decode()


def read(match, user, last=10**30) -> None:
    mentions.read(user_id=user.pk, match_id=match.pk, last=last)


def mute(match, ann, bob):
    Muted.objects.create(user=bob, person=ann)


def block(match, ann, bob):
    bonds.block(blocker=bob, blocked=ann)


def be_blocked(match, ann, bob):
    bonds.block(blocker=ann, blocked=bob)


def hide(match, ann, bob):
    ChatLine.objects.update(hidden=True)


def close_the_writers_account(match, ann, bob):
    close_account(user_id=ann.pk)


REFUSALS = [mute, block, be_blocked, hide, close_the_writers_account]


@pytest.mark.parametrize("refuse", [mute, block, be_blocked])
def test_who_does_not_want_to_read_it_is_not_told(ann, bob, cem, refuse):
    match = seated(ann, bob, cem)
    refuse(match, ann, bob)
    say(match, ann, "@bob @cem @ann")
    assert list(Notice.objects.filter(kind=Kind.MENTIONED).values_list("user_id", flat=True)) == [cem.pk]
    assert (called(ann), called(bob), called(cem)) == ([], [], [(match.pk, "ann")])


@pytest.mark.parametrize("refuse", REFUSALS)
def test_what_may_not_be_read_any_more_is_not_told(match, ann, bob, refuse):
    say(match, ann)
    assert called(bob) == [(match.pk, "ann")]
    refuse(match, ann, bob)
    assert called(bob) == []
    assert "mentioned you at" not in home(bob)
    assert [m for m in send() if m.to == [bob.email] and "mentioned you" in m.body] == []


@pytest.mark.parametrize("refuse", REFUSALS)
def test_nor_when_the_mail_waits_already(match, ann, bob, refuse):
    say(match, ann)
    assert due.sweep() == 1
    refuse(match, ann, bob)
    assert letters.send_due() == 0
    assert Letter.objects.get(user=bob, kind=Kind.MENTIONED).state == Letter.State.DROPPED
    assert not Notice.objects.filter(kind=Kind.MENTIONED).exists()


def test_a_talk_that_closed_to_the_reader_calls_no_more(ann, bob, cem):
    """Players read what watchers say when the match is over; who left the table reads no players' talk."""
    table = opened(ann, size=3)
    say(table, bob, "may I?")
    say(table, cem, "@bob do")
    assert called(bob) == [(table.pk, "cem")]
    lobby.join(match_id=table.pk, user=bob)
    assert called(bob) == []
    say(table, ann, "@bob welcome")
    assert called(bob) == [(table.pk, "ann")]
    lobby.leave(match_id=table.pk, user=bob)
    assert called(bob) == [(table.pk, "cem")]
    Match.objects.update(access=Match.Access.INVITATION)
    assert called(bob) == []


def test_closed_accounts_are_called_nowhere(match, ann, bob):
    say(match, ann)
    close_account(user_id=bob.pk)
    assert not Notice.objects.filter(kind=Kind.MENTIONED).exists()
    assert not any("mentioned you" in m.body for m in send())


def test_no_mail_of_it_is_wanted(match, ann, bob):
    """The home page tells of it all the same, until it is read."""
    prefer(bob, mail_off=["mentioned"])
    say(match, ann)
    assert bob.pk not in due._noted()
    note(match, Kind.PLAYED, [bob.pk], ask=1)
    (got,) = send()
    assert "mentioned you" not in got.body
    assert called(bob) == [(match.pk, "ann")]


@pytest.mark.parametrize("fields", [{"mail_off": ["mentioned"]}, {"mail_broken_at": "2026-01-01T00:00:00Z"}])
def test_no_mail_of_it_is_wanted_any_more(match, ann, bob, fields):
    say(match, ann)
    assert due.sweep() == 1
    prefer(bob, **fields)
    assert (letters.send_due(), Letter.objects.get().state) == (0, Letter.State.DROPPED)
    assert called(bob) == [(match.pk, "ann")]
    assert [due.sweep() for _ in range(3)] == [0, 0, 0]
    assert called(bob) == [(match.pk, "ann")]


@pytest.mark.parametrize("fields", [{"email": ""}, {"mail_broken_at": "2026-01-01T00:00:00Z"}])
def test_who_gets_no_mails_reads_it_on_the_site(match, ann, bob, fields):
    prefer(bob, **fields)
    say(match, ann)
    assert send() == []
    assert called(bob) == [(match.pk, "ann")]
    assert "ann mentioned you at Yum EXTRA" in home(bob)


def test_read_before_the_mail_is_made(match, ann, bob):
    line = say(match, ann)
    read(match, bob, line.pk)
    assert not Notice.objects.exists()
    assert send() == []


def test_read_before_the_mail_leaves(match, ann, bob):
    line = say(match, ann)
    assert due.sweep() == 1
    read(match, bob, line.pk)
    assert called(bob) == []
    assert (letters.send_due(), Letter.objects.get().state) == (0, Letter.State.DROPPED)


def test_read_while_the_server_dawdles(match, ann, bob, monkeypatch):
    """Between the two looks of one sending: nothing is handed over."""
    line = say(match, ann)
    due.sweep()
    honest = writing.written

    def slowly(letter, told):
        message = honest(letter, told)
        read(match, bob, line.pk)
        return message

    monkeypatch.setattr(writing, "written", slowly)
    assert letters.send_due() == 0
    assert letters.send_due() == 0
    assert Letter.objects.get().state == Letter.State.DROPPED


def test_what_came_after_the_line_that_was_read_is_not_read(match, ann, bob):
    first, second = say(match, ann), say(match, ann)
    read(match, bob, first.pk)
    assert list(Notice.objects.values_list("ask", flat=True)) == [second.pk]
    read(match, ann)
    read(seated(ann, bob), bob)
    assert called(bob) == [(match.pk, "ann")]


def test_two_calls_in_one_line_are_one(match, ann, bob):
    line = say(match, ann, "@bob @BOB @bob!")
    (notice,) = Notice.objects.all()
    assert (notice.user_id, notice.ask, notice.unread) == (bob.pk, line.pk, True)


def test_nothing_is_noted_of_what_was_not_said(match, ann, monkeypatch):
    def failing(*arguments, **more):
        chat_changed(*arguments, **more)
        raise RuntimeError

    monkeypatch.setattr("games.broadcast.chat_changed", failing)
    with pytest.raises(RuntimeError):
        say(match, ann)
    assert not Notice.objects.exists()
    assert not ChatLine.objects.exists()


def test_the_mail(match, ann, bob):
    say(match, ann, "@bob <b>look</b>\nat that")
    (got,) = send()
    assert (got.to, got.subject) == ([bob.email], f"Yum EXTRA, match {match.pk}")
    assert "ann mentioned you in the chat." in got.body
    assert "> ann\n> @bob <b>look</b>\n> at that\n" in got.body
    assert f"/matches/{match.pk}/#chat" in got.body
    html = got.alternatives[0][0]
    assert "@bob &lt;b&gt;look&lt;/b&gt;<br>at that" in html
    assert "look" not in " ".join([got.subject, *got.extra_headers.values()])
    assert called(bob) == [(match.pk, "ann")]
    read(match, bob)
    assert called(bob) == []
    assert Notice.objects.get().letter.state == Letter.State.SENT


def test_the_mail_says_the_line_as_it_is_when_it_leaves(match, ann, bob):
    line = say(match, ann, "@bob one")
    due.sweep()
    ChatLine.objects.filter(pk=line.pk).update(text="@bob two")
    (got,) = send()
    assert "@bob two" in got.body
    assert "@bob one" not in got.body


def test_a_mail_with_several_lines_leaves_out_what_was_hidden(ann, bob, cem):
    match = seated(ann, bob, cem)
    Notice.objects.all().delete()
    match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
    say(match, ann, "@bob one")
    rude = say(match, ann, "@bob rude")
    say(match, cem, "@bob three")
    ChatLine.objects.filter(pk=rude.pk).update(hidden=True)
    (got,) = send()
    assert got.body.count("ann mentioned you in the chat.") == 1
    assert "cem mentioned you in the chat." in got.body
    assert "@bob one" in got.body
    assert "rude" not in got.body


def test_one_mail_with_the_other_news_of_the_match(match, ann, bob):
    say(match, ann)
    note(match, Kind.PLAYED, [bob.pk], ask=1)
    match.seats.filter(user=bob).update(ask=70, asked_at=site_clock.now() - timedelta(minutes=1))
    (got,) = send()
    assert "mentioned you in the chat" in got.body
    assert "we played for you" in got.body
    assert f"/matches/{match.pk}/\n" in got.body
    assert set(Notice.objects.values_list("kind", flat=True)) == {"mentioned", "played", "turn"}


def test_at_most_one_mail_of_a_talk_in_half_an_hour(match, ann, bob, clock):
    times = []
    for _ in range(20):
        say(match, ann)
        times += [site_clock.now() for _ in send()]
        clock.forward(5 * MINUTE)
    assert [(at - times[0]) // timedelta(minutes=1) for at in times] == [0, 30, 60, 90]


def test_not_while_they_are_here_nor_in_quiet_hours(match, ann, bob, clock):
    now = site_clock.now()
    say(match, ann)
    visits.note(bob.pk)
    assert send() == []
    clock.forward(6 * MINUTE)
    minute = now.hour * 60 + now.minute
    prefer(bob, quiet_from=minute, quiet_until=(minute + 60) % 1440)
    assert send() == []
    clock.forward(HOUR)
    assert len(send()) == 1


def test_in_the_daily_mail(match, ann, bob):
    prefer(bob, mail_rhythm=User.Rhythm.DAILY, digest_hour=0)
    say(match, ann)
    (got,) = send()
    assert got.subject == "Your day at Club Y"
    assert "ann mentioned you in the chat." in got.body


def test_one_click_ends_these_mails_alone(match, ann, bob, clock):
    say(match, ann)
    (got,) = send()
    off = got.extra_headers["List-Unsubscribe"].strip("<>").partition("testserver")[2]
    browser_of().post(off, {"List-Unsubscribe": "One-Click"})
    assert User.objects.get(pk=bob.pk).mail_off == ["mentioned"]
    assert "Somebody mentioned me in a chat" in browser_of(bob).get("/settings/mails/").content.decode()


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
    assert f'<a href="/matches/{match.pk}/#chat">ann mentioned you at Yum EXTRA, match' in text
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


def test_reading_asks_one_query_when_nothing_calls(match, bob):
    with CaptureQueriesContext(connection) as queries:
        read(match, bob)
    assert len(queries) == 1
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {queries[0]['sql']}")
            assert "notice_unread" in str(cursor.fetchall())


def test_nobody_is_told_for_ever(match, ann, bob, clock):
    prefer(bob, mail_off=["mentioned"])
    say(match, ann)
    clock.forward(89 * DAY)
    letters.forget_old()
    assert called(bob) == [(match.pk, "ann")]
    clock.forward(2 * DAY)
    letters.forget_old()
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
