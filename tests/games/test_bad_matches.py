"""One match that cannot be read takes no page, no sweep and nobody's account with it (spec: site.md)."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.urls import Resolver404, resolve

from accounts.models import User
from accounts.services.closing import close_account
from accounts.services.data_export import file_of
from config.celery import app
from games.models import ChatLine, Invitation, Kind, Mail, Match, Notice, Seat, Tally
from games.queries import readable
from games.services.clocks import outages, time_outs
from games.services.mail import planning
from games.services.operation import site_status
from games.services.play import bots
from tests import FULL
from tests.factories import admin, browser_of, fresh, guest, moderator, opened, played_on, seated
from tests.mailing import HOUR, deliver, send

BAD = {
    "state": {"state": b"\0 no state"},
    "no state": {"state": b""},
    "another game's state": {"state": b'{"a": 1}'},
    "pace": {"pace_slug": "9x"},
    "game": {"game_slug": "gone"},
    "rules": {"rules_version": 99},
    "list of options": {"options": ["junk"]},
    "unknown option": {"options": {"junk": 1}},
}
SLUG = "sample-game"  # of which some states keep a secret
STARTS = ("/", "/play/", "/matches/", "/people/ann/", "/people/bob/", f"/leaderboards/{SLUG}/", "/mentions/", "/next/")
FRAGMENTS = ("/?fragment=1", "/play/?fragment=1", "/matches/?fragment=1", f"/play/?game={SLUG}", "/play/?pace=3d")
OF_ADMINS = (
    *("/admin/", "/admin/games/match/", "/admin/games/match/?q=ann", "/admin/operation/", "/admin/games/timeout/"),
    *("/admin/games/mail/", "/admin/moderation/report/", "/admin/accounts/user/", "/admin/leaderboards/settlement/"),
)
ELSEWHERE = ("/static", "/accounts", "/admin/logout", "/admin/jsi18n")
MOST = 60 if FULL else 30  # pages that one person looks at

pytestmark = pytest.mark.bad_matches


class Stage:
    """Good matches, and beside them bad ones of these kinds: two open, two running, one for a bot, one ended."""

    def __init__(self, ann: User, bob: User, *kinds) -> None:
        self.good = [*self.matches(ann, bob)]
        self.bad = [match for kind in kinds for match in self.spoilt(ann, bob, kind)]

    def spoilt(self, ann: User, bob: User, kind) -> Iterator[Match]:
        for match in self.matches(ann, bob):
            wanted = {name: value for name, value in kind.items() if name != "state" or match.state}
            Match.objects.filter(pk=match.pk).update(**wanted)
            ChatLine.objects.create(match=match, user=bob, channel="players", text="@ann look")
            yield match

    def matches(self, ann: User, bob: User) -> Iterator[Match]:
        yield opened(ann, size=2, game_slug=SLUG)
        private = opened(ann, size=2, game_slug=SLUG, access="invitation")
        Invitation.objects.create(match=private, user=bob)
        yield private
        yield seated(ann, bob, game_slug=SLUG)
        with_bot = seated(ann, bob, game_slug=SLUG)
        Seat.objects.filter(match=with_bot, ask__isnull=False).update(bot="easy", absent=True, left=1)
        yield fresh(with_bot)
        yield played_on(seated(ann, bob, game_slug=SLUG), Random(1))

    @property
    def unreadable(self) -> set[int]:
        return {match.pk for match in self.bad if readable.why_unreadable(fresh(match))}


@pytest.fixture
def stage(ann, bob) -> Stage:
    return Stage(ann, bob, *BAD.values())


def named(path: str) -> int | None:
    try:
        found = resolve(path.partition("?")[0]).kwargs
    except Resolver404:
        return None
    number = found.get("match_id") or found.get("object_id")
    return int(number) if number and str(number).isdigit() else None


def crawl(browser: Client, stage: Stage, *starts: str) -> set[str]:
    """Look at these pages and at what they link to; return what was looked at. Bad matches' own pages say so."""
    waiting, seen = [*starts], set()
    while waiting and len(seen) < MOST:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        answer = browser.get(path)
        is_bad = named(path) in {match.pk for match in stage.bad} and not path.startswith("/admin")
        assert answer.status_code in ((200, 302, 403, 404, 503) if is_bad else (200, 302, 403, 404)), path
        if answer.status_code == 200 and "text/html" in answer["Content-Type"]:
            links = re.findall(r'href="(/[^"#]*)', answer.content.decode().replace("&amp;", "&"))
            waiting += [link for link in links if not link.startswith(ELSEWHERE) and ".css" not in link]
    return seen


def test_all_pages_go_on_for_everybody(stage, ann, cem):
    """In short each at one match of three, in turn."""
    own = [f"/matches/{match.pk}/" for match in (*stage.bad, *stage.good)]
    for number, person in enumerate((None, guest(), ann, cem, moderator())):
        browser = browser_of(person)
        its = own if FULL else own[number % 3 :: 3]
        assert len(crawl(browser, stage, *STARTS, *FRAGMENTS, *its)) > 20
    boss = browser_of(admin())
    seen = crawl(boss, stage, *OF_ADMINS, *(f"/admin/games/match/{match.pk}/change/" for match in stage.bad))
    assert "/admin/operation/" in seen


def test_lists_show_the_good_ones(stage, ann, bob):
    lobby = browser_of(None).get("/play/").content.decode()
    assert f"/matches/{stage.good[0].pk}/" in lobby
    mine = browser_of(ann).get("/matches/").content.decode()
    assert all(f"/matches/{match.pk}/" in mine for match in stage.good if match.status != "open")
    profile = browser_of(bob).get("/people/ann/?state=ended").content.decode()
    assert f"/matches/{stage.good[-1].pk}/" in profile


def test_its_own_page_says_that_it_is_not_lost(stage, ann, cem):
    for match in stage.bad:
        if match.pk not in stage.unreadable or "junk" in fresh(match).options:
            continue  # options may not matter to what is shown
        answer = browser_of(ann).get(f"/matches/{match.pk}/")
        assert answer.status_code == 503
        assert "It is not lost" in answer.content.decode()
        assert answer["Retry-After"] == "600"
        if match.access == "invitation":
            assert browser_of(cem).get(f"/matches/{match.pk}/").status_code == 404
    assert stage.unreadable


def test_a_move_at_it_is_answered_in_words_and_changes_nothing(stage, ann):
    post = {"ask": "1", "key": "abc", "move": '{"type": "roll"}'}
    answers = set()
    for before in Match.objects.filter(pk__in=stage.unreadable, status="running"):
        answers.add(browser_of(ann).post(f"/matches/{before.pk}/move/", post).status_code)
        if "junk" not in before.options:
            assert (fresh(before).turns, bytes(fresh(before).state)) == (before.turns, bytes(before.state))
    assert 503 in answers
    assert answers <= {302, 403, 409, 503}


def test_strangers_do_not_learn_that_a_private_one_exists(ann, bob, cem):
    stage = Stage(ann, bob, BAD["pace"])
    private = next(match for match in stage.bad if match.access == "invitation")
    post = {"ask": "1", "key": "abc", "move": '{"type": "roll"}'}
    for number in (private.pk, 10**6):
        assert browser_of(cem).post(f"/matches/{number}/move/", post).status_code == 404


@pytest.mark.outgrown
def test_every_task_goes_on(stage, ann, bob, clock):
    Seat.objects.filter(ask__isnull=False).update(deadline=Seat.objects.first().match.created_at)
    Tally.objects.update(counted_at=None)
    clock.forward(HOUR)
    for part in (outages.WEB, outages.SWEEP):
        outages.beat(part)
    app.loader.import_default_modules()
    for entry in app.conf.beat_schedule.values():
        app.tasks[entry["task"]].apply(throw=True)
    for match in (*stage.good, *stage.bad):
        time_outs.judge(match_id=match.pk)
    time_outs.give_back_all()
    assert not Tally.objects.filter(counted_at=None).exists()


def test_bots_play_on_at_the_good_ones(stage, clock):
    clock.forward(HOUR)
    assert bots.sweep_bots() >= 1
    aside = set(Match.objects.filter(troubled_at__isnull=False).values_list("pk", flat=True))
    assert aside <= stage.unreadable


def test_a_mail_tells_of_the_others(ann, bob, clock):
    stage = Stage(ann, bob, BAD["state"])
    mail = Mail.objects.create(user=bob, kind="turn")
    for match in (stage.good[4], stage.bad[4]):
        Notice.objects.filter(match=match).delete()
        Notice.objects.create(user=bob, match=match, kind=Kind.VOIDED, mail=mail)
    Match.objects.update(voided_at=stage.good[0].created_at)
    [sent] = [one for one in deliver() if one.to == [bob.email] and "voided" in one.subject]
    assert f"/matches/{stage.good[4].pk}/" in sent.body and f"/matches/{stage.bad[4].pk}/" not in sent.body


def test_a_mail_of_bad_ones_alone_waits(ann, bob, clock):
    stage = Stage(ann, bob, BAD["rules"])
    Notice.objects.all().delete()
    Match.objects.update(voided_at=stage.good[0].created_at)
    mail = Mail.objects.create(user=bob, kind="voided", match=stage.bad[4])
    Notice.objects.create(user=bob, match=stage.bad[4], kind=Kind.VOIDED, mail=mail)
    deliver()
    mail.refresh_from_db()
    assert mail.state == Mail.State.WAITING
    assert mail.error == "UnreadableMail:"
    Match.objects.filter(pk=stage.bad[4].pk).update(rules_version=2)
    clock.forward(HOUR)
    assert [one.to for one in deliver()] == [[bob.email]]


def test_mails_are_planned(stage, clock):
    clock.forward(HOUR)
    assert planning.sweep()
    send()


@pytest.mark.outgrown
def test_an_account_can_be_closed_and_its_data_fetched(stage, ann, bob):
    assert "".join(str(part) for part in file_of(bob))
    close_account(user_id=bob.pk)
    assert not Seat.objects.filter(user=bob.pk).exists()
    for match in stage.bad:
        if match.status == "running":
            assert fresh(match).status == "running"


def test_the_operation_page_lists_them(stage, ann):
    browser_of(ann).get("/matches/")
    for match in stage.bad:
        browser_of(ann).get(f"/matches/{match.pk}/")
    told = {row["match"].pk: row["why"] for row in readable.unreadable_matches(50)}
    unshown = {match.pk for match in stage.bad if "junk" not in fresh(match).options}
    assert unshown & stage.unreadable <= set(told) <= stage.unreadable
    page = browser_of(admin()).get("/admin/operation/").content.decode()
    assert "Matches that cannot be read" in page
    assert all(f"/admin/games/match/{number}/change/" in page for number in told)
    assert site_status.operation_context()


def test_the_log_has_one_line_an_hour(ann, bob, clock, capsys):
    stage = Stage(ann, bob, BAD["rules"])
    for _ in range(3):
        browser_of(ann).get("/matches/")
        browser_of(bob).get("/matches/")
    lines = [line for line in logged(capsys) if line["match"] == stage.bad[2].pk]
    assert [line["why"] for line in lines] == [f"unknown version 99 of the rules of '{SLUG}'"]
    assert lines[0]["level"] == "error"
    clock.forward(HOUR + 1)
    browser_of(ann).get("/matches/")
    assert logged(capsys)


def logged(capsys) -> list[dict]:
    said = capsys.readouterr().out.splitlines()
    return [json.loads(line) for line in said if "match cannot be read" in line]


def test_the_log_quotes_nothing_of_a_state(ann, bob, capsys):
    stage = Stage(ann, bob, {"state": b'{"goal":"the hidden one","hidden":["the hidden one"]}'})
    browser_of(ann).get(f"/matches/{stage.bad[2].pk}/")
    readable.report(stage.bad[2].pk, ValueError("the hidden one"))
    said = capsys.readouterr().out
    assert "match cannot be read" in said
    assert "the hidden one" not in said


def test_staff_learn_of_a_private_one_only_where_they_may_look(ann, bob, mo, settings):
    settings.STAFF_SECOND_FACTOR = True
    stage = Stage(ann, bob, BAD["rules"])
    match = stage.bad[2]
    Match.objects.filter(pk=match.pk).update(access=Match.Access.LINK)
    assert browser_of(mo).get(f"/matches/{match.pk}/").status_code == 404
    assert browser_of(ann).get(f"/matches/{match.pk}/").status_code == 503


def test_without_a_creator_a_table_is_shown(ann, bob):
    stage = Stage(ann, bob, {"creator": None})
    for person in (None, ann, bob):
        crawl(browser_of(person), stage, *STARTS, *(f"/matches/{match.pk}/" for match in stage.bad))
    assert not stage.unreadable
    assert not readable.met()


def test_a_fuse_does_not_blow_for_matches_that_are_unknown_here(ann, bob, clock):
    Stage(ann, bob, BAD["game"])
    Seat.objects.filter(ask__isnull=False).update(deadline=Match.objects.first().created_at - timedelta(hours=2))
    due = time_outs.due_matches(Match.objects.first().created_at)
    assert due
    assert not Match.objects.filter(pk__in=due, game_slug="gone").exists()


@pytest.mark.outgrown
def test_what_is_known_is_asked_of_the_database(stage):
    unknown = set(readable.unknown_matches().values_list("pk", flat=True))
    assert unknown <= stage.unreadable
    assert connection.vendor in ("sqlite", "postgresql")
