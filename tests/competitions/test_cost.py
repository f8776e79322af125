"""What the pages of tournaments cost: a bounded number of queries, whatever the number of those who take part."""

import time
from random import Random

import pytest
from django.test import Client

from accounts.models import User
from config.lib import clock
from games.competitions.models import Entrant, Place, Table, Tournament
from games.competitions.services import rounds
from tests.competitions.arranged import announced, entered
from tests.factories import browser_of, member, moderator

pytestmark = pytest.mark.django_db
BUDGET = 0.050  # seconds of processor time


def big(entrants: int, played: int) -> Tournament:
    """Return a running tournament of so many at tables of four, with so many rounds over; its matches are not there."""
    tournament = announced(moderator(f"mo-{entrants}"), seats=4, least=4, most=1000)
    User.objects.bulk_create(User(username=f"m{entrants}-{n}", skeleton=f"m{entrants}-{n}") for n in range(entrants))
    members = User.objects.filter(username__startswith=f"m{entrants}-").order_by("pk")
    Entrant.objects.bulk_create(
        Entrant(tournament=tournament, user=one, number=n, strength=1500 + n, lot=n) for n, one in enumerate(members, 1)
    )
    tournament.state, tournament.began_at = Tournament.State.RUNNING, tournament.created_at
    tournament.save()
    chance = Random(entrants)
    for number in range(1, played + 2):
        order = list(range(1, entrants + 1))
        chance.shuffle(order)
        rounds.add_round(tournament, number, [tuple(order[at : at + 4]) for at in range(0, entrants, 4)])
        if number <= played:
            places = list(Place.objects.filter(round__tournament=tournament, round__number=number))
            for place in places:
                place.rank, place.score = place.seat + 1, chance.randrange(50, 200)
            Place.objects.bulk_update(places, ["rank", "score"])
            Table.objects.filter(round__tournament=tournament, round__number=number).update(state="over")
    return tournament


def cost(browser: Client, address: str) -> float:
    """Return the least processor time of a few tries."""
    found = []
    for _time in range(10):
        start = time.process_time()
        assert browser.get(address).status_code == 200
        found.append(time.process_time() - start)
    return min(found[1:])


def test_a_page_of_two_hundred_is_within_its_budget():
    tournament = big(200, 7)
    reader = Entrant.objects.get(tournament=tournament, number=7).user
    for who in (None, reader):
        spent = cost(browser_of(who), f"/tournaments/{tournament.pk}/")
        print(f"{spent * 1000:.1f} ms")
        assert spent < BUDGET


def test_the_queries_of_a_page_do_not_grow_with_those_who_take_part(django_assert_max_num_queries):
    asked = []
    for tournament in (big(8, 1), big(200, 3)):
        reader = browser_of(Entrant.objects.get(tournament=tournament, number=1).user)
        address = f"/tournaments/{tournament.pk}/"
        reader.get(address)
        with django_assert_max_num_queries(40) as found:
            reader.get(address)
        asked.append(len(found))
        with django_assert_max_num_queries(40):
            reader.get(f"{address}?whole=1")
    assert asked[0] == asked[1]


def test_the_queries_of_the_list_do_not_grow_with_it(django_assert_max_num_queries):
    ann, mo = member("ann"), moderator()
    asked = []
    for several in (1, 12):
        for number in range(several):
            for state in ("open", "running", "over"):
                one = announced(mo, name=f"{state} {number}", least_ended=1, lowest_rating=1)
                ended = clock.now() if state == "over" else None
                Tournament.objects.filter(pk=one.pk).update(state=state, organiser=olga_of(), ended_at=ended)
        reader = browser_of(ann)
        reader.get("/tournaments/")
        with django_assert_max_num_queries(60) as found:
            reader.get("/tournaments/")
        asked.append(len(found))
    assert asked[0] == asked[1]


def olga_of() -> User:
    """Return somebody who organises more than one may announce."""
    return User.objects.get_or_create(username="olga", defaults={"skeleton": "olga"})[0]


def test_the_queries_of_home_do_not_grow_with_ones_tournaments(django_assert_max_num_queries):
    ann, mo, asked = member("ann"), moderator(), []
    for several in (1, 3):
        for _time in range(several):
            entered(announced(mo), [ann])
            Tournament.objects.update(organiser=olga_of())
        browser_of(ann).get("/")
        with django_assert_max_num_queries(80) as found:
            browser_of(ann).get("/")
        asked.append(len(found))
    assert asked[0] == asked[1]
