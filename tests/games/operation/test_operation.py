"""The operation page: who may, what it shows, and that each button does what it says, once, with a reason."""

from datetime import timedelta
from importlib import import_module
from random import Random

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from config import clock as site_clock
from games import tasks
from games.life import Audit
from games.models import Heartbeat, Match, Outage, Seat, Sweep, TimeOut, Turn
from games.services import alarms, letters, operating, outages, time_outs
from games.services.playing import Playing
from games.services.state_of_site import FIGURES, Figure, match_figures, pulses
from tests.factories import (
    PASSWORD,
    asked,
    browser_of,
    fresh,
    member,
    opened,
    play_on,
    seat,
    seated,
    snapshot,
)
from tests.mailing import deliver

pytestmark = pytest.mark.both

PAGE = "/admin/operation/"
ALL = f"{PAGE}give-time/"


@pytest.fixture
def root(db):
    return User.objects.create_superuser("root", "root@example.org", PASSWORD)


@pytest.fixture
def admins(root):
    return browser_of(root)


@pytest.fixture
def moderator(db):
    """Staff who may look at matches, and nothing more."""
    person = member("mod", is_staff=True)
    person.user_permissions.add(Permission.objects.get(codename="view_match"))
    return person


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


def beat(web: float = 0, sweep: float = 0) -> None:
    """Have the parts of the site show life so many seconds ago; the web server is up for a day."""
    now = site_clock.now()
    for name, age in ((outages.WEB, web), (outages.SWEEP, sweep)):
        at = now - timedelta(seconds=age)
        since = now - timedelta(days=1)
        Heartbeat.objects.update_or_create(name=name, defaults={"at": at, "since": since})


def run_out(*matches: Match, ago: timedelta = timedelta(minutes=10)) -> None:
    """Let the clocks that run in these matches have run out so long ago, with no day off to save them."""
    User.objects.update(vacation_by_itself=False)
    at = site_clock.now() - ago
    running = Seat.objects.filter(match__in=matches, deadline__isnull=False)
    running.update(deadline=at, runs_from=at - timedelta(days=3), bank=3 * 24 * 3600 * 1000)


def swept() -> Sweep:
    """Sweep, and judge what it found."""
    beat()
    sweep, due = time_outs.sweep()
    for match_id in due:
        time_outs.judge(match_id=match_id, sweep_id=sweep.pk)
    return sweep


def crowd(ann, number: int = time_outs.FUSE_LEAST + 1) -> list[Match]:
    """More matches with a clock that ran out than the fuse lets through."""
    people = [member(f"crowd{n}") for n in range(2)]
    matches = [seated(*people) for _ in range(number)]
    run_out(*matches)
    return matches


def answer(root, **fields) -> dict:
    return {"reason": "the mail server hung", "last": operating.last_act(root), **fields}


def text(page) -> str:
    return page.content.decode()


def message_of(page) -> str:
    return " ".join(str(message) for message in page.wsgi_request._messages)


# Who may


def addresses(match: Match, sweep: Sweep) -> list[str]:
    return [
        PAGE,
        ALL,
        f"{PAGE}matches/give-time/?match={match.pk}",
        f"{PAGE}matches/{match.pk}/again/",
        f"{PAGE}sweeps/{sweep.pk}/release/",
        f"{PAGE}sweeps/{sweep.pk}/undo/",
    ]


def test_only_admins_are_let_in(ann, moderator, match, root):
    sweep = Sweep.objects.create(due=30, stopped=True)
    Match.objects.filter(pk=match.pk).update(troubled_at=site_clock.now(), trouble="KeyError: 'x'")
    clients = {"a visitor": browser_of(), "Ann": browser_of(ann), "a moderator": browser_of(moderator)}
    before = {name: rows for name, rows in snapshot().items() if name.startswith(("games", "moderation"))}
    for who, client in clients.items():
        for address in addresses(match, sweep):
            for answered in (client.get(address), client.post(address, answer(root, hours=1))):
                assert answered.status_code in (302, 403, 405), (who, address)
                if answered.status_code == 302:
                    assert "login" in answered.url, (who, address)
    after = {name: rows for name, rows in snapshot().items() if name.startswith(("games", "moderation"))}
    assert after == before


def test_a_moderator_is_told_in_words(moderator):
    refused = browser_of(moderator).get(PAGE)
    assert refused.status_code == 403
    assert "You are not allowed to see this page" in text(refused)
    assert PAGE not in text(browser_of(moderator).get("/admin/"))


def test_a_moderator_may_be_let_give_time_and_no_more(moderator, match):
    moderator.user_permissions.add(Permission.objects.get(codename="change_match"))
    client = browser_of(moderator)
    assert client.get(f"{PAGE}matches/give-time/?match={match.pk}").status_code == 200
    assert client.get(PAGE).status_code == client.get(ALL).status_code == 403


def test_looking_changes_nothing(admins, match):
    sweep = swept()
    sweep = Sweep.objects.create(due=30, stopped=True)
    admins.get(PAGE)
    before = snapshot()
    for address in addresses(match, sweep):
        for look in (admins.get, admins.head, admins.options):
            assert look(address).status_code in (200, 405), address
    assert snapshot() == before
    refused = admins.get(f"{PAGE}matches/{match.pk}/again/")
    assert (refused.status_code, refused["Allow"]) == (405, "POST")
    assert "only takes what a button sends" in text(refused)


def test_what_does_not_exist(admins):
    for address in ("matches/77/again/", "sweeps/77/release/", "sweeps/77/undo/", f"sweeps/{10**30}/undo/"):
        assert admins.post(PAGE + address, {"reason": "x", "last": 0}).status_code == 404, address
    assert admins.post(f"{PAGE}matches/{10**30}/again/").status_code == 404


# What it shows


def test_a_site_at_rest(admins):
    beat()
    page = text(admins.get(PAGE))
    for words in ("every clock that ran out has been judged", "no sweep failed", "no clock has run out"):
        assert words in page
    assert 'role="alert"' not in page
    assert PAGE in text(admins.get("/admin/"))


def test_late_parts_are_told_in_words(admins):
    beat(web=0, sweep=301)
    assert [pulse.is_late for pulse in pulses().values()] == [False, True]
    page = text(admins.get(PAGE))
    assert ">late<" in page
    assert "5\xa0minutes ago" in page


def test_a_sweep_has_time_after_the_web_server_came_up(db):
    beat(sweep=3600)
    Heartbeat.objects.filter(name=outages.WEB).update(since=site_clock.now())
    assert not pulses()["sweep"].is_late


def test_due_and_overdue(admins, match, ann, bob):
    just = seated(ann, bob)
    run_out(match, ago=timedelta(hours=2))
    run_out(just, ago=timedelta(seconds=20))
    page = text(admins.get(PAGE))
    assert reverse("admin:games_match_change", args=[match.pk]) in page
    assert "2\xa0hours ago" in page
    assert page.count(">overdue<") == 1
    assert page.count("due: the next sweep judges it") == 1
    numbers = {str(figure.label): figure.number for figure in match_figures()}
    assert numbers["Running matches"] == 2
    assert numbers["Due: a clock ran out"] == 2
    assert numbers["of these, overdue"] == 1


def test_sweeps_with_what_they_did(admins, match):
    run_out(match)
    swept()
    row = TimeOut.objects.get()
    assert row.kind == TimeOut.Kind.PLAYED
    page = text(admins.get(PAGE))
    assert f"{PAGE}sweeps/{row.sweep_id}/undo/" in page


def test_each_part_adds_its_figures(admins, monkeypatch):
    monkeypatch.setitem(FIGURES, "Mails", lambda: [Figure("Failed", 7, is_bad=True)])
    page = text(admins.get(PAGE))
    assert "Mails" in page
    assert "look here" in page


def test_the_page_asks_the_database_no_more_for_more_rows(admins, ann, bob):
    def looked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked_for:
            assert admins.get(PAGE).status_code == 200
        return len(asked_for)

    def more() -> None:
        match = seated(ann, bob)
        run_out(match)
        Match.objects.filter(pk=match.pk).update(troubled_at=site_clock.now(), trouble="x")
        sweep = Sweep.objects.create(due=1)
        TimeOut.objects.create(sweep=sweep, match=match, seat=0, ask=1, kind="played", before={})
        Outage.objects.create(part="web", start=site_clock.now(), end=site_clock.now())

    more()
    looked()
    few = looked()
    for _ in range(5):
        more()
    assert looked() <= few


def test_in_french(admins, root, match):
    User.objects.filter(pk=root.pk).update(language="fr")
    run_out(match)
    sweep = swept()
    for address in (
        PAGE,
        ALL,
        f"{PAGE}sweeps/{sweep.pk}/undo/",
        f"{PAGE}matches/give-time/?match={match.pk}",
    ):
        page = text(admins.get(address))
        assert "Exploitation" in page
        assert "Give time" not in page


# Time to all


def test_time_to_all(admins, root, match):
    before = asked(match).deadline
    page = admins.post(ALL, answer(root, hours=5))
    assert (page.status_code, page.url) == (302, PAGE)
    time_outs.give_back_all()
    assert asked(match).deadline == before + timedelta(hours=5)
    row = Audit.objects.get()
    assert (row.moderator, row.outage) == (root, Outage.objects.get(part="admin"))
    assert (row.deed, row.details, row.reason) == ("time_all", "5 h", "the mail server hung")
    shown = text(admins.get(PAGE))
    assert "the mail server hung" in shown
    assert "time given by an admin" in shown


@pytest.mark.parametrize("hours", ["", "0", "-1", "337", "1.5", "NaN", "x", "9" * 5000, "1\x00", "1e2"])
def test_no_such_amount(admins, root, match, hours):
    refused = admins.post(ALL, answer(root, hours=hours))
    assert refused.status_code == 400
    assert "Nothing was done yet" in text(refused)
    assert not Outage.objects.exists()
    assert not Audit.objects.exists()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 301, "a\x00b"])
def test_no_reason(admins, root, match, reason):
    refused = admins.post(ALL, answer(root, hours=3, reason=reason))
    assert refused.status_code == 400
    assert not Outage.objects.exists()


@pytest.mark.parametrize("last", ["", "x", "-1", "9" * 40])
def test_a_form_without_its_number(admins, root, last):
    assert admins.post(ALL, answer(root, hours=3, last=last)).status_code == 400
    assert not Outage.objects.exists()


def test_the_amounts_at_the_edge(admins, root):
    for hours in (1, 336):
        assert admins.post(ALL, answer(root, hours=hours)).status_code == 302
    assert Outage.objects.count() == 2


def test_a_form_sent_twice_gives_once(admins, root, match):
    sent = answer(root, hours=5)
    assert admins.post(ALL, sent).status_code == 302
    again = admins.post(ALL, sent)
    assert again.status_code == 409
    assert "perhaps by sending it twice" in text(again)
    assert Outage.objects.count() == Audit.objects.count() == 1


# Time to some


def test_time_to_one(admins, root, match, ann, bob):
    other = seated(ann, bob)
    before, others = asked(match), asked(other)
    page = admins.post(f"{PAGE}matches/give-time/?match={match.pk}", answer(root, hours=7))
    assert (page.status_code, page.url) == (302, reverse("admin:games_match_change", args=[match.pk]))
    assert asked(match).deadline == before.deadline + timedelta(hours=7)
    assert asked(other).deadline == others.deadline
    row = Audit.objects.get()
    assert (row.moderator, row.match) == (root, match)
    assert (row.deed, row.details, row.reason) == ("time", "7 h", "the mail server hung")
    assert "the mail server hung" in text(admins.get(f"/admin/moderation/audit/?q={match.pk}"))


def test_time_to_several_from_the_list(admins, root, match, ann, bob):
    matches = [match, seated(ann, bob), opened(ann)]
    chosen = {"action": "give_time", "_selected_action": [m.pk for m in matches]}
    led = admins.post("/admin/games/match/", chosen)
    assert led.status_code == 302
    form = text(admins.get(led.url))
    assert all(reverse("admin:games_match_change", args=[m.pk]) in form for m in matches)
    before = [asked(m).deadline for m in matches[:2]]
    done = admins.post(led.url, answer(root, hours=2))
    assert [asked(m).deadline for m in matches[:2]] == [at + timedelta(hours=2) for at in before]
    assert message_of(done) == (
        "2 matches were given time. In 1 match no member is to move: nothing was given there."
    )
    assert Audit.objects.count() == 2
    assert admins.post(led.url, answer(root, hours=2, last=0)).status_code == 409


def test_an_ended_match_gets_no_time(admins, root, ann, bob):
    ended = play_on(seated(ann, bob), Random(5))
    before = snapshot()["games.Seat"]
    admins.post(f"{PAGE}matches/give-time/?match={ended.pk}", answer(root, hours=2))
    assert snapshot()["games.Seat"] == before
    assert not Audit.objects.exists()


def test_no_such_matches(admins, root, match):
    for query in (
        "",
        "match=x",
        "match=0",
        "match=-1",
        "match=" + "9" * 40,
        "match=%00",
        f"match={match.pk}&match=x",
    ):
        led = admins.post(f"{PAGE}matches/give-time/?{query}", answer(root, hours=2))
        assert (led.status_code, led.url) == (302, "/admin/games/match/"), query
    many = "&".join(f"match={n}" for n in range(1, 102))
    assert admins.get(f"{PAGE}matches/give-time/?{many}").status_code == 302
    assert admins.get(f"{PAGE}matches/give-time/?match={match.pk}&match=987654").status_code == 404
    assert not Audit.objects.exists()


def test_the_list_offers_it_to_those_who_may_only(moderator, match, admins):
    assert 'value="give_time"' in text(admins.get("/admin/games/match/"))
    assert 'value="give_time"' not in text(browser_of(moderator).get("/admin/games/match/"))
    page = reverse("admin:games_match_change", args=[match.pk])
    assert "operation/matches/give-time/" in text(admins.get(page))
    assert "operation/matches/give-time/" not in text(browser_of(moderator).get(page))
    posted = {"action": "give_time", "_selected_action": [match.pk]}
    assert "give-time" not in browser_of(moderator).post("/admin/games/match/", posted).get("Location", "")


# The fuse


@pytest.fixture
def blown(root, ann):
    crowd(ann)
    beat()
    sweep, due = time_outs.sweep()
    assert (sweep.stopped, due) == (True, [])
    return sweep


def test_a_blown_fuse_is_shown_and_let_go_on(admins, root, blown):
    assert "The fuse has stopped" in text(admins.get(PAGE))
    address = f"{PAGE}sweeps/{blown.pk}/release/"
    assert admins.post(address, {"last": 0}).status_code == 400
    assert time_outs.sweep()[1] == []
    assert admins.post(address, answer(root)).status_code == 302
    assert len(time_outs.sweep()[1]) == 21
    row = Audit.objects.get()
    assert (row.deed, row.sweep, row.details) == ("release", blown, "due matches: 21")
    again = admins.post(address, answer(root))
    assert again.status_code == 409
    assert "does not hold this sweep back any more" in text(again)
    assert Audit.objects.count() == 1


def test_only_a_stopped_sweep_is_let_go_on(admins, root):
    sweep = Sweep.objects.create(due=3)
    assert admins.post(f"{PAGE}sweeps/{sweep.pk}/release/", answer(root)).status_code == 409
    assert Sweep.objects.get().released_at is None


def test_the_fuse_closes_when_nothing_is_due_any_more(blown):
    Seat.objects.filter(deadline__isnull=False).update(deadline=site_clock.now() + timedelta(days=1))
    assert time_outs.sweep()[0].due == 0
    assert time_outs.stopped_sweep() is None
    assert time_outs.sweep() == (None, [])
    run_out(*Match.objects.all())
    again, _ = time_outs.sweep()
    assert (again.stopped, again.told_at) == (True, None)
    assert again != blown


def test_a_blown_fuse_is_mailed_once(root, blown, settings, ann):
    User.objects.create_superuser("unconfirmed", "", PASSWORD)
    french = User.objects.create_superuser("chef", "chef@example.org", "x", language="fr")
    settings.ADMINS = [("", "ops@example.org"), ("", "ROOT@example.org")]
    assert alarms.tell_of_fuse(sweep_id=blown.pk) == 3
    assert alarms.tell_of_fuse(sweep_id=blown.pk) == 0
    assert sorted(letter.to[0] for letter in deliver()) == [french.email, "ops@example.org", root.email]
    subjects = {letter.to[0]: letter.subject for letter in deliver()}
    assert subjects[root.email] == "The fuse has blown: 21 matches are due"
    assert subjects[french.email] == "Le fusible a sauté : 21 parties à juger"
    assert all(PAGE in letter.body and PAGE in letter.alternatives[0].content for letter in deliver())
    assert ann.email not in subjects


def test_one_refused_mail_stops_no_other(root, blown, monkeypatch):
    User.objects.create_superuser("second", "second@example.org", "x")
    assert alarms.tell_of_fuse(sweep_id=blown.pk) == 2
    hand_over = letters._hand_over

    def refuses(message, *rest):
        if message.to == [root.email]:
            raise ValueError("no such mailbox")
        hand_over(message, *rest)

    monkeypatch.setattr(letters, "_hand_over", refuses)
    deliver()
    assert Sweep.objects.get().told_at is not None
    assert [one.to for one in deliver()] == [["second@example.org"]]


def test_with_no_mail_out_it_is_sent_later(root, blown, monkeypatch, clock):
    assert alarms.tell_of_fuse(sweep_id=blown.pk) == 1
    with monkeypatch.context() as patch:
        patch.setattr(letters, "_hand_over", away)
        assert deliver() == []
    clock.forward(61)
    assert [one.to for one in deliver()] == [[root.email]]


def away(*rest):
    raise OSError("away")


def test_the_worker_tells_when_it_sweeps(root, blown):
    tasks.sweep_clocks()
    tasks.sweep_clocks()
    assert [one.to for one in deliver()] == [[root.email]]


# Undo


def test_undo(admins, root, match):
    turns, mover = match.turns, asked(match).number
    run_out(match)
    sweep = swept()
    assert fresh(match).turns > turns
    form = text(admins.get(f"{PAGE}sweeps/{sweep.pk}/undo/"))
    assert "1 default move played" in form
    done = admins.post(f"{PAGE}sweeps/{sweep.pk}/undo/", answer(root))
    words = "Restored: 1. Seat returned: 0. Left as it is: 0. Failed: 0."
    assert message_of(done) == words
    assert fresh(match).turns == turns
    assert (asked(match).number, asked(match).run_outs) == (mover, 0)
    row = Audit.objects.get()
    assert (row.deed, row.details, row.reason) == ("undo", words, "the mail server hung")
    assert "1 time-out undone" in text(admins.get(PAGE))
    again = admins.post(f"{PAGE}sweeps/{sweep.pk}/undo/", answer(root))
    assert again.status_code == 409
    assert "nothing left to undo" in text(again)


def test_an_undo_that_fails_at_one_match_goes_on(admins, root, match, ann, bob):
    other = seated(ann, bob)
    turns = other.turns
    run_out(match, other)
    sweep = swept()
    TimeOut.objects.filter(match=match).update(before={})
    done = admins.post(f"{PAGE}sweeps/{sweep.pk}/undo/", answer(root))
    assert message_of(done) == "Restored: 1. Seat returned: 0. Left as it is: 0. Failed: 1."
    assert fresh(other).turns == turns


# Set aside


def test_a_match_set_aside_is_looked_at_again(admins, root, match, monkeypatch):
    run_out(match)
    beat()

    def breaks(*args):
        raise KeyError("planted")

    monkeypatch.setattr(Playing, "__init__", breaks)
    sweep = swept()
    monkeypatch.undo()
    assert fresh(match).trouble == "KeyError"
    assert "KeyError" in text(admins.get(PAGE))
    assert time_outs.sweep()[1] == []
    address = f"{PAGE}matches/{match.pk}/again/"
    assert admins.post(address).status_code == 302
    assert (fresh(match).troubled_at, fresh(match).trouble) == (None, "")
    assert Audit.objects.get().match == match
    assert time_outs.sweep()[1] == [match.pk]
    assert "not set aside any more" in message_of(admins.post(address))
    assert Audit.objects.count() == 1
    assert not TimeOut.objects.filter(sweep=sweep).exists()


def test_a_look_without_trouble_forgets_the_trouble(match):
    Match.objects.filter(pk=match.pk).update(troubled_at=site_clock.now() - timedelta(hours=1), trouble="x")
    run_out(match)
    swept()
    assert (fresh(match).troubled_at, fresh(match).trouble) == (None, "")
    assert Turn.objects.filter(match=match, by=Turn.By.CLOCK).exists()


# The lists


def test_the_lists_are_to_be_read_only(admins, match):
    run_out(match)
    sweep = swept()
    gift = outages.give_all(timedelta(hours=1))
    row = TimeOut.objects.get()
    TimeOut.objects.update(undone=[{"move": {"type": "hush"}}])
    for name, pk in (("timeout", row.pk), ("sweep", sweep.pk), ("outage", gift.pk)):
        base = f"/admin/games/{name}/"
        assert admins.get(base).status_code == 200
        shown = admins.get(f"{base}{pk}/change/")
        assert shown.status_code == 200
        assert "hush" not in text(shown)
        assert admins.get(f"{base}add/").status_code == 403
        assert admins.post(f"{base}{pk}/change/", {"due": 5}).status_code == 403
        assert admins.post(f"{base}{pk}/delete/", {"post": "yes"}).status_code == 403


def test_a_match_shows_its_clocks(admins, match):
    Seat.objects.filter(match=match, number=0).update(run_outs=1, absent=True)
    page = text(admins.get(reverse("admin:games_match_change", args=[match.pk])))
    for words in (
        "Pace",
        "3 days a move",
        "Paused since",
        "Run-outs",
        "Runs out at",
        "Absent",
        "Set aside at",
    ):
        assert words in page, words
    assert seat(match, 0).run_outs == 1


def test_what_the_admins_log_told_is_copied_into_the_audit(root, match):
    """By the migration; entries that the admin itself wrote, as JSON, are left where they are."""
    sweep, gift = (
        Sweep.objects.create(due=3),
        Outage.objects.create(part="admin", start=site_clock.now(), end=site_clock.now()),
    )
    words = {
        "Gave 5 h to every running clock. Reason: x": gift,
        "7 h données pour le coup. Motif : x": match,
        "A laissé reprendre le passage arrêté, 21 à juger. Motif : x": sweep,
        "Undid the sweep. Reason: x": sweep,
        "A fait réexaminer une partie mise de côté.": match,
        '[{"changed": {}}]': match,
    }
    for message, subject in words.items():
        LogEntry.objects.log_actions(root.pk, [subject], 2, message, single_object=True)
    import_module("games.moderation.migrations.0004_one_audit").copy_acts(apps, None)
    rows = [
        (row.deed, row.outage or row.match or row.sweep, row.reason) for row in Audit.objects.order_by("pk")
    ]
    told = dict(zip(words, ("time_all", "time", "release", "undo", "again"), strict=False))
    assert sorted(rows, key=str) == sorted(((deed, words[m], m) for m, deed in told.items()), key=str)
