"""Whoever has very many matches: every list has pages, and matches against bots have a limit."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Follow
from games.models import Match, Seat
from games.services.lobby import opening
from games.services.play import moves
from games.services.refusals import TooManyBotMatches
from tests.factories import browser_of, member, opened, seated
from tests.games.play.addresses import sentence


def copies(match: Match, number: int) -> None:
    """Add so many matches that are like this one."""
    seats = list(match.seats.all())
    fields = {
        f.attname: getattr(match, f.attname) for f in Match._meta.concrete_fields if f.name not in ("id", "token")
    }
    made = Match.objects.bulk_create(Match(**fields) for _ in range(number))
    own = [f.attname for f in Seat._meta.concrete_fields if f.name not in ("id", "match")]
    Seat.objects.bulk_create(
        Seat(match=one, **{name: getattr(seat, name) for name in own}) for one in made for seat in seats
    )


@pytest.mark.parametrize("path", ["/", "/matches/"])
def test_a_thousand_running_matches_are_a_page(ann, bob, path):
    match = seated(ann, bob)
    for seat in match.seats.all():
        Seat.objects.filter(pk=seat.pk).update(ask=1 if seat.user == ann else None)
    copies(match, 120)
    for person in (ann, bob):  # who is to move in all, and whom all wait for
        with CaptureQueriesContext(
            connection,
        ) as asked:
            page = browser_of(person).get(path)
        assert page.content.decode().count("<time") <= 60, person
        assert len(asked) < 200
    text = sentence(browser_of(ann).get(path))
    assert "The first 30 of 121; the next come as you answer." in text
    assert "121 matches wait for you" in text or path != "/"


def test_each_list_of_ones_matches_turns_by_itself(ann, bob):
    match = seated(ann, bob)
    Seat.objects.filter(match=match).update(ask=None)
    copies(match, 20)
    first, second = (browser_of(ann).get(f"/matches/?waiting={page}") for page in (1, 2))
    assert "?waiting=2" in first.content.decode() and "?waiting=1" in second.content.decode()
    assert len(second.context["sections"]["waiting"]) == 1
    assert browser_of(ann).get("/matches/?waiting=x&open=-1&page=999").status_code == 200


def test_open_tables_and_people_have_pages(ann, bob):
    copies(opened(bob), 50)
    first = browser_of(ann).get("/play/?game=yum-extra&pace=3d").content.decode()
    assert "?game=yum-extra&amp;pace=3d&amp;page=2" in first
    assert browser_of(ann).get("/play/?page=2&fragment=1").content.decode().count('<li class="card link"') == 1
    crowd = [member(f"crowd-{number:02}") for number in range(51)]
    Follow.objects.bulk_create(Follow(follower=ann, followed=one) for one in crowd)
    page = browser_of(ann).get("/settings/people/").content.decode()
    assert page.count("Unfollow") == 50 and "?followed=2" in page
    assert "crowd-50" in browser_of(ann).get("/settings/people/?followed=2").content.decode()


def test_running_matches_against_bots_have_a_limit_by_every_door(ann, bob, settings):
    settings.BOT_MATCHES_OF_PERSON = 2
    browser = browser_of(ann)
    over = seated(ann, bots=["easy"], access="invitation")
    moves.resign(match_id=over.pk, user=ann)
    first = browser.post("/games/yum-extra/now/", {"lesson": "no"})
    seated(ann, bots=["easy"])
    seated(ann, bob)  # of two people: it does not count
    table = opened(ann)
    answers = [
        browser.post("/games/yum-extra/now/", {"lesson": "no"}),
        browser.post(f"/matches/{table.pk}/start/"),
        browser.post(f"/matches/{over.pk}/rematch/"),
    ]
    assert [answer.status_code for answer in answers] == [409] * 3
    assert all("matches against bots running as you may" in sentence(answer) for answer in answers)
    with pytest.raises(TooManyBotMatches):
        seated(ann, bots=["easy"])
    moves.resign(match_id=int(first["Location"].split("/")[2]), user=ann)
    opening.start_with_bots(match_id=table.pk, user=ann)
