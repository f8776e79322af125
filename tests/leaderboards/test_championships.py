"""Championships: announced a month ahead, once, for the best of a season; medals, and who may not take part."""

from datetime import UTC, datetime, timedelta

import pytest

from config.lib import clock as site_clock
from games.competitions import tasks as tournament_tasks
from games.competitions.models import Entrant, Tournament
from games.competitions.services import entering
from games.competitions.services.refusals import NotWelcome
from games.models import Mail
from leaderboards import championships, queries
from leaderboards.models import Championship, Medal, Qualified, Standing
from leaderboards.seasons import before, end_of, next_of, season_of, start_of
from tests.competitions.arranged import people, play_to_the_end
from tests.factories import browser_of, member

pytestmark = pytest.mark.outgrown
SLUG = "yum-extra"


def placed_in(season, members, *, matches=5):
    """Put these members on the board of a season, the first on top."""
    Standing.objects.bulk_create(
        Standing(
            user=one,
            game_slug=SLUG,
            season=season,
            rating=200_000 - 100 * place,
            matches=matches,
            last_active=start_of(season),
        )
        for place, one in enumerate(members)
    )


@pytest.fixture
def season(clock, hours):
    """The first day of a season that has not been."""
    found = next_of(season_of(site_clock.now()))
    hours.go_by(seconds=(start_of(found) - site_clock.now()).total_seconds() + 60)
    return found


def to(hours, at):
    hours.go_by(seconds=(at - site_clock.now()).total_seconds())


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [("2026-Q4", (2026, 10), (2027, 1)), ("2027-Q1", (2027, 1), (2027, 4)), ("2026-Q3", (2026, 7), (2026, 10))],
)
def test_a_season_begins_and_ends(name, start, end):
    assert start_of(name) == datetime(*start, 1, tzinfo=UTC)
    assert end_of(name) == datetime(*end, 1, tzinfo=UTC)
    assert before(next_of(name)) == name


def test_each_games_is_announced_once_a_month_ahead(season, hours):
    championships.tend()
    assert not Championship.objects.exists()
    to(hours, end_of(season) - timedelta(days=30))
    for _again in range(2):
        championships.tend()
    found = Championship.objects.get(game_slug=SLUG)
    assert (found.season, found.tournament.organiser, found.tournament.begins_at) == (
        season,
        None,
        end_of(season) + championships.SIGN_UP,
    )
    assert Championship.objects.count() == Championship.objects.values("game_slug").distinct().count() > 1
    page = browser_of().get(f"/leaderboards/{SLUG}/").content.decode()
    assert f"/tournaments/{found.tournament_id}/" in page


def test_the_best_with_five_matches_are_qualified_and_told_once_when_the_season_is_over(season, hours):
    to(hours, end_of(season) - timedelta(days=30))
    championships.tend()
    best, few = people(18), member("few")
    placed_in(season, best)
    placed_in(season, [few], matches=4)
    found = Championship.objects.get(game_slug=SLUG)
    with pytest.raises(NotWelcome, match="settled when the season ends"):
        entering.enter(tournament_id=found.tournament_id, user=best[0])
    to(hours, end_of(season) + timedelta(minutes=1))
    for _again in range(2):
        championships.tend()
    named = [row.user for row in Qualified.objects.filter(championship=found).order_by("seed")]
    assert named == best[: championships.BEST]
    mails = Mail.objects.filter(kind="tournament")
    assert {mail.message["to"] for mail in mails} == {one.email for one in named}
    assert mails.count() == championships.BEST
    entering.enter(tournament_id=found.tournament_id, user=best[0])
    for who in (best[17], few):
        with pytest.raises(NotWelcome, match="for the best 16"):
            entering.enter(tournament_id=found.tournament_id, user=who)


def played_championship(season, hours, members):
    """Play a whole championship of these; return it."""
    to(hours, end_of(season) - timedelta(days=30))
    championships.tend()
    placed_in(season, members)
    to(hours, end_of(season) + timedelta(minutes=1))
    championships.tend()
    found = Championship.objects.get(game_slug=SLUG, season=season)
    for one in members:
        entering.enter(tournament_id=found.tournament_id, user=one)
    to(hours, found.tournament.begins_at + timedelta(minutes=1))
    tournament_tasks.tend()
    assert Tournament.objects.get(pk=found.tournament_id).state == "running"
    play_to_the_end(found.tournament)
    championships.tend()
    found.refresh_from_db()
    return found


def test_medals_are_given_once_and_shown_on_profiles_and_in_the_hall(season, hours):
    members = people(5)
    found = played_championship(season, hours, members)
    championships.award_due()
    medals = Medal.objects.filter(championship=found).order_by("place")
    assert [medal.place for medal in medals] == [1, 2, 3]
    winner = medals[0].user
    assert queries.champions(SLUG, season) == [winner.pk]
    browser = browser_of()
    assert "Champion of Yum EXTRA" in browser.get(f"/people/{winner.username}/").content.decode()
    hall = browser.get(f"/leaderboards/{SLUG}/champions/").content.decode()
    assert winner.username in hall
    winner.delete()
    assert Medal.objects.filter(championship=found).count() == 3
    assert "former member" in browser.get(f"/leaderboards/{SLUG}/champions/").content.decode()


def test_former_winners_are_qualified_without_a_place_and_seeded_first(season, hours):
    members = people(5)
    winner = Medal.objects.get(championship=played_championship(season, hours, members), place=1).user
    later = season_of(site_clock.now())
    to(hours, end_of(later) - timedelta(days=30))
    championships.tend()
    others = [one for one in members if one != winner]
    placed_in(later, others)
    to(hours, end_of(later) + timedelta(minutes=1))
    championships.tend()
    rows = Qualified.objects.filter(championship__season=later, championship__game_slug=SLUG).order_by("seed")
    assert [row.user for row in rows] == [winner, *others]
    found = Championship.objects.get(game_slug=SLUG, season=later)
    seeds = championships.seeds_of(found.tournament, [one.pk for one in members])
    assert max(seeds, key=seeds.get) == winner.pk


def test_with_too_few_there_is_no_champion(season, hours):
    to(hours, end_of(season) + timedelta(minutes=1) - timedelta(days=30))
    championships.tend()
    found = Championship.objects.get(game_slug=SLUG)
    to(hours, found.tournament.begins_at + timedelta(minutes=1))
    tournament_tasks.tend()
    championships.tend()
    found.refresh_from_db()
    assert found.awarded_at and not Medal.objects.exists() and not Entrant.objects.exists()
    assert "has been played to its end yet" in browser_of().get(f"/leaderboards/{SLUG}/champions/").content.decode()


def test_a_hall_of_no_game_is_not_found():
    assert browser_of().get("/leaderboards/no-such/champions/").status_code == 404
