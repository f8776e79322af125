"""Four bots of members play whole matches by the API, by the client and its examples, at a real server."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from club_y_client import Client, Refused, Runner
from club_y_client.verify import verify

from games.api.services import tokens
from games.models import Match, PlayedKey
from games.rules import games, get_game
from tests.api.calling import Program, problem
from tests.factories import bot_of, end, fresh, member, opened, rated, seated

EXAMPLES = Path(__file__).parents[2] / "clients/python/examples"
LONGEST = 300  # seconds of a match


@pytest.fixture
def examples(monkeypatch) -> Callable[[str], Any]:
    """Return the examples by name."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return import_module


def token_of(bot, *scopes: str) -> str:
    return tokens.issue(user=bot, name="test", scopes=["bot", *scopes], ends_at=None)[1]


def four_bots() -> list[Any]:
    """Two members with two bots each."""
    ann, bob = member("ann"), member("bob")
    return [bot_of(owner, name) for owner in (ann, bob) for name in (f"{owner}-eager", f"{owner}-calm")]


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
def test_four_bots_play_a_whole_match(site, slug, examples):
    bots = four_bots()
    size = min(4, get_game(slug).max_seats)
    clients = [Client(site.url, token_of(bot)) for bot in bots[:size]]
    number = clients[0].open_table(slug, size)["id"]
    for client in clients[1:]:
        client.join(number)
    ways = [
        examples("house").choose,
        examples("random_legal").choose,
        examples("crowd").choose,
        examples("house").choose,
    ]
    told: list[str] = []

    def plays(client: Client, choose: Any) -> int:
        runner = Runner(client, choose, every=0.2, streams=False, told=told.append, rng=Random(7))
        runner.run(until=lambda: client.table(number)["status"] == "ended")
        return runner.played

    with ThreadPoolExecutor(size) as threads:
        played = list(threads.map(plays, clients, ways, timeout=LONGEST))
    match = Match.objects.get(pk=number)
    assert (match.status, match.ending, match.takes_bots) == ("ended", "played", True)
    assert sum(played) == PlayedKey.objects.filter(match=match).count()
    for client in clients:
        table = client.table(number)
        assert sorted(seat["rank"] for seat in table["seats"])[0] == 1
        assert [seat["badge"] for seat in table["seats"]] == [f"Bot of {bot.owner}" for bot in bots[:size]]
        record = client.record(number)
        noted = client.parts.noted(record)
        assert record["game"] == slug and len(noted.commitments) == len(noted.entries) == 1
        assert list(verify(record, commitments=noted.commitments, entry=noted.entries[0]))
        assert record["openings"]  # of others it was too late where orders passed for them at once
        client.close()
    assert not [words for words in told if "refused" not in words and "Too" not in words]


def test_two_tokens_of_one_bot_move_at_once(site):
    bots = four_bots()
    first, second = (
        Client(site.url, tokens.issue(user=bots[0], name=n, scopes=["bot"], ends_at=None)[1]) for n in "ab"
    )
    other = Client(site.url, token_of(bots[2]))
    number = first.open_table("yay", 2)["id"]
    other.join(number)
    for _round in range(6):
        table = first.table(number)
        if table["ask"] is None:
            asked = other.table(number)
            other.move(number, asked["ask"], _throw(asked))
            continue

        def moves(client: Client, table: Any = table) -> str:
            try:
                client.move(number, table["ask"], _throw(table))
            except Refused as refusal:
                return refusal.code
            return "played"

        with ThreadPoolExecutor(2) as threads:
            assert sorted(threads.map(moves, [first, second])) == ["played", "stale_question"]


def _throw(table: Any) -> Any:
    return import_module("club_y_client").random_move(table["view"]["prompt"], Random(3))


# ——— What a bot's token is not for


@pytest.fixture
def bot(ann):
    return bot_of(ann)


def test_whose_it_is(bot):
    told = Program(bot, ["bot"]).get("/me").json()
    assert (told["name"], told["owner"], told["is_confirmed"]) == ("eager-bot", "ann", True)


def test_it_talks_only_if_its_token_says_so(bob, bot):
    match = seated(bob, bot, takes_bots=True)
    said = {"text": "Good luck"}
    problem(Program(bot, ["bot"]).post(f"/matches/{match.pk}/chat", said), 403, "scope_missing")
    assert Program(bot, ["bot", "message"]).post(f"/matches/{match.pk}/chat", said).status_code == 201


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/games/yum-extra/start", {}),
        ("/ladders/yum-extra/join", {}),
        ("/clubs/1/join", {}),
        ("/tournaments/1/enter", {}),
        ("/people/bob/follow", {"wish": True}),
        ("/people/bob/block", {"wish": True}),
        ("/matches/1/invite", {"names": ["bob"]}),
        ("/matches/1/substitute", {}),
    ],
)
def test_what_is_for_people(bob, bot, address, body):
    answer = Program(bot, ["bot", "message"]).post(address, body)
    problem(answer, 403, "bots_cannot")


def test_tables_that_take_none(bob, bot):
    closed, taking = opened(bob), opened(bob, takes_bots=True)
    program = Program(bot, ["bot"])
    problem(program.post(f"/matches/{closed.pk}/join", {}), 403, "no_bots")
    assert [line["id"] for line in program.get("/lobby").json()["items"]] == [taking.pk]
    assert program.post(f"/matches/{taking.pk}/join", {}).json()["takes_bots"]


def test_the_tokens_of_a_stopped_owner_are_good_for_nothing(ann, bob, bot):
    program = Program(bot, ["bot"])
    bot.is_active = False
    bot.save()
    problem(program.get("/me"), 401, "token_unknown")


def test_their_board(ann, bob, cem, bot):
    end(rated(bob, bot, takes_bots=True), [1, 2])
    end(rated(bob, cem), [1, 2])
    program = Program(bob)
    names = [row["name"] for row in program.get("/boards/yum-extra").json()["items"]]
    assert "eager-bot" not in names and {"bob", "cem"} <= set(names)
    rows = program.get("/boards/yum-extra?bots=true").json()["items"]
    assert [(row["name"], row["badge"]) for row in rows] == [("eager-bot", "Bot of ann")]
    assert fresh(Match.objects.first()).rated


def test_examples_are_short():
    found = list(EXAMPLES.glob("*.py"))
    assert len(found) == 3 and all(len(one.read_text().splitlines()) < 100 for one in found)
    assert sys.version_info >= (3, 11)
