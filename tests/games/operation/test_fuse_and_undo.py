"""A blown fuse is told and let go on; what a sweep did is undone; what was set aside is looked at again."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from accounts.models import User
from config.lib import clock as site_clock
from games import tasks
from games.models import Audit, Match, Outage, Seat, Sweep, TimeOut, Turn
from games.services.clocks import outages, time_outs
from games.services.mail import delivery
from games.services.operation import admin_actions
from games.services.play.match_transaction import MatchTransaction
from tests.factories import (
    PASSWORD,
    asked,
    browser_of,
    fresh,
    member,
    seat,
    seated,
)
from tests.games.operation.pages import PAGE, answer, beat, message_of, run_out, swept, text
from tests.mailing import deliver


@pytest.fixture
def root(db):
    return User.objects.create_superuser("root", "root@example.org", PASSWORD)


@pytest.fixture
def admins(root):
    return browser_of(root)


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


def crowd(ann, number: int = time_outs.FUSE_LEAST + 1) -> list[Match]:
    """More matches with a clock that ran out than the fuse lets through."""
    people = [member(f"crowd{n}") for n in range(2)]
    matches = [seated(*people) for _ in range(number)]
    run_out(*matches)
    return matches


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
    assert "no longer stops this sweep" in text(again)
    assert Audit.objects.count() == 1


def test_only_a_stopped_sweep_is_let_go_on(admins, root):
    sweep = Sweep.objects.create(due=3)
    assert admins.post(f"{PAGE}sweeps/{sweep.pk}/release/", answer(root)).status_code == 409
    assert Sweep.objects.get().released_at is None


@pytest.mark.outgrown
def test_the_fuse_closes_when_nothing_is_due_any_more(blown):
    Seat.objects.filter(deadline__isnull=False).update(deadline=site_clock.now() + timedelta(days=1))
    assert time_outs.sweep()[0].due == 0
    assert outages.stopped_sweep() is None
    assert time_outs.sweep() == (None, [])
    run_out(*Match.objects.all())
    again, _ = time_outs.sweep()
    assert (again.stopped, again.told_at) == (True, None)
    assert again != blown


@pytest.mark.outgrown
def test_a_blown_fuse_is_mailed_once(root, blown, settings, ann):
    User.objects.create_superuser("unconfirmed", "", PASSWORD)
    french = User.objects.create_superuser("chef", "chef@example.org", "x", language="fr")
    settings.ALARM_ADDRESSES = ["ops@example.org", "ROOT@example.org"]
    assert admin_actions.tell_of_fuse(sweep_id=blown.pk) == 3
    assert admin_actions.tell_of_fuse(sweep_id=blown.pk) == 0
    assert sorted(mail.to[0] for mail in deliver()) == [french.email, "ops@example.org", root.email]
    subjects = {mail.to[0]: mail.subject for mail in deliver()}
    assert subjects[root.email] == "The fuse has blown: 21 matches are due"
    assert subjects[french.email] == "Le fusible a sauté : 21 parties à juger"
    assert all(PAGE in mail.body and PAGE in mail.alternatives[0].content for mail in deliver())
    assert ann.email not in subjects


@pytest.mark.outgrown
def test_one_refused_mail_stops_no_other(root, blown, monkeypatch):
    User.objects.create_superuser("second", "second@example.org", "x")
    assert admin_actions.tell_of_fuse(sweep_id=blown.pk) == 2
    hand_over = delivery._hand_over

    def refuses(message, *rest):
        if message.to == [root.email]:
            raise ValueError("no such mailbox")
        hand_over(message, *rest)

    monkeypatch.setattr(delivery, "_hand_over", refuses)
    deliver()
    assert Sweep.objects.get().told_at is not None
    assert [one.to for one in deliver()] == [["second@example.org"]]


def away(*rest):
    raise OSError("away")


def test_with_no_mail_out_it_is_sent_later(root, blown, monkeypatch, clock):
    assert admin_actions.tell_of_fuse(sweep_id=blown.pk) == 1
    with monkeypatch.context() as patch:
        patch.setattr(delivery, "_hand_over", away)
        assert deliver() == []
    clock.forward(61)
    assert [one.to for one in deliver()] == [[root.email]]


def test_the_worker_tells_when_it_sweeps(root, blown):
    tasks.sweep_clocks()
    tasks.sweep_clocks()
    assert [one.to for one in deliver()] == [[root.email]]


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


@pytest.mark.outgrown
def test_an_undo_that_fails_at_one_match_goes_on(admins, root, match, ann, bob):
    other = seated(ann, bob)
    turns = other.turns
    run_out(match, other)
    sweep = swept()
    TimeOut.objects.filter(match=match).update(before={})
    done = admins.post(f"{PAGE}sweeps/{sweep.pk}/undo/", answer(root))
    assert message_of(done) == "Restored: 1. Seat returned: 0. Left as it is: 0. Failed: 1."
    assert fresh(other).turns == turns


@pytest.mark.outgrown
def test_a_match_set_aside_is_looked_at_again(admins, root, match, monkeypatch):
    run_out(match)
    beat()

    def breaks(*args):
        raise KeyError("planted")

    monkeypatch.setattr(MatchTransaction, "__init__", breaks)
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


@pytest.mark.outgrown
def test_a_look_without_trouble_forgets_the_trouble(match):
    Match.objects.filter(pk=match.pk).update(troubled_at=site_clock.now() - timedelta(hours=1), trouble="x")
    run_out(match)
    swept()
    assert (fresh(match).troubled_at, fresh(match).trouble) == (None, "")
    assert Turn.objects.filter(match=match, by=Turn.By.CLOCK).exists()


@pytest.mark.outgrown
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


@pytest.mark.outgrown
def test_a_match_shows_its_clocks(admins, match):
    Seat.objects.filter(match=match, number=0).update(run_outs=1, absent=True)
    page = text(admins.get(reverse("admin:games_match_change", args=[match.pk])))
    for words in (
        "Time to think",
        "3 days a move",
        "Paused since",
        "Run-outs",
        "Runs out at",
        "Absent",
        "Set aside at",
    ):
        assert words in page, words
    assert seat(match, 0).run_outs == 1


@pytest.mark.outgrown
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
    rows = [(row.deed, row.outage or row.match or row.sweep, row.reason) for row in Audit.objects.order_by("pk")]
    told = dict(zip(words, ("time_all", "time", "release", "undo", "again"), strict=False))
    assert sorted(rows, key=str) == sorted(((deed, words[m], m) for m, deed in told.items()), key=str)
