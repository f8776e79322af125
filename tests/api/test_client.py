"""The Python client: what is sent again, what is waited for, what is kept, and what a refusal is."""

import json
from collections.abc import Callable
from random import Random

import httpx
import pytest
from club_y_client import Client, Refused, Runner, TooFast, Unreachable, random_move
from club_y_client.__main__ import main
from club_y_client.client import TRIES
from club_y_client.runner import of_view

from games.engine import permits
from games.rules import games, get_game
from tests.rules.playing import fewest, positions


class Site:
    """A site that answers what a test says, and remembers what it was sent and how long was waited."""

    def __init__(self, *answers: httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]) -> None:
        self.answers, self.sent, self.waited = list(answers), [], []
        transport = httpx.MockTransport(self._answer)
        self.client = Client("https://club-y.test", "cy_x", transport=transport, sleep=self.waited.append)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer(request) if callable(answer) else answer


def said(status: int, body: object = None, **headers: str) -> httpx.Response:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json=body, headers=names)


def problem(status: int, code: str, **headers: str) -> httpx.Response:
    return said(status, {"code": code, "detail": "No.", "status": status, "errors": []}, **headers)


def test_it_sends_its_token_and_no_cookie():
    site = Site(said(200, {"name": "eager-bot"}))
    assert site.client.me()["name"] == "eager-bot"
    request = site.sent[0]
    assert str(request.url) == "https://club-y.test/api/v1/me"
    assert request.headers["Authorization"] == "Bearer cy_x" and "Cookie" not in request.headers


@pytest.mark.parametrize("lost", [httpx.ConnectError("gone"), httpx.ReadTimeout("late"), said(503), said(502)])
def test_what_was_lost_is_sent_again_with_its_key(lost):
    site = Site(lost, lost, said(204))
    site.client.resign(7)
    assert len({request.headers["Idempotency-Key"] for request in site.sent}) == 1
    assert len(site.sent) == 3 and len(site.waited) == 2
    move = Site(lost, said(200, {"id": 7}))
    move.client.move(7, 3, {"type": "pass"})
    assert len({json.loads(request.content)["key"] for request in move.sent}) == 1


def test_it_gives_up_in_the_end():
    site = Site(*[httpx.ConnectError("gone")] * TRIES)
    with pytest.raises(Unreachable, match="gone"):
        site.client.me()
    assert site.waited == sorted(site.waited, key=lambda _s: 0) and len(site.waited) == TRIES


def test_it_waits_as_long_as_it_is_told():
    site = Site(problem(429, "too_often", Retry_After="7"), said(503, Retry_After="3"), said(204))
    site.client.resign(7)
    assert site.waited == [7.0, 3.0]
    long = Site(problem(429, "too_often", Retry_After="3600"))
    with pytest.raises(TooFast) as refusal:
        long.client.resign(7)
    assert refusal.value.seconds == 3600 and not long.waited


def test_it_stops_before_the_limit_does():
    site = Site(
        said(200, {}, RateLimit='"member";r=0;t=12'), said(200, {}, RateLimit='"member";r=9;t=50'), said(200, {})
    )
    for _ in range(3):
        site.client.me()
    assert len(site.waited) == 1 and 11 < site.waited[0] <= 12


def test_a_refusal_has_code_and_sentence():
    site = Site(problem(409, "illegal.not_free"), said(500), problem(404, "not_found"))
    with pytest.raises(Refused, match="No") as refusal:
        site.client.move(7, 1, {})
    assert (refusal.value.code, refusal.value.status, refusal.value.is_illegal) == ("illegal.not_free", 409, True)
    assert refusal.value.more["errors"] == []
    with pytest.raises(Refused) as ours:
        site.client.me()
    assert ours.value.code == "http_500"
    with pytest.raises(Refused):
        site.client.table(8)


def test_a_table_that_has_not_changed_is_not_sent_again():
    site = Site(
        said(200, {"id": 7, "turns": 1}, ETag='"a"'), httpx.Response(304), said(200, {"id": 7, "turns": 2}, ETag='"b"')
    )
    assert [site.client.table(7)["turns"] for _ in range(3)] == [1, 1, 2]
    assert [request.headers.get("If-None-Match") for request in site.sent] == [None, '"a"', '"a"']


def test_a_move_brings_the_table_that_is_kept():
    site = Site(said(200, {"id": 7, "turns": 5}, ETag='"c"'), httpx.Response(304))
    site.client.move(7, 1, {"type": "pass"})
    assert site.client.table(7)["turns"] == 5 and site.sent[1].headers["If-None-Match"] == '"c"'


def test_a_list_is_read_to_its_end():
    site = Site(said(200, {"items": [{"id": 1}], "next": "x"}), said(200, {"items": [{"id": 2}], "next": None}))
    assert [line["id"] for line in site.client.matches()] == [1, 2]
    assert dict(site.sent[1].url.params) == {"state": "waiting", "cursor": "x"}


@pytest.mark.parametrize("slug", games())
def test_random_moves_are_legal(slug):
    game, rng = get_game(slug), Random(3)
    for state in positions(game, fewest(game), {}, seed=5, end=False):
        prompt = game.view(state, game.to_move(state)[0])["prompt"]
        assert permits(prompt, random_move(prompt, rng))


# ——— The runner


LINE = {"id": 7, "invited": False, "commitment": "a" * 64}


def asks(ask: int | None, **more: object) -> httpx.Response:
    view = {"prompt": {"moves": [{"type": "pass"}]}}
    return said(200, {"id": 7, "ask": ask, "paused": False, "ready_by": None, "view": view, "game": "yay", **more})


def runner(site: Site, choose=lambda table: {"type": "pass"}, **about) -> tuple[Runner, list[str]]:
    told: list[str] = []
    return Runner(site.client, choose, streams=False, told=told.append, rng=Random(1), **about), told


def waiting(*lines: dict) -> httpx.Response:
    return said(200, {"items": list(lines), "next": None})


def test_a_runner_answers_as_long_as_it_is_asked():
    site = Site(waiting(LINE), asks(1), asks(2), asks(None))
    playing, told = runner(site)
    playing.look()
    assert [json.loads(request.content)["ask"] for request in site.sent[2:]] == [1, 2]
    assert playing.played == 2 and not told


def test_what_is_refused_twice_is_chosen_by_chance():
    site = Site(waiting(LINE), asks(1), *[problem(409, "illegal.no"), asks(1)] * 2, asks(None))
    playing, told = runner(site, lambda table: {"type": "nonsense"})
    playing.look()
    moves = [json.loads(request.content) for request in site.sent if request.method == "POST"]
    assert [move["move"]["type"] for move in moves] == ["nonsense", "nonsense", "pass"]
    assert len({move["key"] for move in moves}) == 3 and len(told) == 2


def test_a_choice_that_fails_keeps_nobody_waiting():
    def fails(table):
        raise RuntimeError("out of ideas")

    site = Site(waiting(LINE), asks(1), asks(None))
    playing, told = runner(site, of_view(fails))
    playing.look()
    assert playing.played == 1 and "out of ideas" in told[0]


def test_a_match_that_went_on_is_read_anew():
    site = Site(waiting(LINE), asks(1), problem(409, "stale_question"), asks(None))
    playing, told = runner(site)
    playing.look()
    assert playing.played == 0 and not told


def test_one_match_that_is_refused_keeps_no_other_waiting():
    other = LINE | {"id": 8}
    site = Site(waiting(LINE, other), problem(404, "not_found"), asks(1, id=8), asks(None, id=8))
    playing, told = runner(site)
    playing.look()
    assert playing.played == 1 and told == ["No. (not_found)"]


def test_paused_is_left_alone_and_live_is_answered():
    site = Site(waiting(LINE), asks(1, paused=True), waiting(LINE), asks(None, ready_by=1), said(204), asks(None))
    playing, _told = runner(site)
    playing.look()
    playing.look()
    assert site.sent[4].url.path.endswith("/7/here") and playing.played == 0


def test_invitations():
    invited = LINE | {"invited": True}
    site = Site(waiting(invited), said(204), waiting(invited), asks(None), asks(None))
    runner(site, joins=lambda line: False)[0].look()
    runner(site)[0].look()
    assert [request.url.path.rsplit("/", 1)[1] for request in site.sent] == [
        "matches",
        "decline",
        "matches",
        "join",
        "7",
    ]


def test_without_a_token_it_ends():
    site = Site(problem(401, "token_ended"))
    with pytest.raises(Refused, match="token_ended"):
        runner(site)[0].run()


def test_the_command(capsys, monkeypatch):
    monkeypatch.delenv("CLUB_Y_TOKEN", raising=False)
    assert main(["play", "tests.arena.strangers:first", "--site", "https://club-y.test"]) == 2
    assert "CLUB_Y_TOKEN" in capsys.readouterr().err
