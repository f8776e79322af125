"""Who is let in to a stream, and how everybody else is told."""

import asyncio
import contextlib
from datetime import timedelta

import pytest

from accounts.models import User
from config.lib import clock as site_clock
from games.api.models import ApiToken, Stream
from games.api.services import tokens
from games.api.streams import socket
from tests.api.streaming import Heard, in_thread, stream, token_of
from tests.games.play.test_consumer import cookies_of, people

pytestmark = pytest.mark.django_db(transaction=True)


async def refused(heard: Heard) -> tuple[str, int]:
    assert (await heard.socket.connect(timeout=5))[0]
    ended = await heard.ended()
    await heard.socket.disconnect()
    return ended


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("Bearer", "token_missing"),
        ("Basic cy_x", "token_missing"),
        ("Bearer cy_none", "token_unknown"),
        ("Bearer " + "x" * 3000, "token_unknown"),
        ("Bearer \x00", "token_unknown"),
    ],
)
async def test_what_is_no_token(header: str, code: str) -> None:
    assert await refused(Heard(None, authorization=header)) == (code, 4401)


async def test_a_cookie_is_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "TOKEN_SECONDS", 0.2)
    (ann,) = await people("ann")
    heard = Heard(None, cookie=f"sessionid={await cookies_of(ann)}", origin="http://localhost")
    assert await refused(heard) == ("token_missing", 4401)


async def test_a_token_in_the_address_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "TOKEN_SECONDS", 0.2)
    (ann,) = await people("ann")
    assert await refused(Heard(None, f"token={await token_of(ann)}")) == ("token_missing", 4401)


@pytest.mark.parametrize("frame", ["no", "[]", "{}", '{"token": 7}', "[" * 3000, '{"beat": true}'])
async def test_a_first_frame_without_a_token(frame: str) -> None:
    heard = Heard(None)
    assert (await heard.socket.connect(timeout=5))[0]
    await heard.socket.send_to(text_data=frame)
    assert await heard.ended() == ("unreadable", 4400)
    await heard.socket.disconnect()


async def test_a_first_frame_of_half_a_character_is_no_token() -> None:
    heard = Heard(None)
    assert (await heard.socket.connect())[0]
    await heard.socket.send_to(text_data='{"token": "cy_\\ud800"}')
    assert await heard.ended() == ("token_unknown", 4401)


async def test_a_page_of_another_site_sends_the_token_first() -> None:
    (ann,) = await people("ann")
    heard = Heard(None, origin="https://elsewhere.example")
    assert (await heard.socket.connect(timeout=5))[0]
    await heard.socket.send_json_to({"token": await token_of(ann)})
    assert (await heard.next())["type"] == "hello"
    await heard.socket.disconnect()


async def test_scopes() -> None:
    (ann,) = await people("ann")
    assert await refused(Heard(await token_of(ann, ["message", "play"]))) == ("scope_missing", 4403)
    async with stream(await token_of(ann, ["bot"])) as heard:
        assert heard.hello["number"] > 0


async def test_a_token_that_has_ended() -> None:
    (ann,) = await people("ann")
    secret = await token_of(ann, ends_at=site_clock.now() - timedelta(seconds=1))
    assert await refused(Heard(secret)) == ("token_ended", 4401)


@pytest.mark.parametrize("after", ["x", "-1", "1.5", "9" * 30, "²"])
async def test_what_is_no_number(after: str) -> None:
    (ann,) = await people("ann")
    assert await refused(Heard(await token_of(ann), f"after={after}")) == ("unreadable", 4400)


async def test_the_words_are_in_the_language_asked_for() -> None:
    (ann,) = await people("ann")
    async with stream(ann) as heard:
        assert heard.hello["lang"] == "en"
    async with stream(ann, accept_language="fr") as heard:
        assert heard.hello["lang"] == "fr"
    async with stream(ann, "lang=fr") as heard:
        assert heard.hello["lang"] == "fr"
        assert {"now", "number", "build", "beat", "reset"} <= heard.hello.keys()


async def test_a_newer_connection_takes_the_place_of_the_older() -> None:
    (ann,) = await people("ann")
    secret = await token_of(ann)
    async with stream(secret) as first, stream(await token_of(ann)) as other, stream(secret) as second:
        assert await first.ended() == ("replaced", 4409)
        await second.quiet()
        await other.quiet(0.1)


async def test_of_many_at_once_one_stays() -> None:
    (ann,) = await people("ann")
    secret = await token_of(ann)
    all_of_them = [Heard(secret) for _ in range(5)]
    for heard in all_of_them:
        assert (await heard.socket.connect(timeout=5))[0]
    await asyncio.sleep(1.5)
    held = await in_thread(Stream.objects.get)()
    ended = []
    for heard in all_of_them:
        with contextlib.suppress(TimeoutError):
            ended.append(await asyncio.wait_for(heard.ended(), 0.3))
    assert ended == [("replaced", 4409)] * 4
    assert held.holder
    for heard in all_of_them:
        await heard.socket.disconnect()


def _end(person: User) -> None:
    tokens.end_all(person)


def _ban(person: User) -> None:
    User.objects.filter(pk=person.pk).update(is_active=False)


def _lapse(person: User) -> None:
    ApiToken.objects.filter(user=person).update(ends_at=site_clock.now() - timedelta(seconds=1))


def _narrow(person: User) -> None:
    ApiToken.objects.filter(user=person).update(scopes=["message"])


def _close(person: User) -> None:
    person.delete()


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        (_end, "token_unknown"),
        (_ban, "token_unknown"),
        (_close, "token_unknown"),
        (_lapse, "token_ended"),
        (_narrow, "scope_missing"),
    ],
)
async def test_who_may_no_longer_is_closed_at_the_next_look(
    deed: object, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.api.streams.live.LOOK_SECONDS", 0.3)
    (ann,) = await people("ann")
    async with stream(ann) as heard:
        await in_thread(deed)(ann)
        assert (await heard.ended())[0] == code


async def test_an_ended_token_is_closed_at_once() -> None:
    (ann,) = await people("ann")
    async with stream(ann) as heard:
        await in_thread(tokens.end)(user=ann, token_id=(await in_thread(ApiToken.objects.get)()).pk)
        async with asyncio.timeout(2):
            assert await heard.ended() == ("token_unknown", 4401)


@pytest.mark.parametrize("limit", ["person", "address", "minute"])
async def test_connections_beyond_the_limit(settings, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    ann, bob = await people("ann", "bob")
    if limit == "address":
        settings.SOCKETS_OF_ADDRESS = 2
    else:
        monkeypatch.setattr(socket, {"person": "OF_PERSON", "minute": "A_MINUTE"}[limit], 2)
        monkeypatch.setattr(socket, "_comings", {})
    async with stream(ann), stream(ann):
        assert await refused(Heard(await token_of(ann))) == ("too_much", 4429)
        if limit != "address":
            async with stream(bob):
                pass


async def test_a_program_that_sends_too_much() -> None:
    (ann,) = await people("ann")
    async with stream(ann) as heard:
        for _ in range(120):
            await heard.socket.send_to(text_data='{"x": 1}')
        assert await heard.ended() == ("too_much", 4429)


async def test_it_lives_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.api.streams.live.BEAT_SECONDS", 0.2)
    (ann,) = await people("ann")
    async with stream(ann) as heard:
        assert (await heard.socket.receive_json_from(timeout=2))["type"] == "beat"
