"""The bots' names, faces and strengths: told apart at a table, the same for good, and said to everybody."""

import re
import unicodedata

import pytest
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils import translation

from accounts.names import normalise, refuse_reserved
from games.models import Seat
from games.partners import MANNERS, PARTNERS, SAID, STRENGTHS, partner_at
from games.rules import games, get_game
from games.table import name_and_badge, seat_name
from tests.factories import browser_of, opened, seat, seated

MOST_SEATS = 8


def test_no_two_at_a_table_are_the_same_and_all_come_to_play():
    for match in range(1, 200):
        assert len({partner_at(match, number).name for number in range(MOST_SEATS)}) == MOST_SEATS
    assert {partner_at(match, 1) for match in range(12)} == set(PARTNERS)
    assert max(get_game(slug).max_seats for slug in games()) <= MOST_SEATS


def test_each_has_a_face_and_a_line_in_both_languages():
    drawn = dict(
        re.findall(r'<symbol id="face-([\w-]+)".*?>(.*?)</symbol>', render_to_string("parts/faces.html"), re.S)
    )
    assert set(drawn) == {partner.face for partner in PARTNERS}
    assert len(set(drawn.values())) == len(PARTNERS)
    for partner in PARTNERS:
        with translation.override("en"):
            english = str(partner.line)
        with translation.override("fr"):
            assert str(partner.line) != english


@pytest.mark.parametrize("between", ["", "_", "-"])
def test_no_member_is_named_like_one(between):
    """A stranger who talks as "Félix_Trèfle" would be taken for the bot that sat there yesterday."""
    for partner in PARTNERS:
        for name in (partner.name, partner.name.upper(), unicodedata.normalize("NFKD", partner.name).lower()):
            with pytest.raises(ValidationError):
                refuse_reserved(normalise(name.replace(" ", between)))
    for name in ("Ada", "Hugo", "Karl_D", "Domino", "Lola_P"):
        refuse_reserved(name)


def test_every_strength_has_its_words():
    for slug in games():
        assert set(get_game(slug).levels) <= set(SAID) == set(STRENGTHS) == set(MANNERS)


@pytest.mark.parametrize("partner", PARTNERS)
def test_no_member_can_have_a_bots_name(partner):
    assert " " in partner.name


def test_a_bot_keeps_its_name_as_long_as_it_sits_there_and_a_match_of_before_has_one(ann):
    match = seated(ann, bots=["easy", "strong"])
    names = [seat_name(seat(match, number)) for number in (1, 2)]
    assert names == [partner_at(match.pk, 1).name, partner_at(match.pk, 2).name]
    assert name_and_badge(seat(match, 1)) == f"{names[0]} (Bot, first steps)"
    assert name_and_badge(seat(match, 2)) == f"{names[1]} (Bot, sharp)"


def test_the_page_says_name_and_strength_and_shows_the_face(ann):
    match = seated(ann, bots=["regular"])
    page = browser_of(ann).get(f"/matches/{match.pk}/").content.decode()
    partner = partner_at(match.pk, 1)
    assert partner.name in page
    assert "Bot, regular" in page
    assert f'href="#face-{partner.face}"' in page
    assert str(partner.line) in page


def test_a_bot_in_the_seat_of_somebody_has_no_name_of_its_own(ann, bob):
    match = seated(ann, bob)
    Seat.objects.filter(match=match, number=1).update(bot="strong", left=1, absent=True)
    assert seat_name(seat(match, 1)) == "bob"
    assert name_and_badge(seat(match, 1)) == "bob"


def test_all_strengths_can_be_chosen(ann):
    form = browser_of(ann).get("/play/new/?game=yum-extra").content.decode()
    for level, said in SAID.items():
        assert f'value="{level}"' in form
        assert str(said) in form
        assert str(MANNERS[level]) in form
    page = browser_of(ann).get(f"/matches/{opened(ann).pk}/").content.decode()
    for level in SAID:
        assert f'name="level" value="{level}"' in page
