"""What sockets may take: messages of a person, sockets of a person and of an address, and what reaches others."""

import asyncio
import json

import pytest

from config.lib.crowds import SAVED, address_of
from games.services.play import presence
from games.sockets.page import crowd
from tests.games.play.test_consumer import closed, hears, opened_page, page, people, running

pytestmark = pytest.mark.django_db(transaction=True)
TOO_MUCH = 4429


async def test_many_messages_of_one_player_reach_others_a_few_times_and_end_the_socket():
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with page(f"match={match.pk}", bob) as others, page(f"match={match.pk}", ann) as own:
        await opened_page(others)
        await opened_page(own)
        for number in range(200):
            await own.send_to(json.dumps({"here": number % 2 == 0}))
        assert await closed(own) == TOO_MUCH
        told = 0
        while not await others.receive_nothing(timeout=presence.HERE_SECONDS + 1):
            told += "here" in await hears(others)
        assert 1 <= told <= 6  # 2 s apart, and one at the start


async def test_a_page_that_reports_as_pages_do_stays_open(settings):
    (ann,) = await people("ann")
    match = await running(ann, bots=["easy"])
    async with page(f"match={match.pk}", ann) as own:
        await opened_page(own)
        for _ in range(int(settings.FRAMES_A_SECOND * SAVED) - 10):
            await own.send_to(json.dumps({"here": True}))
        assert "version" in await hears(own)
        while not await own.receive_nothing(timeout=0.5):
            assert (await own.receive_output())["type"] == "websocket.send"


@pytest.mark.parametrize("limit", ["SOCKETS_OF_PERSON", "SOCKETS_OF_ADDRESS"])
async def test_sockets_beyond_the_limit_are_closed_with_the_reason(settings, limit):
    setattr(settings, limit, 2)
    ann, bob = await people("ann", "bob")
    async with page("", ann) as first, page("", ann) as second, page("", ann) as third, page("", bob) as other:
        await opened_page(first)
        await opened_page(second)
        await opened_page(third)
        assert await closed(third) == TOO_MUCH
        await opened_page(other)
        if limit == "SOCKETS_OF_ADDRESS":
            assert await closed(other) == TOO_MUCH
        else:
            assert "waiting" in await hears(other)
        await first.disconnect()
        async with page("", ann) as again:
            await opened_page(again)
            assert "waiting" in await hears(again)
    await asyncio.sleep(0)
    assert not crowd._names and not crowd._numbers


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client", "address"),
    [
        (0, "9.9.9.9", "1.2.3.4", "1.2.3.4"),
        (1, "6.6.6.6, 9.9.9.9", "1.2.3.4", "9.9.9.9"),
        (2, "9.9.9.9, 8.8.8.8", "1.2.3.4", "9.9.9.9"),
        (1, "", "1.2.3.4", "1.2.3.4"),
        (0, "", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        (0, "", "::ffff:1.2.3.4", "1.2.3.4"),
        (1, "::ffff:9.9.9.9", "1.2.3.4", "9.9.9.9"),
        (1, "junk", "1.2.3.4", ""),  # and not the proxy's own
        (1, "6.6.6.6,", "1.2.3.4", ""),
        (1, "6.6.6.6, ,", "1.2.3.4", ""),
        (2, "6.6.6.6", "1.2.3.4", ""),
        (1, "9.9.9.9:4711", "1.2.3.4", "9.9.9.9"),
        (1, "[2001:db8:1:2:3::4]:4711", "1.2.3.4", "2001:db8:1:2::/64"),
        (0, "", "fe80::1%eth0", "fe80::/64"),
    ],
)
def test_where_a_socket_comes_from(settings, proxies, forwarded, client, address):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    assert address_of({"headers": headers, "client": [client, 1]}) == address


async def test_presence_fades(clock):
    nobodys = 10**9  # no other test's match, in which somebody may still be here
    await presence.arrive(nobodys, 0)
    assert await presence.here(nobodys) == [0]
    clock.forward(presence.STAYS + 1)
    assert await presence.here(nobodys) == []
