"""What a stream tells, and what it tells again to who goes on."""

import asyncio
from random import Random

import pytest
from django.db.models import F

from accounts.models import User
from accounts.services import relationships
from config.lib import clock as site_clock
from games.api.models import Stream, StreamEvent
from games.api.services import streaming, tokens
from games.api.streams import live, rounds
from games.models import ChatLine, Match, Muted, Seat
from games.services.chat import lines
from games.services.lobby import closing, opening
from games.services.play import moves
from tests.api.streaming import in_thread, stream, token_of
from tests.factories import asked, fresh, opened, play_on, seated
from tests.games.play.test_consumer import people, running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.outgrown]


@in_thread
def make_move(match: Match) -> None:
    play_on(fresh(match), Random(1), turns=1)


@in_thread
def say(match: Match, person: User, text: str) -> ChatLine:
    seats = list(match.seats.select_related("user"))
    return lines.say(match=fresh(match), seats=seats, user=person, text=text)


async def test_what_is_current_is_told_first() -> None:
    ann, bob = await people("ann", "bob")
    match, table = await running(ann, bob), await in_thread(opened)(bob)
    await in_thread(opening.invite)(match_id=table.pk, user=bob, guests=[ann])
    async with stream(ann) as heard:
        assert heard.hello["reset"] is True
        invited, told = await heard.event("invitation"), await heard.next()
        assert (invited["match"], invited["state"]["status"]) == (table.pk, "open")
        assert told["match"] == match.pk
        assert told["type"] in ("turn", "match")
        assert told["state"]["version"] == (await in_thread(fresh)(match)).version
        assert "table" not in told
        await heard.quiet()


async def test_a_move_is_told_to_both_as_a_fresh_read_shows_it() -> None:
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with stream(ann, "tables=1") as one, stream(bob) as other:
        first, second = await one.next(), await other.next()
        assert {first["type"], second["type"]} == {"turn", "match"}
        assert first["table"]["id"] == match.pk
        assert first["table"]["view"]["you"] == first["state"]["you"]
        mover = await in_thread(asked)(match)
        await make_move(match)
        async with asyncio.timeout(2):
            told = [await one.next(), await other.next()]
        for event in told:
            assert event["state"]["version"] > first["state"]["version"]
            assert event["state"]["last"]["seat"] == mover.number
        asks = [event["state"]["ask"] for event in told if event["type"] == "turn"]
        assert asks == [(await in_thread(asked)(match)).ask]


async def test_chat_is_told_once_and_to_whom_it_is_open() -> None:
    ann, bob, cem = await people("ann", "bob", "cem")
    match = await running(ann, bob)
    async with stream(ann) as one, stream(bob) as other, stream(cem) as stranger:
        await one.next(), await other.next()
        line = await say(match, bob, "hello @ann")
        assert (await one.until("mention"))["line"]["text"] == "hello @ann"
        mine = await other.until("chat")
        assert (mine["line"]["id"], mine["line"]["name"], mine["match"]) == (line.pk, "bob", match.pk)
        await stranger.quiet()
        await in_thread(ChatLine.objects.filter(pk=line.pk).update)(hidden=True)
        number = one.last
        await one.quiet()
    async with stream(await token_of(ann)) as again:
        await again.next()
        await again.quiet()
    assert number


async def test_lines_of_who_is_muted_or_blocked_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.3)
    ann, bob, cem = await people("ann", "bob", "cem")
    match = await running(ann, bob, cem)
    async with stream(ann) as heard:
        await heard.next()
        await in_thread(Muted.objects.create)(user=ann, person=bob)
        await in_thread(relationships.block)(blocker=ann, blocked=cem)
        for person in (bob, cem):
            await in_thread(ChatLine.objects.create)(match=match, channel="players", user=person, text="boo")
        await heard.quiet(1)


async def test_an_invitation_and_its_end() -> None:
    ann, bob = await people("ann", "bob")
    table = await in_thread(opened)(bob)
    async with stream(ann) as heard:
        await in_thread(opening.invite)(match_id=table.pk, user=bob, guests=[ann])
        assert (await heard.event("invitation"))["match"] == table.pk
        await in_thread(closing.leave)(match_id=table.pk, user=bob)
        assert (await heard.event("invitation_over"))["match"] == table.pk
        await heard.quiet()


async def test_a_seat_that_is_lost() -> None:
    ann, bob = await people("ann", "bob")
    table = await in_thread(opened)(bob)
    await in_thread(opening.join)(match_id=table.pk, user=ann) if table.size > 2 else None
    async with stream(bob) as heard:
        await heard.next()
        await in_thread(closing.leave)(match_id=table.pk, user=bob)
        told = await heard.next()
        assert told["match"] == table.pk
        assert told["type"] == "gone" or told["state"]["ending"] == "closed"


async def test_going_on_after_a_number_tells_what_was_missed_alone() -> None:
    ann, bob = await people("ann", "bob")
    match, other = await running(ann, bob), await running(ann, bob)
    secret = await token_of(ann)
    async with stream(secret) as heard:
        known = {(await heard.next())["match"] for _ in range(2)}
        assert known == {match.pk, other.pk}
        last = heard.last
    await make_move(match)
    line = await say(match, bob, "while you were away")
    async with stream(secret, f"after={last}") as heard:
        assert heard.hello["reset"] is False
        told = [await heard.next(), await heard.next()]
        assert [(one["type"] in ("turn", "match"), one["match"]) for one in told] == [
            (True, match.pk),
            (False, match.pk),
        ]
        assert told[1]["line"]["id"] == line.pk
        await heard.quiet()
        last = heard.last
    async with stream(secret, last_event_id=str(last)) as heard:
        await heard.quiet()
    async with stream(secret, f"after={told[0]['number']}") as heard:
        assert (await heard.event("chat"))["line"]["id"] == line.pk
        await heard.quiet()


async def test_a_number_that_is_too_old_or_unknown_begins_anew() -> None:
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    secret = await token_of(ann)
    async with stream(secret) as heard:
        await heard.next()
        await say(match, bob, "one")
        await heard.event("chat")
        last = heard.last
    for after in (1, last + 1000):
        async with stream(secret, f"after={after}") as heard:
            assert heard.hello["reset"] is True
            assert (await heard.next())["match"] == match.pk
            await heard.quiet()  # no line: it was told


async def test_a_match_that_begins_and_ends_unheard_is_told_of() -> None:
    ann, bob = await people("ann", "bob")
    secret = await token_of(ann)
    async with stream(secret) as heard:
        last = heard.hello["number"]
    match = await running(ann, bob)
    await in_thread(moves.resign)(match_id=match.pk, user=bob)
    async with stream(secret, f"after={last}") as heard:
        told = await heard.event("match")
        assert (told["match"], told["state"]["status"]) == (match.pk, "ended")
        await heard.quiet()


async def test_a_lost_ring_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.5)
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with stream(ann) as heard:
        version = (await heard.next())["state"]["version"]
        await in_thread(Match.objects.filter(pk=match.pk).update)(version=F("version") + 1)
        assert (await heard.next())["state"]["version"] == version + 1
        await in_thread(ChatLine.objects.create)(match=match, channel="players", user=bob, text="unheard")
        assert (await heard.event("chat"))["line"]["text"] == "unheard"
        await heard.quiet(1.2)


async def test_a_line_whose_number_is_lower_than_one_already_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two writers who overlap, the later number may be stored first."""
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.3)
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    late = await say(match, bob, "is being stored")
    number, text = late.pk, late.text
    await in_thread(late.delete)()
    secret = await token_of(ann)
    await in_thread(Stream.objects.create)(
        token=await in_thread(ann.api_tokens.get)(), number=1, kept_from=1, line=number - 1, holder=""
    )
    async with stream(secret) as heard:
        await heard.next()
        await say(match, bob, "stored before")
        assert (await heard.event("chat"))["line"]["text"] == "stored before"
        storing = ChatLine(pk=number, match=match, channel="players", user=bob, text=text)
        await in_thread(storing.save)(force_insert=True)
        assert (await heard.event("chat"))["line"]["text"] == text
        await heard.quiet(0.8)


async def test_who_may_no_longer_see_is_told_without_it() -> None:
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    secret = await token_of(ann)
    async with stream(secret) as heard:
        await heard.next()
        last = heard.last
    await in_thread(Match.objects.filter(pk=match.pk).update)(access="invitation", version=F("version") + 1)
    await say(match, bob, "secret words")

    def lose() -> None:
        token = Stream.objects.get().token_id
        look = streaming.Look([token], site_clock.now(), 0)
        assert len(streaming.write(look)[token]) == 2
        Seat.objects.filter(match=match, user=ann).update(user=None, bot="easy")

    await in_thread(lose)()
    async with stream(secret, f"after={last}&tables=1") as heard:
        told = [await heard.next() for _ in range(2)]
        assert not any(one.get("state") or one.get("table") or one.get("line") for one in told)
        assert {one["type"] for one in told} == {"chat", "gone"}


async def test_many_matches_come_in_bursts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "OF_ONE", 3)
    monkeypatch.setattr(rounds, "HEARD", 2)
    monkeypatch.setattr(live, "HEARD", 2)
    monkeypatch.setattr(live, "BREATH_SECONDS", 0.05)
    ann, bob = await people("ann", "bob")
    matches = [await running(ann, bob) for _ in range(8)]
    async with stream(ann) as heard:
        told = [(await heard.next())["match"] for _ in range(8)]
        assert sorted(told) == sorted(match.pk for match in matches)
        await heard.quiet()
        one = next(iter(live.live().streams))
        assert len(one.heard) == 2


async def test_a_slow_program_is_not_sent_more_than_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BREATH_SECONDS", 0.05)
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    async with stream(ann) as heard:
        await heard.next()
        one = next(iter(live.live().streams))
        one._unsent = lambda: 10_000_000
        for number in range(5):
            await say(match, bob, f"line {number}")
        await heard.quiet(0.6)
        one._unsent = int
        assert [(await heard.event("chat"))["line"]["text"] for _ in range(5)] == [f"line {n}" for n in range(5)]
        one._unsent, one._stuck = lambda: 10_000_000, 100.0
        await one.beat()
        assert await heard.ended() == ("too_much", 4429)


async def test_lines_beyond_the_most_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "MOST_OVER", 3)
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    secret = await token_of(ann)
    async with stream(secret) as heard:
        await heard.next()
        last = heard.last
    for number in range(5):
        await in_thread(ChatLine.objects.create)(match=match, channel="players", user=bob, text=f"line {number}")
    async with stream(secret, f"after={last}") as heard:
        told = [(await heard.event("chat"))["line"]["text"] for _ in range(3)]
        assert told == ["line 2", "line 3", "line 4"]
        await heard.quiet()
    async with stream(secret, f"after={last}") as heard:
        assert heard.hello["reset"] is True


@pytest.mark.django_db(transaction=True)
def test_old_streams_and_events_are_forgotten(clock, ann: User, bob: User) -> None:
    match = seated(ann, bob)
    token, _secret = tokens.issue(user=ann, name="x", scopes=["read"], ends_at=None)
    taken = streaming.take(token.pk, "h", None)
    assert taken is not None
    ChatLine.objects.create(match=match, channel="players", user=bob, text="x")
    look = streaming.Look([token.pk], taken.since, 0)
    assert len(streaming.write(look)[token.pk]) == 2
    assert streaming.forget_old() == 0
    clock.forward(24 * 3600 + 60)
    streaming.settle([token.pk], 0)
    assert streaming.forget_old() == 1
    assert StreamEvent.objects.get().kind == "match"
    kept = streaming.take(token.pk, "h2", taken.number + 1)
    assert kept is not None
    assert kept.reset
    assert not streaming.write(streaming.Look([token.pk], taken.since, 0))
    clock.forward(24 * 3600 + 60)
    assert streaming.forget_old() > 0
    assert not Stream.objects.exists()
    anew = streaming.take(token.pk, "h3", taken.number + 1)
    assert anew is not None
    assert anew.reset
    assert anew.number > taken.number + 10


def test_too_many_events_are_trimmed(monkeypatch: pytest.MonkeyPatch, ann: User, bob: User) -> None:
    monkeypatch.setattr(streaming, "MOST_OVER", 4)
    monkeypatch.setattr(streaming, "TRIM_EVERY", 1)
    match = seated(ann, bob)
    token, _secret = tokens.issue(user=ann, name="x", scopes=["read"], ends_at=None)
    taken = streaming.take(token.pk, "h", None)
    assert taken is not None
    for number in range(10):
        ChatLine.objects.create(match=match, channel="players", user=bob, text=f"x{number}")
        assert len(streaming.write(streaming.Look([token.pk], taken.since, 0))[token.pk]) == (2 if not number else 1)
    assert StreamEvent.objects.filter(over=True).count() <= 5
    after = streaming.take(token.pk, "h", taken.number + 2)
    assert after is not None
    assert after.reset
