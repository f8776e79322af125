"""What the pictures of the rules show is what the games' rules say."""

import re
from typing import Any

import pytest
from django.utils import translation

from games.engine import IllegalMove
from games.rules.yam_menteur import sheet as yam
from games.rules.yay.board import board_seen
from games.rules.yesss.wording import acceptable
from games.rules.yum_extra import sheet as yum
from games.templatetags.pictures import drawing

MARK = re.compile(r'class="mk seat-(\d)(?: (out))?" transform="translate\((\d+) (\d+)\)">.*?>(\d+)</text>', re.DOTALL)
LIT = re.compile(r'class="lc (\w+)" transform="translate\((\d+) (\d+)\)"')
SAID = re.compile(r'<span translate="no">(.*?)</span>')


def drawn(slug: str, name: str, language: str = "en") -> str:
    with translation.override(language):
        return drawing(f"games/{slug}/pictures.jinja", name, language)


def faces(html: str) -> tuple[int, ...]:
    """What is on the dice."""
    return tuple(int(face) for face in re.findall(r'href="#p(\d)"', html))


def grid(name: str) -> list[list[dict[str, Any] | None]]:
    """The cells of a picture of YAY!, on a whole board."""
    cells: list[list[dict[str, Any] | None]] = [[None] * 8 for _ in range(8)]
    for seat, out, x, y, value in MARK.findall(drawn("yay", name)):
        cells[int(y) // 100][int(x) // 100] = {"owner": int(seat), "value": int(value), "valid": not out}
    return cells


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_words_of_yesss(language):
    said, *refused = SAID.findall(drawn("yesss", "words", language))
    assert acceptable(said, language) == said
    assert len(refused) == 3
    for word in refused:
        with pytest.raises(IllegalMove):
            acceptable(word, language)
    [pun] = SAID.findall(drawn("yesss", "objecting", language))
    assert acceptable(pun, language) == pun  # nothing but an objection stops it


def test_what_dice_of_yum_extra_give():
    writing, zero = drawn("yum-extra", "writing"), drawn("yum-extra", "zero")
    for html, rows in ((writing, ("sixes", "four_kind")), (zero, ("full_house", "yum"))):
        offered = dict(re.findall(r'"cell":"(\w+)"\}.*?<span>(\d+)</span>', html, re.DOTALL))
        worth = yum.points(faces(html))
        assert offered == {row: str(worth[row]) for row in rows}
    white, coloured = faces(drawn("yum-extra", "combo"))
    assert (white, yum.YELLOW, coloured) in yum.COMBOS["steal"]


def test_what_is_true_in_yam_menteur():
    worth = yam.points(faces(drawn("yam-menteur", "announcing")))
    assert (worth["chance"], worth["fours"], worth["full_house"]) == (17, 8, 0)
    for name, row, claimed in (("truth", "large_straight", 40), ("bluff", "full_house", 25)):
        assert (yam.points(faces(drawn("yam-menteur", name)))[row] >= claimed) == (name == "truth")


def test_which_cells_of_yay_are_open():
    lit = {(int(y) // 100, int(x) // 100): use for use, x, y in LIT.findall(drawn("yay", "entering"))}
    opened = board_seen(grid("entering")).enterable(lit, 0, 11)
    assert set(opened) == {cell for cell, use in lit.items() if use == "write"}
    assert opened[1, 1] == [(1, 0)]
    before, after = grid("entering"), grid("crossing")
    assert (before[1][0]["valid"], after[1][0]["valid"], after[1][1]["value"]) == (True, False, 11)
    locked = [(int(y) // 100, int(x) // 100) for _use, x, y in LIT.findall(drawn("yay", "locking"))]
    assert not board_seen(grid("locking")).enterable(locked, 0, 4)


@pytest.mark.parametrize("name", ["cells", "entering", "crossing", "locking", "end"])
def test_no_valid_numbers_of_two_stand_side_by_side(name):
    cells = grid(name)
    for row, line in enumerate(cells):
        for column, mark in enumerate(line):
            beside = [cells[row + 1][column] if row < 7 else None, line[column + 1] if column < 7 else None]
            assert not any(
                mark and other and mark["valid"] and other["valid"] and mark["owner"] != other["owner"]
                for other in beside
            )
