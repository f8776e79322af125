"""YAM menteur's pages: what each may see and press, orders by form, the rules, what the end lays open."""

import re
from html import unescape
from random import Random

import pytest
from django.urls import reverse

from games.models import Match
from games.services.play.moves import give_orders
from tests.factories import asked, browser_of, fresh, play_on, seat, seated, state_of, submit

ROLL = {"type": "roll"}


def words(response) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def page(person, match: Match) -> str:
    return browser_of(person).get(f"/matches/{match.pk}/").content.decode()


def buttons(html: str) -> list[str]:
    return [unescape(value) for value in re.findall(r'name="move" value=[\'"](.*?)[\'"](?= |>)', html)]


@pytest.fixture
def trio(ann, bob, cem):
    return [ann, bob, cem]


@pytest.fixture
def match(trio):
    return seated(*trio, game_slug="yam-menteur")


@pytest.fixture
def thrown(match):
    submit(match, asked(match), ROLL)
    return fresh(match)


@pytest.fixture
def claimed(thrown):
    submit(thrown, asked(thrown), {"type": "announce", "combination": "full_house"}, key="claim")
    return fresh(thrown)


def test_before_the_first_try_there_is_one_button(match, trio):
    state = state_of(match)
    assert buttons(page(trio[state.thrower], match)) == ['{"type":"roll"}']
    for person in (*[p for n, p in enumerate(trio) if n != state.thrower], None):
        assert buttons(page(person, match)) == []


def test_the_thrower_sees_dice_and_only_possible_claims(thrown, trio, eve):
    state = state_of(thrown)
    html = page(trio[state.thrower], thrown)
    assert html.count('name="roll.but.dice"') == 5
    shown = buttons(html)
    assert len(shown) == 1 + 6 * 5 + 3 * 26 + 4
    true = re.findall(r'class="pick true[^"]*" name="move" value=\'([^\']*)', html)
    assert len(true) == sum(true_claims(state))
    for person in (*[p for n, p in enumerate(trio) if n != state.thrower], eve, None):
        other = page(person, thrown)
        assert "roll.but.dice" not in other
        assert 'class="die' not in other
        assert buttons(other) == []


def true_claims(state) -> list[int]:
    """How many claims of each row are true."""
    steps = dict(zip(("ones", "twos", "threes", "fours", "fives", "sixes"), range(1, 7), strict=True))
    fixed = ("full_house", "small_straight", "large_straight", "yam")
    return [
        held // steps[row] if row in steps else bool(held) if row in fixed else max(0, held - 4)
        for row, held in state.held.items()
    ]


def test_who_is_asked_believes_or_doubts(claimed, trio):
    thrower = state_of(claimed).thrower
    for number, person in enumerate(trio):
        wanted = ['{"type":"answer","doubt":false}', '{"type":"answer","doubt":true}']
        assert buttons(page(person, claimed)) == ([] if number == thrower else wanted)
    assert "A bluff: you write 25. True: your first cross." in words(
        browser_of(trio[(thrower + 1) % 3]).get(f"/matches/{claimed.pk}/")
    )


def test_a_sealed_answer_is_shown_to_its_seat_alone(claimed, trio):
    thrower = state_of(claimed).thrower
    first, other = [number for number in range(3) if number != thrower]
    submit(claimed, seat(claimed, first), {"type": "answer", "doubt": True}, key="sealed")
    assert "You doubt it." in page(trio[first], claimed)
    for person in (trio[thrower], trio[other], None):
        assert "doubt it." not in page(person, claimed)
        assert "Answered:" in page(person, claimed)


def test_a_move_by_the_form_of_the_page(thrown, trio):
    """The dice that are kept are those ticked; the hidden field has those that may be rolled."""
    state = state_of(thrown)
    mover = asked(thrown)
    browser = browser_of(trio[state.thrower])
    post = {"ask": mover.ask, "key": "k", "move": '{"type":"roll"}', "roll.of.dice": "0 1 2 3 4 "}
    answer = browser.post(f"/matches/{thrown.pk}/move/", post | {"roll.but.dice": ["1", "3"]})
    assert answer.status_code == 302
    assert thrown.log.order_by("number").last().move == {"type": "roll", "dice": [0, 2, 4]}
    assert 'value="0 2 4 "' in page(trio[state.thrower], thrown)


def test_keeping_every_die_is_refused_in_words(thrown, trio):
    mover = asked(thrown)
    kept = {"roll.of.dice": "0 1 2 3 4 ", "roll.but.dice": ["0", "1", "2", "3", "4"]}
    post = {"ask": mover.ask, "key": "k", "move": '{"type":"roll"}'} | kept
    answer = browser_of(trio[state_of(thrown).thrower]).post(f"/matches/{thrown.pk}/move/", post)
    assert answer.status_code == 400
    assert "You keep all your dice. Keep fewer to roll again" in words(answer)
    assert fresh(thrown).turns == thrown.turns


def test_who_throws_is_marked_in_headline_seats_and_sheet(claimed, trio):
    """By shape and in words: with several bots of one name at the table, the name alone says nothing."""
    thrower = state_of(claimed).thrower
    html = page(trio[(thrower + 1) % 3], claimed)
    headline = re.findall(r'id="headline">(.*?)</h1>', html, re.S)[0]
    assert f'href="#seat-{thrower}"' in headline
    assert re.findall(r'<li class="noted">.*?href="#(seat-\d)', html, re.S) == [f"seat-{thrower}"]
    assert re.findall(r'class="a throws">.*?href="#(seat-\d)', html, re.S) == [f"seat-{thrower}"]
    title = re.findall(r"<title>(.*?)</title>", html, re.S)[0]
    assert f"Do you believe {trio[thrower].username}? · YAM menteur" in title


def test_a_reveal_stays_until_the_reader_has_moved_by_hand(claimed, trio):
    """One's standing orders do not see it; and whoever watches sees it until something else is shown."""
    first = state_of(claimed).thrower
    second, third = (first + 1) % 3, (first + 2) % 3
    for number in (second, third):
        submit(claimed, seat(claimed, number), {"type": "answer", "doubt": number == third}, key=f"answer-{number}")
    give_orders(match_id=claimed.pk, user=trio[third], orders={"believe_up_to": 50})
    for key, move in (("roll", ROLL), ("claim", {"type": "announce", "combination": "yam"})):
        submit(claimed, seat(claimed, second), move, key=key)
    assert "past" not in page(trio[first], claimed)
    submit(claimed, seat(claimed, first), {"type": "answer", "doubt": False}, key="believed")
    for reader, stays in ((trio[first], False), (trio[second], False), (trio[third], True), (None, True)):
        verdict = re.findall(r'<section class="verdict ([^"]*)".*?</section>', page(reader, claimed), re.S)
        assert [("past" in look, "quietly" in look) for look in verdict] == [(stays, not stays)]


@pytest.mark.parametrize(("language", "said"), [("en", "announced 25 in Full house"), ("fr", "a annoncé 25 au Full")])
def test_the_log_says_where_points_are_announced(claimed, language, said):
    answer = browser_of().get(f"/matches/{claimed.pk}/log/", headers={"accept-language": language})
    assert said in words(answer)


@pytest.mark.parametrize(
    ("post", "orders"),
    [
        ({}, {}),
        ({"believe_up_to": "15", "of.yam": "doubt"}, {"believe_up_to": 15, "doubt": ["yam"]}),
        ({"of.ones": "believe", "of.twos": "believe", "of.yam": ""}, {"believe": ["ones", "twos"]}),
        ({"believe_up_to": "0", "doubt_from.sixes": "18"}, {}),
        (
            {"of.sixes": "doubt", "doubt_from.sixes": "18", "doubt_from.ones": "", "of.fives": "doubt"},
            {"doubt": ["fives", "sixes"], "doubt_from": [{"row": "sixes", "points": 18}]},
        ),
        (
            {"of.1": "ask_players", "of.2": "doubt_players", "spare_second": "1", "doubt_free": "1"},
            {"spare_second": True, "doubt_free": True, "ask_players": [1], "doubt_players": [2]},
        ),
    ],
)
def test_orders_by_their_form(match, ann, post, orders):
    """One box of each row and player is ticked; what is left open asks."""
    used = ("doubt", "doubt_from", "believe", "ask_players", "believe_players", "doubt_players")
    form = {f"use_{name}": "1" for name in used} | post
    assert browser_of(ann).post(reverse("orders", args=[match.pk]), form).status_code == 302
    found = seat(match, 0).orders
    assert {name: sorted(value) if name == "doubt" else value for name, value in found.items()} == orders
    html = page(ann, match)
    assert html.count(" checked") == 13 + 2 + 1 + 2 * ("spare_second" in orders)  # one of them the notices wished for
    for name, order in post.items():
        if name.startswith("of."):
            assert re.search(rf'name="{name}" value="{order}"[^>]* checked', html)
    assert f'max="50" step="1" value="{orders.get("believe_up_to", "")}"' in html


@pytest.mark.parametrize(
    "post",
    [
        *({"believe_up_to": junk} for junk in ("many", "-1", "51", "1.5", "9" * 40)),
        {"doubt": "yum", "use_doubt": "1"},
    ],
)
def test_orders_that_are_none(match, ann, post):
    answer = browser_of(ann).post(reverse("orders", args=[match.pk]), post)
    assert answer.status_code == 400
    assert "These orders do not fit the game" in words(answer)
    assert seat(match, 0).orders == {}


def test_the_end_lays_all_open_on_page_log_and_replay(trio, eve):
    match = play_on(seated(*trio, game_slug="yam-menteur"), Random(4))
    assert match.ending == Match.Ending.PLAYED
    watcher = browser_of(eve)
    html = watcher.get(f"/matches/{match.pk}/").content.decode()
    turns = match.log.filter(events__icontains='"settled"').count()
    log = words(watcher.get(f"/matches/{match.pk}/log/"))
    assert len(re.findall(r'class="turns">(.*?)</ol>', html, re.S)[0].split("</li>")) - 1 == turns
    assert log.count("it was true: ") + log.count("it was a bluff: ") == log.count("nobody doubted")
    first = match.log.get(number=1).draws[0]
    replayed = watcher.get(f"/matches/{match.pk}/replay/1/").content.decode()
    assert [int(face) for face in re.findall(r'href="#p(\d)"/></svg><em>', replayed)] == first
    claim = next(turn for turn in match.log.order_by("number") if turn.events[0]["type"] == "claim")
    said = watcher.get(f"/matches/{match.pk}/replay/{claim.number}/").content.decode()
    assert f"</span> <b>{claim.events[0]['points']}</b><small>" in re.findall(r'<p class="bubble".*', said)[0]


def test_since_you_left_is_told_to_those_who_did(trio):
    """A page that was there all along asks for itself anew with what it was opened with."""
    match = play_on(seated(*trio, game_slug="yam-menteur"), Random(4), turns=9)
    reader = next(seat for seat in match.seats.all() if seat.number != match.log.get(number=9).seat).user
    match.seats.update(seen=8)
    assert "Since you left" in page(reader, match)
    there = browser_of(reader).get(f"/matches/{match.pk}/?since=").content.decode()
    assert "Since you left" not in there
    assert "What happened" in there


def test_a_running_replay_shows_each_thrower_its_own_dice(claimed, trio):
    thrower = state_of(claimed).thrower
    for number, person in enumerate(trio):
        html = browser_of(person).get(f"/matches/{claimed.pk}/replay/1/").content.decode()
        assert ("<em>" in re.findall(r"<fieldset.*?</fieldset>", html, re.S)[0]) == (number == thrower)


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "said"), [("en", "Our rulings"), ("fr", "Nos précisions")])
def test_the_rules(language, said):
    noticed = {"en": "that an order answered", "fr": "qu’une consigne a répondu"}[language]
    answer = browser_of().get("/games/yam-menteur/", headers={"accept-language": language})
    assert answer.status_code == 200
    assert said in words(answer)
    assert noticed in words(answer)


def test_a_table_of_three_to_eight(ann):
    html = browser_of(ann).get("/play/new/?game=yam-menteur").content.decode()
    assert re.findall(r'name="size" value="(\d)"', html) == ["3", "4", "5", "6", "7", "8"]
    assert '<input type="hidden" name="game" value="yam-menteur">' in html
    assert 'href="?game=yum-extra"' in html
    form = {"game": "yam-menteur", "size": "8", "access": "open", "bot_1": "strong", "bot_2": "easy"}
    assert browser_of(ann).post("/play/new/", form).status_code == 302
    assert (Match.objects.get().game_slug, Match.objects.get().size) == ("yam-menteur", 8)


def test_now_against_bots(db):
    answer = browser_of().post("/games/yam-menteur/now/", {"lesson": "no"})
    assert answer.status_code == 302
    assert Match.objects.get().status == Match.Status.RUNNING
