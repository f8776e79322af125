"""The bots' knowledge of the pictures of YESSS!: 120 of them, with names, and words that may be said."""

import json
from collections import Counter
from itertools import combinations

import pytest

from games.rules.yesss.data import PICTURES, default_word
from games.rules.yesss.wording import acceptable, folded

NAMES = {"fr", "en", "de", "es", "it", "nl"}
LANGUAGES = ("fr", "en")
FEWEST = 12

DATA = json.loads(PICTURES.read_text(encoding="utf-8"))


def test_there_are_120_pictures_each_with_names_in_six_languages_and_words_in_two():
    assert len(DATA) == 120
    for picture in DATA:
        assert set(picture) == {"names", "words"}
        assert set(picture["names"]) == NAMES
        assert all(name and name == name.strip() for name in picture["names"].values())
        assert set(picture["words"]) == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_pictures_have_the_same_name(language):
    names = Counter(folded(picture["names"][language]) for picture in DATA)
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_has_at_least_twelve_different_words_that_may_be_said(language):
    for picture in DATA:
        words = picture["words"][language]
        assert len({folded(word) for word in words}) == len(words) >= FEWEST, picture["names"]["en"]
        for word in words:
            assert acceptable(word, language) == word


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seat_out_of_time_says_a_word_that_may_be_said(language):
    for number in range(len(DATA)):
        word = default_word(number, language)
        assert acceptable(word, language) == word


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_picture_lists_its_own_name(language):
    """A bot that says the name of one of its two pictures says nothing of the other."""
    for picture in DATA:
        name = folded(picture["names"][language])
        assert name not in {folded(word) for word in picture["words"][language]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_most_pairs_of_pictures_have_a_word_in_common(language):
    words = [{folded(word) for word in picture["words"][language]} for picture in DATA]
    pairs = [bool(one & other) for one, other in combinations(words, 2)]
    assert sum(pairs) / len(pairs) > 0.75
