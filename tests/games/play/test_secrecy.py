"""Whatever the site shows a person of a running match is equal, to the byte, when only what that person
may not know is changed: the seed, others' nonces, orders and notes, and what the game itself hides."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from random import Random
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from channels.testing import WebsocketCommunicator
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse

from accounts.models import User
from config.asgi import application
from games import table
from games.models import Match, Seat
from games.post import Kind, Letter, Notice
from games.queries import all_turns, seats_of
from games.rules import games, get_game
from games.services import lobby, writing
from games.services.writing import written
from games.table import headline, record_of, seat_of_viewer, table_for
from games.views import showing
from tests.factories import browser_of, fresh, member, play_on, seated, state_of
from tests.rules.secrets import TURN_VARIANTS, VARIANTS

pytestmark = pytest.mark.usefixtures("steady")

PAGES = ("match", "table", "log", "record")


@dataclass
class Viewer:
    """Somebody who looks at a match; `person` is None for a visitor."""

    name: str
    person: User | None

    def seat(self, match: Match):
        return seat_of_viewer(seats_of(match), self.person.pk if self.person else None)


def sights(match: Match, viewer: Viewer) -> dict[str, bytes]:
    """Everything that the site shows this person of the match, by name."""
    cache.clear()
    match, seats, seat = fresh(match), seats_of(match), viewer.seat(match)
    data = table_for(match, seats, seat, all_turns(match), since=2)
    shown = {
        "table as data": json.dumps(data).encode(),
        "headline": headline(data).encode(),
    }
    if match.state:
        shown["view"] = json.dumps(match.game.view(state_of(match), seat.number if seat else None)).encode()
    if match.status != Match.Status.ENDED:
        shown["record as data"] = json.dumps(record_of(match, seats)).encode()
    browser = browser_of(viewer.person)
    told = {0, 2, *range(match.turns - 4, match.turns + 1)}
    addresses = [reverse(name, args=[match.pk]) for name in PAGES]
    addresses += [reverse("replay", args=[match.pk, step]) for step in range(match.turns + 1) if step in told]
    addresses += ["/", "/play/", "/play/?fragment=1", "/matches/"]
    for address in addresses:
        answer = browser.get(address)
        shown[address] = bytes([answer.status_code % 100]) + answer.content
    refused = browser.post(
        reverse("move", args=[match.pk]), {"ask": "0", "key": "k", "move": '{"type": "x"}'}
    )
    shown["a refusal"] = bytes([refused.status_code % 100]) + refused.content
    if seat is not None:
        shown["mail"] = mail_to(match, seat)
    return shown


def mail_to(match: Match, seat: Seat) -> bytes:
    """A mail about the match to the seat's person, with all that one can tell, as it would leave now."""
    with transaction.atomic():
        letter = Letter(user_id=seat.user_id, match=match, kind=Kind.TURN, message_id="one")
        letter.save()
        kind = Kind.TURN if seat.ask else Kind.VACATION
        notice = Notice.objects.create(
            user_id=seat.user_id, match=match, kind=kind, ask=seat.ask or 0, letter=letter
        )
        message = written(letter, ((notice.pk,), ()))
        transaction.set_rollback(True)
    words = [message.subject, message.body, message.alternatives[0][0], *message.extra_headers.values()]
    return json.dumps([str(part) for part in words]).encode()


@contextmanager
def changed(match: Match, **fields) -> Iterator[None]:
    """The match with other fields, as long as this lasts."""
    before = Match.objects.filter(pk=match.pk).values(*fields).get()
    Match.objects.filter(pk=match.pk).update(**fields)
    yield
    Match.objects.filter(pk=match.pk).update(**before)


@contextmanager
def others_changed(match: Match, viewer: Viewer, **fields) -> Iterator[None]:
    """The match with other fields in all seats but the viewer's, as long as this lasts."""
    own = viewer.seat(match)
    others = match.seats.exclude(pk=own.pk if own else None)
    before = {row["pk"]: row for row in others.values("pk", *fields)}
    others.update(**fields)
    yield
    for key, row in before.items():
        match.seats.filter(pk=key).update(**{name: row[name] for name in fields})


@contextmanager
def turns_changed(match: Match, turns: dict[int, dict[str, Any]]) -> Iterator[None]:
    """The match with those turns made otherwise, as long as this lasts."""
    before = {turn.number: turn for turn in all_turns(match)}
    for number, fields in turns.items():
        match.log.filter(number=number).update(**fields)
    yield
    for number, fields in turns.items():
        match.log.filter(number=number).update(**{name: getattr(before[number], name) for name in fields})


Change = tuple[str, Callable[[], AbstractContextManager[None]]]
"""What differs, and what makes it so for a while."""


def variants(match: Match, viewer: Viewer) -> list[list[Change]]:
    """Changes of what the viewer may not know, in groups: each group is of different things, made at once."""
    fields: list[Change] = [
        ("the seed", partial(changed, match, server_seed=bytes(range(32)))),
        ("the link", partial(changed, match, token="another token")),
        ("others' nonces", partial(others_changed, match, viewer, nonce="another nonce")),
        (
            "others' orders",
            partial(others_changed, match, viewer, orders={"pass_always": True, "keep_extra": True}),
        ),
        ("others' notes", partial(others_changed, match, viewer, notes="other <b>notes</b>")),
        ("what others have seen", partial(others_changed, match, viewer, seen=1)),
    ]
    if not match.state:
        return [fields]
    own = viewer.seat(match)
    number = own.number if own else None
    states: list[Change] = [
        ("the hidden state", partial(changed, match, state=match.game.dump(state)))
        for state in VARIANTS[match.game_slug](state_of(match), number)
    ]
    turns: list[Change] = [
        ("the hidden turns", partial(turns_changed, match, made))
        for made in TURN_VARIANTS[match.game_slug](list(all_turns(match)), number)
    ]
    pairs = [[one for one in pair if one] for pair in zip_longest(states, turns)]
    return [fields + pair for pair in pairs[:1] or [[]]] + pairs[1:]


def leaks(match: Match, viewers: list[Viewer], look=sights) -> set[tuple[str, str, str]]:
    """(what differs, who sees it, where) for everything that tells a secret.

    A group that shows nothing at once shows nothing singly; of one that does, each change is looked at.
    """
    found = set()
    for viewer in viewers:
        true = look(match, viewer)

        def seen(changes: list[Change], true=true, viewer=viewer) -> set[str]:
            with ExitStack() as made:
                for _what, change in changes:
                    made.enter_context(change())
                other = look(match, viewer)
            return {where for where in true if true[where] != other[where]}

        for group in variants(match, viewer):
            together = seen(group)
            if together:
                singly = {(what, where) for what, change in group for where in seen([(what, change)])}
                unexplained = together - {where for _what, where in singly}
                singly |= {("several at once", where) for where in unexplained}
                found |= {(what, viewer.name, where) for what, where in singly}
    return found


@pytest.fixture
def viewers(ann, bob, cem) -> list[Viewer]:
    return [Viewer("seat 0", ann), Viewer("seat 1", bob), Viewer("a watcher", cem), Viewer("a visitor", None)]


def match_of(slug: str, ann, bob, turns: int) -> Match:
    bots = ["easy"][: get_game(slug).max_seats - 2]
    match = play_on(seated(ann, bob, bots=bots, game_slug=slug), Random(91), turns=turns)
    match.seats.filter(number=0).update(notes="Ann's notes", orders={"pass_always": True}, seen=3)
    match.seats.filter(number=1).update(notes="Bob's notes", orders={}, seen=turns)
    return fresh(match)


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("turns", [3, 12])
def test_a_running_match_tells_no_secret(slug, turns, ann, bob, viewers):
    match = match_of(slug, ann, bob, turns)
    assert match.status == Match.Status.RUNNING
    assert leaks(match, viewers) == set()


def yam_at(ann, bob, moment) -> Match:
    """A match of YAM menteur in which all have thrown, at the first such moment."""
    for seed in range(200):
        match = seated(ann, bob, bots=["easy"], game_slug="yam-menteur")
        match = play_on(match, Random(seed), turns=40, until=lambda m: m.turns > 14 and moment(state_of(m)))
        if moment(state_of(match)):
            break
    match.seats.filter(number=0).update(orders={"believe_up_to": 20, "doubt": ["yam"]}, seen=9)
    return fresh(match)


@pytest.mark.parametrize("thrower", [0, 1, 2])
@pytest.mark.parametrize(
    "moment",
    [lambda state: state.tries == 2, lambda state: len(state.answered) == 1],
    ids=["thrown", "answered"],
)
def test_cups_and_sealed_answers_tell_nothing(ann, bob, viewers, moment, thrower):
    match = yam_at(ann, bob, lambda state: state.thrower == thrower and moment(state))
    assert moment(state_of(match))
    assert len(list(VARIANTS["yam-menteur"](state_of(match), None))) > 1
    assert leaks(match, viewers) == set()


def test_a_log_that_told_orders_before_the_turn_is_settled_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr(table, "unsettled", lambda match, state: 0)
    match = yam_at(ann, bob, lambda state: len(state.answered) == 1)
    assert {what for what, _who, _where in leaks(match, viewers)} == {"the hidden turns"}


def test_the_record_of_a_running_match_with_secrets_has_no_moves(ann, bob):
    match = yam_at(ann, bob, lambda state: state.tries == 2)
    record = record_of(match, seats_of(match))
    assert (record["moves"], record["seed"], record["nonces"]) == ([], None, [])


@pytest.mark.parametrize("slug", games())
def test_an_open_table_tells_no_secret(slug, ann, bob, viewers):
    match = lobby.create_match(creator=ann, game_slug=slug, size=min(3, get_game(slug).max_seats))
    lobby.join(match_id=match.pk, user=bob)
    assert leaks(match, viewers) == set()


def test_the_harness_sees_what_may_be_seen(ann, bob, viewers):
    """What everybody may see does change what everybody sees: the harness is not blind."""
    match = match_of("yum-extra", ann, bob, 5)
    for viewer in viewers:
        before = sights(match, viewer)
        with changed(match, version=99):
            assert sights(match, viewer)["table as data"] != before["table as data"]
        with others_changed(match, viewer, wants_call_off=True):
            assert sights(match, viewer) != before
        assert sights(match, viewer) == before


def test_a_table_that_told_others_orders_would_be_caught(ann, bob, viewers, monkeypatch):
    honest = table._seat
    monkeypatch.setattr(table, "_seat", lambda seat, *rest: {**honest(seat, *rest), "orders": seat.orders})
    found = leaks(match_of("yum-extra", ann, bob, 3), viewers)
    assert {who for what, who, _where in found if what == "others' orders"} == {v.name for v in viewers}


def test_a_page_that_told_others_notes_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr(
        showing, "brief", lambda slug: " ".join(Match.objects.get().seats.values_list("notes", flat=True))
    )
    match = match_of("yum-extra", ann, bob, 3)
    found = leaks(match, viewers)
    page = reverse("match", args=[match.pk])
    assert {("others' notes", viewer.name, page) for viewer in viewers} <= found


def test_a_mail_that_told_others_notes_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr(
        writing, "_story", lambda table: list(Match.objects.get().seats.values_list("notes", flat=True))
    )
    found = leaks(match_of("yum-extra", ann, bob, 3), viewers)
    assert {("others' notes", "seat 0", "mail"), ("others' notes", "seat 1", "mail")} <= found


def test_a_running_record_that_told_the_seed_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr("games.views.match.NotEnded", _Telling)
    match = match_of("yum-extra", ann, bob, 3)
    found = leaks(match, viewers)
    assert ("the seed", "a visitor", reverse("record", args=[match.pk])) in found


class _Telling(showing.Refused):
    def __str__(self) -> str:
        return bytes(Match.objects.get().server_seed).hex()


def frames(match: Match, viewer: Viewer) -> dict[str, bytes]:
    """What the socket of this person's page says: when it opens, and at the next ring."""
    return {"socket": async_to_sync(_frames)(match, viewer.person)}


async def _frames(match: Match, person: User | None) -> bytes:
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    if person is not None:
        browser = await sync_to_async(browser_of)(person)
        headers.append((b"cookie", f"sessionid={browser.cookies['sessionid'].value}".encode()))
    socket = WebsocketCommunicator(application, f"/ws/?match={match.pk}&lobby=1", headers)
    assert (await socket.connect(timeout=5))[0]
    heard = [await socket.receive_from(5) for _ in range(3 if person else 2)]
    await socket.disconnect()
    return json.dumps(heard).encode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slug", games())
def test_the_socket_tells_no_secret(slug):
    ann, bob, cem = member("ann"), member("bob"), member("cem")
    match = match_of(slug, ann, bob, 5)
    everybody = [
        Viewer("seat 0", ann),
        Viewer("seat 1", bob),
        Viewer("a watcher", cem),
        Viewer("a visitor", None),
    ]
    assert leaks(match, everybody, frames) == set()
    with changed(match, version=99):
        assert b"99" in frames(match, everybody[0])["socket"]


def yesss_at(ann, bob, moment, **options) -> Match:
    """A match of YESSS! at the first such moment, with orders left."""
    for seed in range(60):
        match = seated(ann, bob, bots=["easy", "easy"], game_slug="yesss", options=options)
        match = play_on(match, Random(seed), turns=60, until=lambda m: moment(state_of(m)))
        if moment(state_of(match)):
            break
    match.seats.filter(number=0).update(orders={"swap": "never"}, seen=2)
    return fresh(match)


YESSS = {
    "selected": ({}, lambda state: len(state.answered) == 2 and state.phase == "select"),
    "guessed": ({}, lambda state: any(t.answered and not t.revealed and t.voids == 0 for t in state.tokens)),
    "void": ({}, lambda state: any(token.voids == 1 and token.word for token in state.tokens)),
    "swapping": ({}, lambda state: state.phase == "swap" and len(state.answered) == 1),
    "racing": ({"mode": "cooperative"}, lambda state: len(state.clues) > 1 and state.phase == "race"),
    "ready": ({"mode": "cooperative"}, lambda state: len(state.ready) == 1),
}


@pytest.mark.parametrize("moment", YESSS)
def test_pairs_votes_and_clues_tell_nothing(ann, bob, viewers, moment):
    options, is_there = YESSS[moment]
    match = yesss_at(ann, bob, is_there, **options)
    assert is_there(state_of(match))
    assert leaks(match, viewers) == set()


def test_a_log_of_yesss_that_told_how_a_vote_came_about_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr(table, "unsettled", lambda match, state: 0)
    match = yesss_at(ann, bob, YESSS["guessed"][1])
    assert {what for what, _who, _where in leaks(match, viewers)} == {"the hidden turns"}
