"""Tournaments in the admin: lists, the page of one, what was corrected, and those that a sweep set aside."""

import pytest

from games.competitions import tasks
from games.competitions.models import Tournament
from games.competitions.services import aside, correcting, rounds
from games.models import Audit
from tests.competitions.arranged import announced, begun, entered, now, play_to_the_end, running_tables
from tests.factories import browser_of, last_audit, snapshot

LIST = "/admin/competitions/tournament/"
OPERATION = "/admin/operation/"


def page_of(tournament) -> str:
    return f"{LIST}{tournament.pk}/change/"


@pytest.fixture
def several(mo, ann, bob, cem):
    """One that is announced, one that runs, one that is over."""
    coming = announced(mo, name="Coming Cup", format="knockout", seats=3, least=3)
    entered(coming, [ann])
    return (
        coming,
        begun(mo, [ann, bob], name="Running Cup"),
        play_to_the_end(begun(mo, [ann, bob, cem], name="Old Cup")),
    )


def names_in(text: str) -> set[str]:
    return {name for name in ("Coming Cup", "Running Cup", "Old Cup") if name in text}


@pytest.mark.thin(3)
@pytest.mark.outgrown
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"Coming Cup", "Running Cup", "Old Cup"}),
        ("?state__exact=open", {"Coming Cup"}),
        ("?state__exact=running", {"Running Cup"}),
        ("?format__exact=knockout", {"Coming Cup"}),
        ("?game_slug=yay", set()),
        ("?aside=1", set()),
        ("?q=MO", {"Coming Cup", "Running Cup", "Old Cup"}),
        ("?q=cem", {"Old Cup"}),
        ("?q=ann&state__exact=open", {"Coming Cup"}),
        ("?q=nobody", set()),
        ("?q=%00", {"Coming Cup", "Running Cup", "Old Cup"}),
    ],
)
def test_the_list(root, several, query, found):
    page = browser_of(root).get(LIST + query)
    assert page.status_code == 200
    assert names_in(page.content.decode()) == found


def test_one_is_found_by_its_number(root, several):
    assert names_in(browser_of(root).get(f"{LIST}?q={several[1].pk}").content.decode()) == {"Running Cup"}


@pytest.mark.thin(2)
@pytest.mark.parametrize("query", ["server_seed=1", "organiser__email=x", "token=x", "state__exact=running&p=x", "o=x"])
def test_what_the_list_does_not_ask(root, several, query):
    page = browser_of(root).get(f"{LIST}?{query}")
    assert page.status_code in (200, 302, 400), query
    assert page.status_code != 200 or "=x" in query


def test_the_page_of_one(root, several):
    coming, _running, over = several
    for one in several:
        page = browser_of(root).get(page_of(one))
        assert page.status_code == 200
        text = page.content.decode()
        assert f"/tournaments/{one.pk}/" in text
        assert bytes(one.server_seed).hex() not in text
        assert one.token not in text
    assert "Knock-out by tables" in browser_of(root).get(page_of(coming)).content.decode()
    assert over.state == Tournament.State.OVER


def test_its_corrections_stand_there(root, mo, ann, bob, cem):
    tournament = begun(mo, [ann, bob, cem])
    correcting.void_table(
        tournament_id=tournament.pk, user=mo, table_id=running_tables(tournament)[0].pk, reason="they mistook <it>"
    )
    text = browser_of(root).get(page_of(tournament)).content.decode()
    assert "a table was voided" in text
    assert "they mistook &lt;it&gt;" in text


def test_nothing_is_changed_there(root, several):
    before = snapshot()["competitions.Tournament"]
    client = browser_of(root)
    for address in (page_of(several[0]), f"{LIST}add/", f"{LIST}{several[0].pk}/delete/", LIST):
        data = {"state": "over", "post": "yes", "action": "delete_selected", "_selected_action": [several[0].pk]}
        assert client.post(address, data).status_code in (200, 302, 403), address
        assert snapshot()["competitions.Tournament"] == before
    assert client.get(f"{LIST}add/").status_code == 403


def test_moderators_look_and_members_do_not(mo, ann, several):
    assert names_in(browser_of(mo).get(LIST).content.decode()) == {"Coming Cup", "Running Cup", "Old Cup"}
    assert browser_of(mo).get(page_of(several[0])).status_code == 200
    assert LIST in browser_of(mo).get("/admin/").content.decode()
    for address in (LIST, page_of(several[0])):
        assert browser_of(ann).get(address).status_code == 302
    for model in ("entrant", "round", "table", "place", "correction"):
        assert browser_of(mo).get(f"/admin/competitions/{model}/").status_code == 404


@pytest.fixture
def troubled(several, monkeypatch):
    """A tournament at which the sweep failed."""
    running = several[1]
    monkeypatch.setattr(rounds, "due", lambda: Tournament.objects.filter(pk=running.pk))
    with monkeypatch.context() as broken:
        broken.setattr(rounds, "tend", lambda number: 1 / 0)
        tasks.tend()
    assert now(running).trouble == "ZeroDivisionError"
    return now(running)


def test_one_set_aside_is_on_the_operation_page(root, troubled):
    client = browser_of(root)
    text = client.get(OPERATION).content.decode()
    assert f"Running Cup ({troubled.pk})" in text
    assert "ZeroDivisionError" in text
    assert names_in(client.get(f"{LIST}?aside=1").content.decode()) == {"Running Cup"}
    answer = client.post(f"{LIST}{troubled.pk}/again/", follow=True)
    assert "The next sweep looks at the tournament “Running Cup” again." in answer.content.decode()
    assert (last_audit().deed, last_audit().details) == ("again", f"Running Cup ({troubled.pk})")
    assert "look again at what was set aside" in answer.content.decode()
    assert now(troubled).troubled_at is None
    again = client.post(f"{LIST}{troubled.pk}/again/", follow=True)
    assert "is not set aside any more" in again.content.decode()
    assert Audit.objects.count() == 1


def test_one_that_is_tended_well_is_set_aside_no_more(troubled, clock, root):
    tasks.tend()
    assert now(troubled).troubled_at is not None  # for a while it is left alone
    clock.forward(aside.ASIDE.total_seconds() + 1)
    tasks.tend()
    assert now(troubled).troubled_at is None
    assert list(aside.set_aside()) == []
    assert "None: no sweep failed at a tournament." in browser_of(root).get(OPERATION).content.decode()


def test_one_that_is_over_is_set_aside_no_more(troubled):
    Tournament.objects.filter(pk=troubled.pk).update(state="over", ended_at=troubled.troubled_at)
    assert list(aside.set_aside()) == []


def test_moderators_do_not_run_the_site(mo, ann, troubled):
    address = f"{LIST}{troubled.pk}/again/"
    assert browser_of(mo).post(address).status_code == 403
    assert browser_of(ann).post(address).status_code == 302
    assert browser_of(mo).get(address).status_code == 405
    assert now(troubled).troubled_at is not None


def test_an_unknown_one(root):
    for number in (999, 10**30):
        assert browser_of(root).post(f"{LIST}{number}/again/").status_code == 404
