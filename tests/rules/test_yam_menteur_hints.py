"""What the page of YAM menteur works out from the view and the log, and when bots wait."""

from games.engine import ScriptedChance
from tests.rules.yam import announced, apply, begun, game, sheet, tried, with_sheets


def test_the_hints_offer_each_open_row_with_what_is_true_there():
    state = tried(with_sheets(begun(), s0=sheet(ones=3)), [5, 5, 5, 5, 1])
    hints = game.hints(game.view(state, 0))
    assert (hints["throwing"], hints["may_roll"], hints["sees"]) == (True, True, True)
    offers = {each["cell"]: (each["held"], each["claims"]) for each in hints["offers"]}
    assert "ones" not in offers
    assert (offers["fives"], offers["yam"]) == ((20, [5, 10, 15, 20, 25]), (0, [50]))
    for seat in (1, 2, None):
        other = game.hints(game.view(state, seat))
        assert (other["throwing"], other["sees"], other["offers"]) == (False, False, [])


def test_the_hints_say_which_dice_may_still_be_rolled():
    state = tried(begun(), [5, 5, 5, 5, 1], ([4], [5]))
    hints = game.hints(game.view(state, 0))
    assert (hints["loose"], hints["may_roll"]) == ([4], True)
    state = tried(begun(), [5, 5, 5, 5, 1], ([4], [5]), ([4], [2]))
    assert game.hints(game.view(state, 0))["may_roll"] is False


def entry(event, seat=0, by="person", fresh=False):
    return {"seat": seat, "by": by, "fresh": fresh, "events": [event]}


def test_the_page_knows_what_happened_just_now():
    tried_now = entry({"type": "try"}, fresh=True)
    assert game.traces([tried_now])["just"] == ["try"]
    assert game.traces([])["just"] == game.traces([tried_now | {"fresh": False}])["just"] == []


def test_the_page_knows_the_last_reveal_and_who_has_moved_since():
    reveal = {
        "type": "settled",
        "seat": 2,
        "combination": "fives",
        "points": 15,
        "doubters": [1],
        "dice": [5, 5, 1, 1, 2],
        "true": False,
    }
    believed = reveal | {"seat": 0, "doubters": [], "dice": None, "true": None}
    log = [
        entry(reveal, 1),
        entry({"type": "try"}),
        entry(believed, 1, by="orders"),
        entry({"type": "answer"}, 2, by=""),
    ]
    revealed = game.traces(log)["revealed"]
    assert revealed["past"] == [0]
    assert revealed["turn"] == {
        "thrower": 2,
        "claim": {"combination": "fives", "points": 15},
        "doubters": [1],
        "dice": [5, 5, 1, 1, 2],
        "true": False,
    }
    assert game.traces([entry(believed)])["revealed"] is None


def test_bots_wait_after_dice_that_were_shown_alone():
    state = announced(begun(), [1, 2, 3, 4, 6], "yam")
    assert not game.pauses_after([{"type": "claim"}])
    for doubt in (True, False):
        now = apply(state, 1, {"type": "answer", "doubt": False})
        _, events = game.apply(now, 2, {"type": "answer", "doubt": doubt}, ScriptedChance([]))
        assert game.pauses_after(events) is doubt
