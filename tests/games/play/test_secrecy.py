"""Whatever the site shows a person of a running match is equal, to the byte, when only what that person
may not know is changed: the seed, others' nonces, orders and notes, and what the game itself hides."""

import json
from itertools import count, product
from random import Random

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from channels.testing import WebsocketCommunicator
from django.urls import reverse

from accounts.models import User
from config.asgi import application
from games import table
from games.models import Match
from games.plain_text import lines_of
from games.queries.play import seats_of
from games.record import record_of
from games.rules import games, get_game
from games.services.lobby import opening
from games.services.mail import telling
from games.views import responses
from tests.factories import browser_of, fresh, member, played_on, seated, state_of
from tests.games.play.secrecy import Viewer, changed, leaks, match_of, others_changed, sights
from tests.rules.secrets import VARIANTS

pytestmark = pytest.mark.usefixtures("steady")


"""What differs, and what makes it so for a while."""


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("turns", [pytest.param(3, marks=pytest.mark.proof), 12])
def test_a_running_match_tells_no_secret(slug, turns, ann, bob, viewers):
    match = match_of(slug, ann, bob, turns)
    assert match.status == Match.Status.RUNNING
    assert leaks(match, viewers, lists=True) == set()


def yam_at(ann, bob, moment) -> Match:
    """A match of YAM menteur in which all have thrown, at the first such moment."""
    for seed in range(200):
        match, turns = seated(ann, bob, bots=["easy"], game_slug="yam-menteur"), count()
        match = played_on(match, Random(seed), until=lambda state, turns=turns: next(turns) > 14 and moment(state))
        if moment(state_of(match)):
            break
    match.seats.filter(number=0).update(orders={"believe_up_to": 20, "doubt": ["yam"]}, seen=9)
    return fresh(match)


CUPS = {"thrown": lambda state: state.tries == 2, "answered": lambda state: len(state.answered) == 1}
IN_SHORT = {("thrown", 0), ("thrown", 2), ("answered", 1)}


@pytest.mark.thin(1)
@pytest.mark.parametrize(
    ("moment", "thrower"),
    [
        pytest.param(moment, thrower, marks=[] if (moment, thrower) in IN_SHORT else pytest.mark.proof)
        for moment, thrower in product(CUPS, range(3))
    ],
)
def test_cups_and_sealed_answers_tell_nothing(ann, bob, viewers, moment, thrower):
    match = yam_at(ann, bob, lambda state: state.thrower == thrower and CUPS[moment](state))
    assert CUPS[moment](state_of(match)) and state_of(match).thrower == thrower
    assert len(list(VARIANTS["yam-menteur"](state_of(match), None))) > 1
    assert leaks(match, viewers) == set()


@pytest.mark.proof
def test_a_log_that_told_of_the_clock_before_the_turn_is_settled_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr(table, "unsettled", lambda match, state: 0)
    match = yam_at(ann, bob, CUPS["answered"])
    assert {what for what, _who, _where in leaks(match, viewers[1:3], brief=True)} == {"the hidden turns"}


@pytest.mark.proof
def test_a_log_that_told_who_moved_by_orders_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr(table, "_by", lambda turn, told, viewer: turn.by)
    found = leaks(match_of("yum-extra", ann, bob, 5), viewers[:2], brief=True)
    assert {who for what, who, _where in found if what == "who moved by orders"} >= {"seat 0", "seat 1"}


def test_the_record_of_a_running_match_with_secrets_has_no_moves(ann, bob):
    match = yam_at(ann, bob, CUPS["thrown"])
    record = record_of(match, seats_of(match))
    assert (record["moves"], record["seed"], record["nonces"]) == ([], None, [])


@pytest.mark.thin(1)
@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[] if slug in ("yum-extra", "yesss") else pytest.mark.proof) for slug in games()]
)
def test_an_open_table_tells_no_secret(slug, ann, bob, viewers):
    match = opening.create_match(creator=ann, game_slug=slug, size=min(3, get_game(slug).max_seats))
    opening.join(match_id=match.pk, user=bob)
    assert leaks(match, viewers, lists=True) == set()


@pytest.mark.proof
def test_a_table_that_told_who_was_reached_while_a_cup_is_judged_would_be_caught(ann, bob, viewers, monkeypatch):
    def told(match, seats, viewer, view):
        return {seat.number: table.NO_CLOCK | {"reached": table._reached(match, seat, -1)} for seat in seats}

    match = yam_at(ann, bob, CUPS["thrown"])
    monkeypatch.setattr(table, "_clocks", told)
    assert "who was reached" in {what for what, _who, _where in leaks(match, viewers[:2], brief=True)}


@pytest.mark.thin(0)
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
    found = leaks(match_of("yum-extra", ann, bob, 3), viewers[1:3], brief=True)
    assert {who for what, who, _where in found if what == "others' orders"} == {"seat 1", "a watcher"}


@pytest.mark.proof
def test_a_page_that_told_others_notes_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr(
        responses, "brief", lambda slug: " ".join(Match.objects.get().seats.values_list("notes", flat=True))
    )
    match = match_of("yum-extra", ann, bob, 3)
    viewers = [viewers[0], viewers[3]]
    found = leaks(match, viewers, brief=True)
    page = reverse("match", args=[match.pk])
    assert {("others' notes", viewer.name, page) for viewer in viewers} <= found


@pytest.mark.thin(0)
def test_a_mail_that_told_others_notes_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr(
        telling,
        "story",
        lambda table: lines_of(
            "".join(f"<p>{notes}</p>" for notes in Match.objects.get().seats.values_list("notes", flat=True))
        ),
    )
    found = leaks(match_of("yum-extra", ann, bob, 3), viewers[:2], brief=True)
    assert {("others' notes", "seat 0", "mail"), ("others' notes", "seat 1", "mail")} <= found


def test_a_running_record_that_told_the_seed_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr("games.views.checking.NotEnded", _Telling)
    match = match_of("yum-extra", ann, bob, 3)
    found = leaks(match, viewers[3:])
    assert ("the seed", "a visitor", reverse("record", args=[match.pk])) in found


class _Telling(responses.Refused):
    def __str__(self) -> str:
        return bytes(Match.objects.get().server_seed).hex()


def frames(match: Match, viewer: Viewer) -> dict[str, bytes]:
    """What the socket of this person's page says when it opens, its table, and the answer to a move that is none."""
    return {"socket": async_to_sync(_frames)(match, viewer.person)}


async def _frames(match: Match, person: User | None) -> bytes:
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    if person is not None:
        browser = await sync_to_async(browser_of)(person)
        headers.append((b"cookie", f"sessionid={browser.cookies['sessionid'].value}".encode()))
    socket = WebsocketCommunicator(application, f"/ws/?match={match.pk}&lobby=1&table=1&lang=en", headers)
    assert (await socket.connect(timeout=5))[0]
    assert json.loads(await socket.receive_from(5)).keys() == {"now", "build", "who"}
    await socket.send_to(json.dumps({"move": 1, "form": 'ask=0&key=k&move={"type":"x"}'}))
    heard: dict[str, str] = {}  # by what is told: who is here may be told again
    while not {"answer", "waiting" if person else "here"} <= heard.keys():
        said = await socket.receive_from(5)
        heard[next(name for name in ("answer", *json.loads(said)) if name in json.loads(said))] = said
    assert "table" in heard["version"]
    assert ("table" in heard["answer"]) is (person is not None)  # a visitor's is to be posted
    await socket.disconnect()
    return json.dumps(dict(sorted(heard.items()))).encode()


@pytest.mark.thin(2)
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
        match = played_on(match, Random(seed), until=moment)
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


SHORT = ("selected", "guessed", "racing")


@pytest.mark.thin(1)
@pytest.mark.parametrize(
    "moment", [pytest.param(moment, marks=[] if moment in SHORT else pytest.mark.proof) for moment in YESSS]
)
def test_pairs_votes_and_clues_tell_nothing(ann, bob, viewers, moment):
    options, is_there = YESSS[moment]
    match = yesss_at(ann, bob, is_there, **options)
    assert is_there(state_of(match))
    assert leaks(match, viewers) == set()


@pytest.mark.proof
def test_a_log_of_yesss_that_told_how_a_vote_came_about_would_be_caught(ann, bob, viewers, monkeypatch):
    monkeypatch.setattr(table, "unsettled", lambda match, state: 0)
    match = yesss_at(ann, bob, YESSS["guessed"][1])
    assert {what for what, _who, _where in leaks(match, viewers[1:3], brief=True)} == {"the hidden turns"}
