"""Boards of teams, champions and clubs by programs: what is hidden stays so, the rest is what pages show."""

import pytest

from accounts.models import User
from leaderboards.models import Championship, Medal
from tests.api.calling import Program, problem
from tests.clubs.arranged import INVITATION, made
from tests.clubs.test_club_board import standing
from tests.factories import browser_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_ranks_left")]


def test_a_clubs_board(ann: User, bob: User, eve: User) -> None:
    club = made(ann, bob, access=INVITATION)
    standing(ann, 160000), standing(bob, 150000), standing(eve, 170000)
    problem(Program(eve).get(f"/clubs/{club.pk}/board"), 404, "not_found")
    told = Program(bob).get(f"/clubs/{club.pk}/board?game=yum-extra").json()
    assert (told["game"], [row["name"] for row in told["items"]]) == ("yum-extra", ["ann", "bob"])
    assert browser_of(bob).get(f"/clubs/{club.pk}/board/?game=yum-extra").status_code == 200
    for wrong in ("game=nothing", "season=1999-Q1"):
        problem(Program(bob).get(f"/clubs/{club.pk}/board?{wrong}"), 404, "not_found")


def test_champions_and_teams(ann: User, bob: User) -> None:
    program = Program(ann)
    for address in ("/boards/nothing/teams", "/boards/nothing/champions"):
        problem(program.get(address), 404, "not_found")
    assert program.get("/boards/yay/champions").json()["items"] == []
    for slug in ("yay", "yum-extra", "yes", "yesss"):
        shown = browser_of(ann).get(f"/leaderboards/{slug}/teams/").status_code
        assert program.get(f"/boards/{slug}/teams").status_code == shown, slug
    assert Championship.objects.count() == Medal.objects.count() == 0
