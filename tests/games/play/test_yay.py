"""YAY! through the site: opened by its form, thrown by its fields, told in words, replayed from the draws."""

import re
from itertools import count, product
from random import Random

import pytest
from django.urls import reverse

from games.management.commands.check_matches import problems
from games.models import Match
from tests import FULL
from tests.factories import asked, browser_of, fresh, play_on, played_on, seated, state_of

pytestmark = pytest.mark.django_db
WISHES = {"game": "yay", "size": "2", "access": "open"}


def yay(*people, size=8):
    return seated(*people, game_slug="yay", options={"size": size})


def post(match, **fields):
    """Post to the match as the person that is asked."""
    seat = asked(match)
    data = {"ask": seat.ask, "key": "key-1", **fields}
    return browser_of(seat.user).post(reverse("move", args=[match.pk]), data, headers={"X-Live": "1"})


@pytest.mark.parametrize("size", [6, 8])
def test_a_table_of_either_size(ann, size):
    answer = browser_of(ann).post(reverse("new-match"), WISHES | {"option_size": str(size)})
    assert answer.status_code == 302
    assert Match.objects.get().options == {"size": size}


@pytest.mark.parametrize("size", ["", "7", "8.0", "six", "[6]", "\0"])
def test_no_table_of_another_size(ann, size):
    assert browser_of(ann).post(reverse("new-match"), WISHES | {"option_size": size}).status_code == 400
    assert not Match.objects.exists()


def test_the_aim_is_read_from_the_fields(ann, bob):
    match = yay(ann, bob)
    answer = post(match, move='{"type":"throw"}', **{"throw.int.x": "120", "throw.int.y": "700"})
    assert answer.status_code == 200
    assert fresh(match).log.get().move == {"type": "throw", "x": 120, "y": 700}


def test_a_cells_button_aims_at_the_cell_whatever_the_fields_say(ann, bob):
    match = yay(ann, bob)
    post(match, move='{"type":"throw","x":50,"y":150}', **{"throw.int.x": "120", "throw.int.y": "700"})
    assert fresh(match).log.get().move == {"type": "throw", "x": 50, "y": 150}


@pytest.mark.parametrize(
    ("x", "status", "said"),
    [
        ("", 400, "Enter a whole number in each field"),
        ("4e2", 400, "Enter a whole number in each field"),
        ("1.5", 400, "Enter a whole number in each field"),
        ("801", 409, "unknown or impossible"),
        ("-1", 409, "unknown or impossible"),
        ("999999999999", 409, "unknown or impossible"),
    ],
)
def test_no_other_aim(ann, bob, x, status, said):
    match = yay(ann, bob)
    answer = post(match, move='{"type":"throw"}', **{"throw.int.x": x, "throw.int.y": "400"})
    assert answer.status_code == status
    assert said in answer.content.decode()
    assert fresh(match).turns == 0


def owners_of(match) -> set[int]:
    grid = match.game.view(state_of(match), None)["grid"]
    return {cell["owner"] for row in grid for cell in row if cell and "owner" in cell}


def test_who_begins_and_whose_each_number_is_in_the_readers_words(ann, bob, cem):
    match = play_on(yay(ann, bob, size=6), Random(7), until=lambda now: owners_of(now) == {0, 1})
    pages = {person.username: browser_of(person).get(f"/matches/{match.pk}/") for person in (ann, bob, cem)}
    for name, answer in pages.items():
        cells = re.findall(r'<td role="cell"><span class="hidden">(.*?)</span>', answer.content.decode())
        assert len(cells) == 36
        assert any("You " in cell for cell in cells) == (name != "cem")
        assert not any(f"{name} " in cell for cell in cells)
    start = yay(ann, bob)
    said = re.sub(r"<[^>]+>", "", browser_of(ann).get(f"/matches/{start.pk}/").content.decode())
    opening = re.search(r"The highest sum starts:.*", said).group()
    assert "you" in opening
    assert "bob" in opening
    assert "ann" not in opening.partition(".")[0]


def test_only_those_who_are_tied_are_told_apart(ann, bob, cem, eve):
    """Of every match that ends with equal cells, in some of which others stand alone."""
    alone = 0
    for seed in range(40):
        if alone:
            break
        match = played_on(yay(ann, bob, cem, eve, size=6), Random(seed))
        view = match.game.view(state_of(match), None)
        html = browser_of().get(reverse("match", args=[match.pk])).content.decode()
        said = re.search(r"Same number of cells: the higher sum decides\.(.*?)</p>", html, re.S)
        tied = [s for s in range(4) if view["cells"].count(view["cells"][s]) > 1]
        assert bool(said) == bool(tied)
        if said:
            named = [name for name in ("ann", "bob", "cem", "eve") if f'<b translate="no">{name}</b>' in said.group(1)]
            assert named == [("ann", "bob", "cem", "eve")[s] for s in tied]
            alone += len(tied) < 4
    assert alone


def test_no_drawer_for_orders_where_there_are_none(ann, bob):
    match = yay(ann, bob)
    assert 'id="orders"' not in browser_of(ann).get(reverse("match", args=[match.pk])).content.decode()
    yum = seated(ann, bob)
    assert 'id="orders"' in browser_of(ann).get(reverse("match", args=[yum.pk])).content.decode()


def test_what_the_rules_refuse_is_told_in_the_readers_language(ann, bob):
    match = yay(ann, bob)
    seat = asked(match)
    seat.user.language = "fr"
    seat.user.save()
    answer = post(match, move='{"type":"write","row":0,"col":0}')
    assert answer.status_code == 409
    assert "Lancez d’abord les dés." in answer.content.decode()


SMALLEST, LARGEST = (2, 6), (4, 8)


@pytest.mark.thin(1)
@pytest.mark.parametrize(
    ("seats", "size"),
    [
        pytest.param(*table, marks=[] if table in (SMALLEST, LARGEST) else pytest.mark.proof)
        for table in product((2, 3, 4), (6, 8))
    ],
)
def test_random_matches_replay_and_every_page_of_them_is_shown(ann, bob, cem, eve, size, seats):
    people = [ann, bob, cem, eve][:seats]
    match = yay(*people, size=size)
    rng = Random(f"{size}/{seats}")
    browsers = [browser_of(), *(browser_of(person) for person in people)]
    page = reverse("match", args=[match.pk])
    for number in count():
        if match.status != Match.Status.RUNNING:
            break
        match = play_on(match, rng, turns=5)
        for browser in browsers if FULL else (browsers[number % len(browsers)], browsers[(number + 2) % len(browsers)]):
            answer = browser.get(page)
            assert answer.status_code == 200
            grid = match.game.view(state_of(match), None)["grid"]
            board, over = answer.content.decode().split('<g id="over"')
            assert len(re.findall('<g class="(?:mk|lk)', board)) == sum(
                cell is not None for row in grid for cell in row
            )
            assert over.count('<g class="mk') == len(match.game.hints(match.game.view(state_of(match), None))["veiled"])
    assert match.ending == Match.Ending.PLAYED
    assert problems(match) == []
    for step in range(0, match.turns + 1, 7):
        assert browsers[0].get(reverse("replay", args=[match.pk, step])).status_code == 200
    for name in ("log", "record"):
        assert browsers[0].get(reverse(name, args=[match.pk])).status_code == 200


def test_the_buttons_on_the_page_are_the_prompt(ann, bob, monkeypatch):
    """Whoever is asked finds a button for each thing allowed; whoever watches finds none."""
    rng = Random(3)
    monkeypatch.setattr("games.services.lobby.promises.secrets.token_bytes", rng.randbytes)
    match = yay(ann, bob, size=6)
    kinds = set()
    while match.status == Match.Status.RUNNING:
        seat = asked(match)
        html = browser_of(seat.user).get(reverse("match", args=[match.pk])).content.decode()
        prompt = match.game.prompt(state_of(match), seat.number)
        for kind in ("write", "lock", "cross"):
            cells = [
                (move["row"], col) for move in prompt["moves"] if move["type"] == kind for col in move["col"]["one_of"]
            ]
            assert html.count(f'{{"type":"{kind}","row":') == len(cells)
            assert all(f'{{"type":"{kind}","row":{row},"col":{col}}}' in html for row, col in cells)
            kinds |= {kind} if cells else set()
        may_throw = any(move["type"] == "throw" for move in prompt["moves"])
        assert html.count('class="spot aim"') == (36 if may_throw else 0)
        watched = browser_of().get(reverse("match", args=[match.pk])).content.decode()
        assert 'class="spot' not in watched
        match = play_on(match, rng, turns=1 if FULL else 2)
    assert kinds == {"write", "lock", "cross"}
