"""What a player takes back rings the other pages, of the match and elsewhere."""

import json

import pytest

from games.queries import play
from games.services.play import moves, returning
from tests.factories import asked
from tests.games.play.test_consumer import hears, in_thread, opened_page, page, people, running

pytestmark = pytest.mark.django_db(transaction=True)


async def quiet(socket) -> list[dict]:
    """Return all that is said until nothing more comes."""
    said = []
    while not await socket.receive_nothing(0.5):
        said.append(json.loads(await socket.receive_from()))
    return [one for one in said if "who" not in one]


@pytest.mark.parametrize("propose", [moves.wish_call_off, moves.wish_pause])
async def test_who_takes_a_proposal_back_rings_all_pages(propose):
    """Of the match, and those elsewhere of who was asked, where it stood among what waits."""
    ann, bob, cem = await people("ann", "bob", "cem")
    match = await running(ann, bob, cem)
    await in_thread(propose)(match_id=match.pk, user=ann, wish=True)
    async with page(f"match={match.pk}") as watching, page("lobby=1", bob) as elsewhere:
        for socket in (watching, elsewhere):
            await opened_page(socket)
            await quiet(socket)
        await in_thread(propose)(match_id=match.pk, user=ann, wish=False)
        assert await hears(watching) == {"version": match.version + 2}
        waiting = await in_thread(play.waiting_count)(bob)
        assert await hears(elsewhere) == {"waiting": waiting}


async def test_who_takes_a_seat_back_rings_all_pages():
    ann, bob, cem = await people("ann", "bob", "cem")
    match = await running(ann, bob, cem)
    gone = await in_thread(asked)(match)
    left = match.seats.filter(number=gone.number)
    await in_thread(left.update)(bot="strong", left=1, left_at=match.turns, absent=True)
    async with page(f"match={match.pk}") as watching, page("lobby=1", gone.user) as elsewhere:
        for socket in (watching, elsewhere):
            await opened_page(socket)
            await quiet(socket)
        await in_thread(returning.take_back)(match_id=match.pk, user=gone.user)
        assert await hears(watching) == {"version": match.version + 1}
        assert await hears(elsewhere) == {"waiting": 1}
