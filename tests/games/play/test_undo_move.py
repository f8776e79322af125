"""A person's last move that has revealed nothing to anybody is taken back; nothing else is."""

import re
from random import Random

import pytest

from games.engine import verify
from games.models import Match, PlayedKey, Seat, Turn
from games.record import record_of, state_at
from games.rules import games, get_game
from games.services.play import undo
from games.services.refusals import NotRunning, NotUndoable, NotYourSeat, StaleQuestion
from games.table import table_for
from tests.factories import asked, browser_of, end, fresh, member, played_on, seat, seated, state_of, submit
from tests.games.play.at_once import Tab

FORM = re.compile(r'<form id="undo" method="post" action="([^"]+)">.*?value="(\d+)"', re.DOTALL)


@pytest.fixture
def dan(db):
    return member("dan")


def owing(match: Match) -> list[Seat]:
    return list(match.seats.filter(ask__isnull=False).select_related("user").order_by("number"))


def at_phase(*people, slug: str, phase: str) -> Match:
    """Return a match that has come to a phase in which several are asked."""
    game = get_game(slug)
    return played_on(
        seated(*people, game_slug=slug),
        Random(3),
        turns=900,
        until=lambda state: game.phase(state) == phase and len(game.to_move(state)) > 1,
    )


def claimed(*people, **wishes) -> Match:
    """Return a match of YAM menteur with a claim that all others have to answer."""
    match = seated(*people, game_slug="yam-menteur", **wishes)
    for step in range(2):
        thrower = asked(match)
        submit(match, thrower, match.game.default_move(state_of(fresh(match)), thrower.number), key=f"throw-{step}")
        match = fresh(match)
    return match


def take_back(match: Match, seat: Seat) -> None:
    undo.undo(match_id=match.pk, user=seat.user, turn=fresh(match).turns)


SEALED = [("yam-menteur", "answer"), ("yes", "bid"), ("yes", "interest"), ("yesss", "select"), ("yesss", "swap")]


@pytest.mark.outgrown
@pytest.mark.parametrize(("slug", "phase"), [("yam-menteur", "answer"), ("yesss", "select")])
def test_a_sealed_answer_is_taken_back_as_if_it_had_never_been_given(ann, bob, cem, dan, slug, phase):
    match = claimed(ann, bob, cem, dan) if phase == "answer" else at_phase(ann, bob, cem, dan, slug=slug, phase=phase)
    first = owing(match)[0]
    before, state = fresh(match), state_of(fresh(match))
    submit(match, first, match.game.default_move(state, first.number), key="once")
    assert seat(match, first.number).ask is None
    take_back(match, first)
    now, back = fresh(match), seat(match, first.number)
    assert (now.turns, state_of(now), now.draws) == (before.turns, state, before.draws)
    assert now.version > before.version
    assert now.history != before.history
    assert back.ask == back.own_ask > first.ask
    assert back.deadline is not None
    assert not PlayedKey.objects.filter(match=match, key="once").exists()
    assert state_at(now, list(now.seats.order_by("number")), now.turns) == state
    with pytest.raises(StaleQuestion):  # the post of the answer that was taken back comes once more
        submit(match, first, match.game.default_move(state, first.number), key="once")
    submit(match, back, match.game.default_move(state, first.number), key="again")
    assert fresh(match).turns == before.turns + 1


@pytest.mark.parametrize(("slug", "phase"), SEALED)
def test_each_kind_of_sealed_answer_can_be_taken_back(ann, bob, cem, dan, slug, phase):
    people = (ann, bob, cem, dan)
    match = claimed(*people) if phase == "answer" else at_phase(*people, slug=slug, phase=phase)
    first, state = owing(match)[0], state_of(fresh(match))
    submit(match, first, match.game.default_move(state, first.number))
    assert "/undo/" in browser_of(first.user).get(f"/matches/{match.pk}/").text
    take_back(match, first)
    assert state_of(fresh(match)) == state


def test_a_guess_can_be_taken_back_and_a_word_cannot(ann, bob, cem, dan):
    match = at_phase(ann, bob, cem, dan, slug="yesss", phase="propose")
    rng, guessed, said = Random(4), 0, 0
    for number in range(80):
        one = rng.choice(owing(match))
        before = state_of(fresh(match))
        if before.phase != "propose":
            break
        move = match.game.default_move(before, one.number)
        submit(match, one, move, key=f"move-{number}")
        last = match.log.order_by("-number").first()
        if [event["type"] for event in last.events] == ["answered"]:
            take_back(match, one)
            assert state_of(fresh(match)) == before
            guessed += 1
            submit(match, seat(match, one.number), move, key=f"again-{number}")
        else:
            with pytest.raises(NotUndoable):
                take_back(match, one)
            said += 1
        match = fresh(match)
    assert guessed
    assert said


def chosen(*people, then: str) -> tuple[Match, Seat]:
    """Return a match of ¥€$ in which the roller has chosen a die whose action asks them in this phase."""
    for seed in range(40):
        match = seated(*people, game_slug="yes")
        match = played_on(match, Random(seed), until=lambda state: state.phase == "choose")
        roller = asked(match)
        submit(match, roller, {"type": "keep", "die": 0})
        if state_of(fresh(match)).phase == then and asked(match).number == roller.number:
            return fresh(match), roller
    raise AssertionError(then)


@pytest.mark.parametrize("phase", ["buy", "offer"])
def test_the_choice_of_a_die_is_taken_back_before_anything_follows(ann, bob, cem, phase):
    match, roller = chosen(ann, bob, cem, then=phase)
    bank = seat(match, roller.number).runs_from
    take_back(match, roller)
    assert state_of(fresh(match)).phase == "choose"
    assert seat(match, roller.number).runs_from == bank  # the clock of the turn runs on
    submit(match, asked(match), {"type": "keep", "die": 1})
    assert state_of(fresh(match)).kept == 1


def test_no_move_of_the_kind_draws_anything(ann, bob, cem, dan):
    """Dice that were known must not fall again: what can be taken back has none."""
    people = (ann, bob, cem, dan)
    for slug in games():
        match = played_on(seated(*people[: get_game(slug).max_seats], game_slug=slug), Random(11), turns=250)
        sealed = match.game.sealed
        kind = [turn for turn in match.log.all() if len(turn.events) == 1 and turn.events[0]["type"] in sealed]
        assert bool(kind) == bool(sealed)
        assert not any(turn.draws for turn in kind)


def test_others_have_moved_it_was_another_or_it_was_before(ann, bob, cem, dan):
    match = claimed(ann, bob, cem, dan)
    first, second, third = owing(match)
    believe = {"type": "answer", "doubt": False}
    submit(match, first, believe)
    with pytest.raises(NotUndoable):
        take_back(match, second)
    submit(match, second, believe)
    with pytest.raises(NotUndoable):
        take_back(match, first)
    with pytest.raises(NotUndoable):
        undo.undo(match_id=match.pk, user=second.user, turn=fresh(match).turns - 1)
    take_back(match, second)
    take_back(match, first)
    submit(match, seat(match, first.number), believe)
    with pytest.raises(NotUndoable):  # once
        take_back(match, first)
    submit(match, seat(match, second.number), believe)
    submit(match, third, believe)
    with pytest.raises(NotUndoable):  # all is shown
        take_back(match, third)


def test_who_may_not(ann, bob, cem, dan, eve):
    match = claimed(ann, bob, cem, dan)
    first = owing(match)[0]
    submit(match, first, {"type": "answer", "doubt": True})
    with pytest.raises(NotYourSeat):
        undo.undo(match_id=match.pk, user=eve, turn=fresh(match).turns)
    for other in match.seats.exclude(pk=first.pk).select_related("user"):
        assert FORM.search(browser_of(other.user).get(f"/matches/{match.pk}/").text) is None
    ended = end(fresh(match), [1, 2, 2, 2])
    with pytest.raises(NotRunning):
        undo.undo(match_id=ended.pk, user=first.user, turn=ended.turns)


def test_not_in_live_play_nor_for_what_a_clock_or_orders_did(ann, bob, cem, dan):
    match = claimed(ann, bob, cem, dan)
    first = owing(match)[0]
    submit(match, first, {"type": "answer", "doubt": True})
    for by in (Turn.By.CLOCK, Turn.By.ORDERS, Turn.By.BOT):
        match.log.filter(number=fresh(match).turns).update(by=by)
        with pytest.raises(NotUndoable):
            take_back(match, first)
    match.log.update(by=Turn.By.PERSON)
    Match.objects.update(pace_slug="live")
    with pytest.raises(NotUndoable):
        take_back(match, first)
    Match.objects.update(pace_slug="3d")
    take_back(match, first)


def test_orders_leave_the_question_to_who_took_it_back(ann, bob, cem, dan):
    match = claimed(ann, bob, cem, dan)
    first = owing(match)[0]
    submit(match, first, {"type": "answer", "doubt": True})
    match.seats.filter(pk=first.pk).update(orders={"believe": True})
    turns = fresh(match).turns
    take_back(match, first)
    assert fresh(match).turns == turns - 1
    assert seat(match, first.number).ask is not None


def test_the_page_offers_it_and_says_what_became_of_it(ann, bob, cem, dan):
    match = claimed(ann, bob, cem, dan)
    first = owing(match)[0]
    browser = browser_of(first.user)
    submit(match, first, {"type": "answer", "doubt": True})
    page = f"/matches/{match.pk}/"
    address, turn = FORM.search(browser.get(page).text).groups()
    answer = browser.post(address, {"turn": turn}, follow=True)
    assert FORM.search(answer.text) is None
    assert 'name="move"' in answer.text
    late = browser.post(address, {"turn": turn})
    assert late.status_code == 409
    assert "can no longer be taken back" in late.text
    for odd in ("", "x", "-1", "99999999999999999999", "1"):
        assert browser.post(address, {"turn": odd}).status_code == 409


def test_who_watches_sees_only_who_is_asked(ann, bob, cem, dan):
    """What was answered is nowhere in anybody else's table before and after."""
    match = claimed(ann, bob, cem, dan)
    first, second = owing(match)[:2]
    tables = []
    for doubt in (True, False):
        submit(match, seat(match, first.number), {"type": "answer", "doubt": doubt})
        take_back(match, first)
        match.seats.filter(pk=first.pk).update(undid=None)
        now = fresh(match)
        table = table_for(now, list(now.seats.order_by("number")), seat(now, second.number), list(now.log.all()))
        tables.append({name: value for name, value in table.items() if name not in ("version", "history")})
    assert tables[0] == tables[1]


def test_the_record_checks_as_that_of_a_match_in_which_it_was_never_made(ann, bob, cem, dan):
    match = claimed(ann, bob, cem, dan)
    first = owing(match)[0]
    submit(match, first, {"type": "answer", "doubt": True})
    take_back(match, first)
    match = played_on(match, Random(2))
    assert match.status == Match.Status.ENDED
    record = record_of(match, list(match.seats.order_by("number")))
    assert verify(record, get_game).sound
    assert len(record["moves"]) == match.turns


@pytest.mark.outgrown
def test_taken_back_while_another_answers(at_once, site):
    """Whichever is first, nothing is half done: the first answer stands, or is open again beside the other's."""
    people = [member(name) for name in ("ann", "bob", "cem", "dan")]
    for number in range(4):
        match = claimed(*people)
        first, second, _third = owing(match)
        submit(match, first, {"type": "answer", "doubt": False}, key=f"first-{number}")
        turn = fresh(match).turns
        undone, answered = at_once(
            [
                Tab(first.user).post(f"/matches/{match.pk}/undo/", turn=str(turn)),
                Tab(second.user).move(match, second.ask, f"second-{number}", {"type": "answer", "doubt": False}),
            ]
        )
        now = fresh(match)
        assert answered.status_code == 200
        assert undone.status_code in (302, 409)
        stays = [] if undone.status_code == 302 else [first.number]
        assert state_of(now).answered == sorted([second.number, *stays])
        assert now.turns == turn + len(stays)
        seats = list(now.seats.order_by("number"))
        assert now.game.dump(state_at(now, seats, now.turns)) == bytes(now.state)
        end(now, [1, 2, 3, 4])
