"""Races of YESSS! on the board of the best teams, and nowhere else."""

from random import Random

from games.models import Match
from leaderboards.models import TeamResult
from tests.factories import browser_of, play_on, seat, seated, submit

PAIRS = [[1, 2], [1, 3], [1, 4]]


def race(*people, right: int, bots=()) -> Match:
    """A race without a clock, until all have stopped, with so many right answers."""
    options = {"mode": "cooperative", "minutes": 0}
    match = seated(*people, game_slug="yesss", options=options, bots=list(bots))
    for number in range(len(people)):
        submit(match, seat(match, number), {"type": "ready"}, key="ready")
    for number, pair in enumerate(PAIRS[:right]):
        submit(match, seat(match, 0), {"type": "clue", "pair": pair, "word": "voyage"}, key=f"clue-{number}")
        answer = {"type": "answer", "clue": number, "pair": pair}
        submit(match, seat(match, 1), answer, key=f"answer-{number}")
    for number in range(len(people)):
        submit(match, seat(match, number), {"type": "stop"}, key="stop")
    return match


def test_the_best_teams_stand_first(ann, bob, cem):
    race(ann, bob, right=1)
    race(bob, cem, right=3)
    assert sorted(TeamResult.objects.values_list("score", flat=True)) == [1, 3]
    page = browser_of().get("/leaderboards/yesss/teams/").content.decode()
    assert page.index("cem") < page.index("ann")


def test_a_match_against_each_other_makes_no_team(ann, bob, cem):
    match = play_on(seated(ann, bob, cem, game_slug="yesss", options={"rounds": 1}), Random(2))
    assert match.status == Match.Status.ENDED
    assert not TeamResult.objects.exists()
