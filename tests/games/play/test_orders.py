"""Standing orders: sealed, checked, and followed the moment the seat comes to move."""

import re
from random import Random

import pytest
from django.utils import translation

from games.models import Turn
from games.queries.play import seats_of
from games.rules import games, get_game
from games.services.play import moves
from games.services.refusals import BadOrders, NotRunning, NotYourSeat
from games.table import render_orders, seat_of_viewer, table_for
from tests.factories import (
    as_many,
    asked,
    browser_of,
    combo_turn_of,
    fresh,
    is_combo_turn_of,
    opened,
    play_on,
    seat,
    seated,
    state_of,
    submit,
)

PASS = {"pass_always": True}


def give(match, user, orders, **more):
    return moves.give_orders(match_id=match.pk, user=user, orders=orders, **more)


def test_a_stranger_gives_no_orders(ann, bob, eve):
    match = seated(ann, bob)
    with pytest.raises(NotYourSeat):
        give(match, eve, PASS)


def test_before_the_start(ann):
    with pytest.raises(NotRunning):
        give(opened(ann), ann, PASS)


def test_after_the_end(ann, bob):
    match = seated(ann, bob)
    moves.resign(match_id=match.pk, user=bob)
    with pytest.raises(NotRunning):
        give(match, ann, PASS)


def test_later_ones_of_another_tab_are_told_and_not_replaced_unseen(ann, bob):
    match = seated(ann, bob)
    address = f"/matches/{match.pk}/orders/"
    other = next(one.user for one in seats_of(match) if one.number != asked(match).number)
    page = browser_of(other)
    shown = page.get(f"/matches/{match.pk}/").content.decode()
    before = re.search(r'name="before" value="(\w{16})"', shown)[1]
    assert page.post(address, {"before": before, "pass_always": "1"}).status_code == 302
    again = page.post(address, {"before": before, "pass_always": "1"})  # the same from another tab is no change
    assert again.status_code == 302
    late = page.post(address, {"before": before, "clear": "1"})
    assert late.status_code == 409
    assert orders_of(match, other) == PASS
    told = late.content.decode()
    assert "saved from another tab meanwhile" in told
    assert '<input type="hidden" name="clear" value="1">' in told
    now = re.search(r'name="before" value="(\w{16})"', told)[1]
    assert page.post(address, {"before": now, "clear": "1"}).status_code == 302
    assert orders_of(match, other) == {}


def orders_of(match, user):
    return next(one.orders for one in seats_of(match) if one.user_id == user.pk)


def test_who_left(ann, bob, cem):
    match = seated(ann, bob, cem)
    moves.resign(match_id=match.pk, user=cem)
    with pytest.raises(NotYourSeat):
        give(match, cem, PASS)


@pytest.mark.parametrize(
    "orders",
    [
        {"win": True},
        {"pass_always": "yes"},
        {"pass_always": 1},
        {"keep_extra": None},
        {"privileges": "erase"},
        {"privileges": ["erase", "erase"]},
        {"privileges": ["theft"]},
        {"privileges": [["erase"]]},
        ["pass_always"],
        None,
    ],
)
def test_orders_that_the_game_has_not(ann, bob, orders):
    match = seated(ann, bob)
    give(match, ann, PASS)
    with pytest.raises(BadOrders) as refused:
        give(match, ann, orders)
    assert refused.value.status == 400
    assert str(refused.value).startswith("These orders do not fit the game")
    assert seat(match, 0).orders == PASS


def test_they_replace_those_before(ann, bob):
    match = seated(ann, bob)
    give(match, ann, PASS)
    give(match, ann, {"privileges": ["steal"]})
    assert seat(match, 0).orders == {"privileges": ["steal"]}
    give(match, ann, {})
    assert seat(match, 0).orders == {}


def test_orders_that_answer_nothing_now_change_nothing(ann, bob):
    match = seated(ann, bob)
    give(match, ann, PASS)
    assert fresh(match).version == match.version
    assert not match.log.exists()


def test_they_answer_the_open_question_only_when_told_to(ann, bob):
    """First it is said what they would answer, and nothing is saved; a number of another question says nothing."""
    match = combo_turn_of(seated(ann, bob), 0, Random(11))
    turns, ask = match.turns, seat(match, 0).ask
    for more in ({}, {"answer": ask - 1}, {"leave": ask - 1}):
        assert give(match, ann, PASS, **more) == (ask, {"type": "pass"})
    assert (seat(match, 0).orders, fresh(match).version) == ({}, match.version)
    assert give(match, ann, PASS, answer=ask) is None
    turn = match.log.get(number=turns + 1)
    assert (turn.seat, turn.by, turn.move, turn.key) == (0, "orders", {"type": "pass"}, None)
    assert fresh(match).version > match.version
    assert not is_combo_turn_of(fresh(match), 0)


def test_a_question_may_be_left_to_the_person_and_the_next_is_answered(ann, bob):
    match = combo_turn_of(seated(ann, bob), 0, Random(11))
    give(match, ann, PASS, leave=seat(match, 0).ask)
    give(match, bob, PASS)  # after which all orders are looked at anew
    assert is_combo_turn_of(fresh(match), 0)
    assert give(match, ann, PASS) is None
    assert not match.log.filter(by=Turn.By.ORDERS).exists()
    submit(match, seat(match, 0), {"type": "pass"}, key="own")
    match = play_on(fresh(match), Random(12), until=lambda m: is_combo_turn_of(m, 0))
    assert match.status == "ended"
    assert match.log.filter(seat=0, by=Turn.By.ORDERS).exists()


def test_what_was_begun_by_hand_is_never_passed(ann, bob, cem):
    """Whoever keeps SELL at the table is asked which card, though the orders pass wherever that is possible."""
    match = seated(ann, bob, cem, game_slug="yes")
    give(match, ann, PASS)
    match = play_on(match, Random(4), turns=400, until=lambda m: is_asked(m, "offer", 0))
    assert is_asked(match, "offer", 0), "the orders passed a sale that was chosen by hand"
    give(match, bob, PASS)
    assert is_asked(fresh(match), "offer", 0)
    assert give(match, ann, PASS) is None
    assert is_asked(fresh(match), "offer", 0)


def is_asked(match, phase, number) -> bool:
    state = state_of(match)
    return (state.phase, state.to_move, state.roller) == (phase, [number], number)


def told(match, viewer) -> list[tuple[str, str]]:
    """How each turn came about and its time, as this person is told; None is a watcher."""
    seats = seats_of(match)
    turns = list(match.log.order_by("number"))
    log = table_for(match, seats, seat_of_viewer(seats, viewer and viewer.pk), turns)["log"]
    return [(entry["by"], entry["iso"]) for entry in log]


def test_that_orders_answered_is_told_to_their_owner_alone_until_the_end(ann, bob):
    """The log's times are to the minute as well: orders answer within the same second."""
    match = combo_turn_of(seated(ann, bob), 0, Random(11))
    give(match, ann, PASS, answer=seat(match, 0).ask)
    match = fresh(match)
    assert told(match, ann)[match.turns - 1][0] == "orders"
    for other in (bob, None):
        assert told(match, other)[match.turns - 1][0] == "person"
        assert {by for by, _iso in told(match, other)} <= {"person", *(["orders", "none"] if other else [])}  # his own
        assert all(":00+" in iso for _by, iso in told(match, other))
    assert "standing orders)" in browser_of(ann).get(f"/matches/{match.pk}/log/").content.decode()
    page = f"/matches/{match.pk}/"
    assert "standing orders)" not in browser_of(bob).get(page).content.decode()
    moves.resign(match_id=match.pk, user=ann)
    assert told(fresh(match), bob)[match.turns - 1][0] == "orders"
    assert "standing orders)" in browser_of(bob).get(page + "log/").content.decode()


def test_the_form_asks_before_it_answers(ann, bob):
    """By the form alone, without JavaScript: what they would answer, then one of two ways to save them."""
    match = combo_turn_of(seated(ann, bob), 0, Random(11))
    browser, address = browser_of(ann), f"/matches/{match.pk}/orders/"
    asked_back = browser.post(address, {"pass_always": "1", "use_privileges": "1", "privileges": ["erase"]})
    html = asked_back.content.decode()
    assert "These orders would answer now" in html
    assert "<b>Pass</b>" in html
    assert seat(match, 0).orders == {}
    post: dict[str, list[str]] = {}
    for name, value in re.findall(r'type="hidden" name="(\w+)" value="(\w+)"', html):
        post.setdefault(name, []).append(value)
    saved = browser.post(address, post | {"then": "answer"}, follow=True).content.decode()
    assert seat(match, 0).orders == {"pass_always": True, "privileges": ["erase"]}
    assert match.log.get(number=match.turns + 1).by == "orders"
    assert "Orders saved." in saved
    assert 'id="ordered" href="#orders"' in saved
    assert 'name="clear"' in saved
    cleared = browser.post(address, {"clear": "1", "pass_always": "1"}, follow=True).content.decode()
    assert seat(match, 0).orders == {}
    assert "Orders cleared" in cleared
    assert 'id="ordered"' not in cleared
    assert 'name="clear"' not in cleared


@pytest.mark.parametrize("slug", [slug for slug in games() if get_game(slug).orders])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_game_has_its_form_and_answers_in_words(ann, bob, cem, slug, language):
    ann.language = language
    ann.save()
    match = seated(*as_many(slug, ann, bob, cem), game_slug=slug)
    table = table_for(match, seats_of(match), seat(match, 0))
    with translation.override(language):
        fields = render_orders(table)
    for name in get_game(slug).orders:
        assert re.search(rf'(name|value)="(use_|)?{name}["_.]|name="{name}"', fields), name


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    ("slug", "old", "active"),
    [
        ("yam-menteur", {"doubt": [], "believe": [], "believe_up_to": None}, False),
        ("yam-menteur", {"doubt": ["yam"], "believe": ["yam"], "believe_up_to": 50}, True),
        ("yes", {"bid": [{"space": 6, "amount": 40_000}], "min_cash": 0}, True),
        ("yes", {"veto": [], "min_cash": 20_000, "never_gamble": False}, False),
        ("yum-extra", {"keep_extra": False, "pass_always": False}, False),
        ("yesss", {"swap": "never"}, True),
    ],
)
def test_orders_of_old_are_shown_and_followed(ann, bob, cem, slug, old, active):
    people = as_many(slug, ann, bob, cem)
    match = seated(*people, game_slug=slug)
    match.seats.filter(number=0).update(orders=old)
    html = browser_of(ann).get(f"/matches/{match.pk}/").content.decode()
    assert ('id="ordered"' in html) == active
    assert play_on(match, Random(3), turns=30).turns >= 30


def test_they_answer_the_moment_the_seat_comes_to_move(ann, bob):
    match = seated(ann, bob)
    give(match, bob, PASS)
    match = play_on(match, Random(12), until=lambda m: is_combo_turn_of(m, 1))
    assert match.status == "ended", "Bob was asked in a combo turn although he passes always"
    passed = match.log.filter(seat=1, by=Turn.By.ORDERS)
    assert passed.count() > 2
    assert all(turn.move == {"type": "pass"} for turn in passed)
    assert not match.log.filter(seat=0, by=Turn.By.ORDERS).exists()


def test_they_never_roll_or_score(ann, bob):
    match = seated(ann, bob)
    for person in (ann, bob):
        give(match, person, {"pass_always": True, "keep_extra": True, "privileges": []})
    assert not match.log.exists()
    assert asked(match) is not None


def test_the_orders_of_a_seat_that_resigned_do_nothing(ann, bob, cem):
    match = seated(ann, bob, cem)
    give(match, bob, PASS)
    moves.resign(match_id=match.pk, user=bob)
    match = play_on(match, Random(13))
    assert not match.log.filter(seat=1, by=Turn.By.ORDERS).exists()
    assert match.log.filter(seat=1, by=Turn.By.BOT).exists()
