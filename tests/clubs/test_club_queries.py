"""Pages with clubs and circles read as much for many as for few, and show no endless list."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.clubs import encounter_panels
from games.clubs.models import Encounter
from games.clubs.services import joining, roles
from games.clubs.services.circles import keeping, opening
from games.models import Club, Match
from games.services.lobby import opening as tables
from tests.clubs.arranged import REQUEST, made
from tests.clubs.encounters import accepted, begun, lined_up, two_clubs
from tests.factories import browser_of, member, played

pytestmark = pytest.mark.django_db


def read(browser: Client, path: str) -> int:
    """Return how many queries a page takes when what is cached is there."""
    assert browser.get(path).status_code == 200
    with CaptureQueriesContext(connection) as queries:
        browser.get(path)
    return len(queries)


def same_for_many(browser: Client, path: str, more: Callable[[int], object]) -> None:
    """Call `more` once, and six times: the page takes as many queries."""
    more(0)
    few = read(browser, path)
    for number in range(1, 7):
        more(number)
    assert read(browser, path) == few


def test_a_club_s_page_with_open_tables(ann, bob):
    club = made(ann, bob)
    wishes = {"game_slug": "yum-extra", "size": 2, "access": Match.Access.CLUB, "club": club}
    same_for_many(browser_of(ann), f"/clubs/{club.pk}/", lambda _one: tables.create_match(creator=bob, **wishes))


@pytest.mark.thin(0)
def test_circles_that_one_has_and_into_which_one_is_asked(ann, bob, cem):
    def more(number: int) -> None:
        for maker, other in ((ann, bob), (bob, ann)):
            circle = keeping.keep_together(match_id=played(ann, bob, cem).pk, user=maker, name=f"{number}")
            keeping.answer(circle_id=circle.pk, user=cem, accepts=True)
            opening.open_now(circle_id=circle.pk, user=other if other is cem else maker)

    browser = browser_of(ann)
    same_for_many(browser, "/circles/", more)


def test_circles_into_which_one_is_asked_at_home(ann, bob):
    def more(number: int) -> None:
        keeping.keep_together(match_id=played(ann, bob).pk, user=bob, name=f"Circle {number}")

    more(-1)
    browser = browser_of(ann)
    same_for_many(browser, "/", more)
    assert "Circle 6" in browser.get("/").content.decode()


def test_lists_of_matches_between_hidden_clubs(hours):
    alpha, beta, ours, theirs = two_clubs(6)
    Club.objects.filter(pk=alpha.pk).update(access="invitation")
    alpha.refresh_from_db()
    first = accepted(alpha, beta)
    lined_up(first, [*ours, *theirs])
    boards = begun(first, hours)
    numbers = [one.match_id for one in boards]
    with CaptureQueriesContext(connection) as few:
        encounter_panels.belonging(numbers[:1], ours[0])
    for board in boards[1:]:
        other = Encounter.objects.get(pk=first.pk)
        other.pk = None
        other.save()
        board.encounter = other
        board.save()
    with CaptureQueriesContext(connection) as many:
        found = encounter_panels.belonging(numbers, ours[0])
    assert len(many) == len(few) <= 3
    assert {one.name for one in found.values()} == {"Alpha – Beta"}
    assert {one.name for one in encounter_panels.belonging(numbers, member("zoe")).values()} == {"A club match"}


@pytest.mark.thin(0)
def test_who_waits_is_shown_a_page_at_a_time(ann):
    club = made(ann, access=REQUEST)
    people = [member(f"p{number:03}") for number in range(60)]
    for one in people:
        joining.join(club_id=club.pk, user=one)
    browser = browser_of(ann)
    page = browser.get(f"/clubs/{club.pk}/").content.decode()
    assert page.count('value="let-in"') == 25 and "p024" in page and "p025" not in page
    assert '<span class="count">60</span>' in page
    assert "p059" in browser.get(f"/clubs/{club.pk}/?asking=3").content.decode()
    for one in people:
        joining.let_in(club_id=club.pk, user=ann, asker_id=one.pk)
        roles.remove(club_id=club.pk, user=ann, member_id=one.pk)
    page = browser.get(f"/clubs/{club.pk}/?out=2&asking=9").content.decode()
    assert page.count('value="let-back"') == 25 and "p025" in page and "p024" not in page
    assert "p059" in browser.get(f"/clubs/{club.pk}/?out=x3&out=3").content.decode()
