"""The operation page: who may, what it shows, and that each button does what it says, once, with a reason."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from config.lib import clock as site_clock
from games.models import Heartbeat, Match, Outage, Sweep, TimeOut
from games.services.clocks import outages
from games.services.operation.site_status import FIGURES, Figure, match_figures, pulses
from tests.factories import (
    PASSWORD,
    browser_of,
    member,
    seated,
    snapshot,
)
from tests.games.operation.pages import ALL, PAGE, answer, beat, run_out, swept, text


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


def addresses(match: Match, sweep: Sweep) -> list[str]:
    return [
        PAGE,
        ALL,
        f"{PAGE}matches/give-time/?match={match.pk}",
        f"{PAGE}matches/{match.pk}/again/",
        f"{PAGE}mails/resume/",
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
    assert "only works through the site’s buttons" in text(refused)


def test_what_does_not_exist(admins):
    for address in ("matches/77/again/", "sweeps/77/release/", "sweeps/77/undo/", f"sweeps/{10**30}/undo/"):
        assert admins.post(PAGE + address, {"reason": "x", "last": 0}).status_code == 404, address
    assert admins.post(f"{PAGE}matches/{10**30}/again/").status_code == 404


def test_a_site_at_rest(admins):
    beat()
    page = text(admins.get(PAGE))
    for words in ("every clock that ran out has been handled", "no sweep failed", "no clock has run out"):
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
    assert page.count("due: the next sweep handles it") == 1
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
