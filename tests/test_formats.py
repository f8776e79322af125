"""Numbers, changes, ordinals and lists in both languages."""

import pytest
from django.template import engines
from django.utils.translation import override

from config.lib.formats import listing, number, ordinal, percent, signed


@pytest.mark.parametrize(
    ("language", "value", "digits", "written"),
    [
        ("en", 1140000, 0, "1,140,000"),
        ("fr", 1140000, 0, "1\u202f140\u202f000"),
        ("en", -13, 0, "−13"),
        ("fr", -13, 0, "−13"),
        ("en", 1.25, 2, "1.25"),
        ("fr", 1.25, 2, "1,25"),
        ("en", 0, 0, "0"),
    ],
)
def test_numbers(language, value, digits, written):
    with override(language):
        assert number(value, digits) == written


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [(14, 0, "+14"), (-9, 0, "−9"), (0, 0, "±0"), (0.04, 1, "±0.0"), (-1234, 0, "−1,234")],
)
def test_changes(value, digits, written):
    with override("en"):
        assert signed(value, digits) == written


def test_shares():
    with override("en"):
        assert (percent(0.1667, 1), percent(0.5)) == ("16.7%", "50%")
    with override("fr"):
        assert (percent(0.1667, 1), percent(0.5)) == ("16,7\xa0%", "50\xa0%")


def test_ordinals():
    with override("en"):
        assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111)] == (
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "101st", "111th"]
        )
    with override("fr"):
        assert [ordinal(n) for n in (1, 2, 11, 21)] == ["1re", "2e", "11e", "21e"]


def test_lists():
    with override("en"):
        assert [listing([]), listing("A"), listing("AB"), listing("ABC")] == ["", "A", "A and B", "A, B and C"]
    with override("fr"):
        assert listing("ABC") == "A, B et C"


@pytest.mark.parametrize(("engine", "source"), [("django", "{{ n|number }}"), ("jinja", "{{ n | number }}")])
def test_both_kinds_of_templates_have_them(engine, source):
    with override("en"):
        assert engines[engine].from_string(source).render({"n": 590000}) == "590,000"


def test_a_list_of_names_is_escaped_in_a_page():
    for engine in ("django", "jinja"):
        assert engines[engine].from_string("{{ names|listing }}").render({"names": ["<b>"]}) == "&lt;b&gt;"
