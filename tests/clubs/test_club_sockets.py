"""Pages of a club's match that are open hear no more at once when their person stops belonging to it."""

import pytest

from tests.clubs.arranged_for_play import club_match, club_of, club_table, removed
from tests.factories import asked, member, submit
from tests.games.play.by_socket import has_table, shows
from tests.games.play.test_consumer import NOT_FOUND, TRY_AGAIN, closed, in_thread, opened_page, page, people

pytestmark = pytest.mark.django_db(transaction=True)


async def of_the_club(*more: str):
    ann, bob, cem = await people("ann", "bob", "cem")
    club = await in_thread(club_of)(ann, bob, cem)
    return club, ann, bob, cem


async def test_members_watch_and_strangers_hear_nothing():
    club, ann, bob, cem = await of_the_club()
    eve = await in_thread(member)("eve")
    running, table = await in_thread(club_match)(club, ann, bob), await in_thread(club_table)(club, ann)
    for match in (running, table):
        for person in (None, eve):
            async with page(f"match={match.pk}", person) as socket:
                await opened_page(socket)
                assert await closed(socket) == NOT_FOUND
    async with page(shows(running, have=0), cem) as socket:
        assert "table" in await has_table(socket)


async def test_who_is_removed_is_closed_and_comes_back_to_nothing():
    club, ann, bob, cem = await of_the_club()
    match = await in_thread(club_match)(club, ann, bob)
    async with page(shows(match, have=0), cem) as socket:
        await has_table(socket)
        await in_thread(removed)(club, cem)
        assert await closed(socket) == TRY_AGAIN
    async with page(shows(match, have=0), cem) as socket:
        await opened_page(socket)
        assert await closed(socket) == NOT_FOUND


async def test_even_when_the_word_is_lost_no_table_is_sent_any_more():
    club, ann, bob, cem = await of_the_club()
    match = await in_thread(club_match)(club, ann, bob)
    async with page(shows(match, have=0), cem) as socket:
        await has_table(socket)
        await in_thread(club.memberships.filter(user=cem).delete)()
        seat = await in_thread(asked)(match)
        await in_thread(submit)(match, seat, {"type": "roll"})
        assert await closed(socket) == NOT_FOUND
