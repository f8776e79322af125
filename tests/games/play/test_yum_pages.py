"""Yum EXTRA's pages: what is asked before it is spent for good, what the stage explains, what is not asked."""

import re
from html import unescape

import pytest

from games.rules.yum_extra.sheet import Row, Sheet
from games.rules.yum_extra.state import State
from tests.factories import asked, browser_of, fresh, put, seat, seated, state_of, submit
from tests.rules.test_yum_extra import sheet

DICE = (1, 2, 2, 5, 1)
STEAL = '{"type":"steal","seat":1,"cell":"fours"}'


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def page(person, match) -> str:
    return browser_of(person).get(f"/matches/{match.pk}/").content.decode()


def say(html: str) -> str:
    """What stands above the dice."""
    return words(re.search(r'id="say">(.*?)</div>', html, re.DOTALL)[1])


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


@pytest.fixture
def stands(match):
    def stand(*sheets: Sheet, **state):
        return put(match, State(**{"scratch": "forced", "starter": 0, "sheets": sheets} | state))

    return stand


@pytest.fixture
def combo(stands):
    """Ann's combo turn: a white 2 lets her steal Bob's fours or double her twos."""
    return stands(sheet(twos=Row(6)), sheet(fours=Row(8)), active=1, dice=DICE, rolls=1, combo=0, white=2)


def post(person, match, **fields):
    data = {"ask": seat(match, 0).ask, "key": "k", **fields}
    return browser_of(person).post(f"/matches/{match.pk}/move/", data, headers={"X-Live": "1"})


def test_a_privilege_is_chosen_in_the_sheet_and_made_by_a_button(ann, combo):
    html = page(ann, combo)
    assert f"value='{STEAL}'" in html
    assert 'name="move" value=\'{"type":"steal"' not in html
    refused = post(ann, combo, move='{"type":"chosen"}', chosen="")
    assert refused.status_code == 400
    assert "First choose in the sheet" in words(refused.content.decode())
    assert post(ann, combo, move='{"type":"chosen"}', chosen=STEAL).status_code == 200
    assert state_of(fresh(combo)).sheets[0].row("fours").bonus == 8


def test_one_may_pass_although_something_is_chosen(ann, combo):
    assert post(ann, combo, move='{"type":"pass"}', chosen=STEAL).status_code == 200
    assert state_of(fresh(combo)).sheets[0].row("fours").open


def test_the_stage_says_what_each_combo_brings(ann, combo):
    html = page(ann, combo)
    assert "Use a combo, or pass?" in words(html)
    assert say(html).startswith(
        "2 5 Steal : another’s points become your Bonus 2 2 Double : a row of yours counts twice"
    )


def test_an_extra_asks_before_it_is_spent(ann, combo, stands):
    def inside(html):
        return re.findall(
            r'"type":"extra","extra":"(\w+)"', "".join(re.findall(r"<details.*?</details>", html, re.DOTALL))
        )

    html = page(ann, combo)
    assert inside(html) == re.findall(r'"type":"extra","extra":"(\w+)"', html) == ["combo"]
    html = page(ann, stands(Sheet(), Sheet(), active=0, dice=DICE, rolls=1))
    assert inside(html) == re.findall(r'"type":"extra","extra":"(\w+)"', html) == ["die"] * 5 + ["all"]
    html = page(ann, stands(Sheet(extras=()), Sheet(), active=0, dice=DICE, rolls=1))
    assert words(html).count("used up") == 2


def test_a_zero_in_place_of_points_asks_first(ann, stands):
    zero = re.compile(r'name="(\w+)"[^>]*value=\'{"type":"score","cell":"yum"}\'')
    html = page(ann, stands(Sheet(), Sheet(), active=0, dice=DICE, rolls=1, scratch="free"))
    assert zero.findall(html) == ["chosen"]
    assert "Write the zero" in html
    html = page(
        ann,
        stands(
            sheet(**{c: Row(1) for c in ("high_roll", "ones", "twos", "fives")}), Sheet(), active=0, dice=DICE, rolls=3
        ),
    )
    assert zero.findall(html) == ["move"]
    assert say(html) == "No open row gives points: tap the 0 of the row that you give up."


def test_the_first_turn_says_what_wins_and_the_sheet_what_can_be_pressed(ann, stands):
    assert "the highest total wins" in say(page(ann, stands(Sheet(), Sheet(), active=0)))
    html = page(ann, stands(Sheet(), Sheet(), active=0, dice=DICE, rolls=1))
    assert "tap a dashed number to write it" in say(html)


def test_the_first_combo_turn_says_what_a_combo_is_and_what_the_extra_could_bring(ann, stands):
    html = page(ann, stands(Sheet(), sheet(fours=Row(8)), active=1, dice=DICE, rolls=1, combo=0, white=4))
    assert say(html) == (
        "White 4 : no combo. A combo lets you steal, double or swap points. "
        "Your extra, once a match, could make: 2 Steal"
    )


def test_a_question_without_a_difference_is_not_asked(ann, match, stands):
    """No number of the white die would give Ann a combo to use, so Bob's turn is over at once."""
    match = stands(Sheet(), Sheet(), active=1, dice=(6, 6, 6, 6, 6), rolls=1)
    submit(match, asked(match), {"type": "score", "cell": "yum"})
    match = fresh(match)
    made = [(turn.seat, turn.by, turn.move["type"]) for turn in match.log.all()]
    assert made == [(1, "person", "score"), (0, "none", "pass")]  # whatever the white die shows
    assert (asked(match).number, state_of(match).active) == (0, 0)
    assert "by standing orders" not in page(ann, match)


def test_the_column_of_the_reader_is_called_you(ann, bob, match):
    named = re.findall(r'<span class="nm" aria-hidden="true"( translate="no")?>(.*?)</span>', page(bob, match))
    assert named == [("", "You"), (' translate="no"', "ann")] * 2


def test_what_a_row_became_stands_in_words(ann, stands):
    html = page(ann, stands(sheet(ones=Row(into="four_kind")), Sheet(), active=1))
    assert '<i class="as" title="transformed: Four of a kind">4 of a kind</i>' in html
