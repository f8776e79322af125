"""Open pages of tournaments and ladders hear of what changes, by a ticket that is good for that alone."""

import json

import pytest
from asgiref.sync import sync_to_async

from games import broadcast
from games.competitions.models import Tournament
from games.competitions.services import correcting, entering
from games.ladders.services import standing
from tests.competitions.arranged import announced, begun, end_table, entered, organiser, people, running_tables
from tests.factories import browser_of, member
from tests.games.play.test_consumer import hears, opened_page, page
from tests.ladders.arranged import challenged, joined

pytestmark = pytest.mark.django_db(transaction=True)
in_thread = sync_to_async(thread_sensitive=True)


async def rings(name: str, act) -> bool:
    """Return whether a page that follows this hears that something changed when it is done."""
    async with page(f"series={broadcast.ticket_to(name)}") as socket:
        await opened_page(socket)
        await in_thread(act)()
        return await hears(socket) == {"series": True}


async def test_a_result_an_entry_and_a_correction_ring_the_pages_of_their_tournament():
    olga, ann = await in_thread(organiser)(), await in_thread(member)("ann")
    open_one = await in_thread(announced)(olga)
    assert await rings(f"tournament.{open_one.pk}", lambda: entered(open_one, [ann]))
    running = await in_thread(lambda: begun(olga, people(4), name="Other"))()
    name = f"tournament.{running.pk}"
    assert await rings(name, lambda: end_table(running_tables(running)[0]))
    about = {"tournament_id": running.pk, "user": olga, "reason": "ill"}
    assert await rings(name, lambda: correcting.extend(days=2, **about))
    withdrawn = await in_thread(lambda: running.entrants.first().user)()
    assert await rings(name, lambda: entering.withdraw(tournament_id=running.pk, user=withdrawn))


async def test_places_and_challenges_ring_the_pages_of_their_ladder():
    ann, bob, cem = [await in_thread(member)(name) for name in ("ann", "bob", "cem")]
    await in_thread(joined)([ann, bob])
    assert await rings("ladder.yum-extra", lambda: challenged(bob, ann))
    assert await rings("ladder.yum-extra", lambda: standing.join(game_slug="yum-extra", user=cem, at_once=1))


async def test_who_is_challenged_hears_that_something_waits():
    ann, bob = [await in_thread(member)(name) for name in ("ann", "bob")]
    await in_thread(joined)([ann, bob])
    async with page(person=ann) as socket:
        await opened_page(socket)
        assert await hears(socket) == {"waiting": 0}
        await in_thread(challenged)(bob, ann)
        assert await hears(socket) == {"waiting": 0}  # asked for anew: the page renews what waits


@pytest.mark.parametrize(
    "ticket",
    ["", "tournament.1", "x:y:z", broadcast.signing.dumps("tournament.1")],
    ids=["none", "bare", "odd", "other salt"],
)
async def test_a_ticket_that_the_site_did_not_write_subscribes_to_nothing(ticket):
    assert broadcast.named_by(ticket) == ""
    async with page(f"series={ticket}") as socket:
        await opened_page(socket)
        await in_thread(broadcast.series_changed)("tournament.1")
        assert "who" in json.loads(await socket.receive_from(timeout=5))
        assert await socket.receive_nothing(timeout=0.5)


def test_the_mark_is_another_when_the_page_is_and_is_for_who_may_see():
    olga, ann, eve = organiser(), member("ann"), member("eve")
    tournament = announced(olga, access="link")
    path = f"/tournaments/{tournament.pk}/?mark=1"
    browser = browser_of(olga)
    before = browser.get(path).content
    assert browser.get(path).content == before
    assert before.decode() in browser.get(f"/tournaments/{tournament.pk}/").content.decode()
    entered(tournament, [ann])
    assert browser.get(path).content != before
    assert browser_of(eve).get(path).status_code == 404
    assert browser_of(eve).get(f"/tournaments/link/{tournament.token}/?mark=1").status_code == 200
    Tournament.objects.filter(pk=tournament.pk).update(organiser=ann)
    assert browser.get(path).status_code == 404


def test_the_mark_of_a_ladder():
    ann, bob = member("ann"), member("bob")
    marks = []
    for act in (lambda: None, lambda: joined([ann, bob]), lambda: challenged(bob, ann), lambda: None):
        act()
        marks.append(browser_of().get("/ladders/yum-extra/?mark=1").content)
    assert len(set(marks)) == 3 and marks[-1] == marks[-2]
