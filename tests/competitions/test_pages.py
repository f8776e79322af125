"""The pages of tournaments: the list, one's own page, what each reader is told there."""

from datetime import timedelta
from random import Random

import pytest

from accounts.models import Block
from config.lib import clock
from games.clocks import when
from games.competitions import pairing, queries
from games.competitions.models import Entrant, Tournament
from games.competitions.services import correcting
from tests.competitions import arranged
from tests.competitions.arranged import announced, begun, entered, organiser, people, play_round, play_to_the_end
from tests.factories import browser_of, guest, member, moderator
from tests.games.play.addresses import sentence

pytestmark = pytest.mark.django_db
STATES = ("open", "running", "over", "cancelled")


def page(reader, tournament: Tournament | str, query: str = "") -> str:
    """Return the words of a tournament's page for a reader, or of an address."""
    address = tournament if isinstance(tournament, str) else f"/tournaments/{tournament.pk}/"
    answer = browser_of(reader).get(address + query)
    assert answer.status_code == 200, answer.status_code
    return sentence(answer)


def test_the_empty_list_says_so_to_everybody():
    for reader in (None, guest(), member("ann")):
        told = page(reader, "/tournaments/")
        assert "No tournament is open for sign-up now." in told
        assert "No tournament is running now." in told
        assert "No tournament is over yet." in told


def test_whoever_may_not_organise_is_told_what_is_missing():
    assert "20 ended matches against people (you have 0)" in page(member("ann"), "/tournaments/")
    assert "Organise a tournament" in page(organiser(), "/tournaments/")
    assert "you still need" not in page(moderator(), "/tournaments/")


def test_the_list_has_what_is_open_the_soonest_first_what_runs_and_what_is_over():
    olga, mo = organiser(), moderator()
    late = announced(olga, name="Late", begins_at=arranged.clock.now() + arranged.timedelta(days=3))
    soon = announced(olga, name="Soon")
    runs = begun(mo, people(2), name="Runs")
    over = play_to_the_end(begun(mo, people(2, "q"), name="Done"))
    hidden = announced(mo, name="Hidden one", access="link")
    told = page(None, "/tournaments/")
    assert [told.index(one.name) for one in (soon, late, runs, over)] == sorted(
        told.index(one.name) for one in (soon, late, runs, over)
    )
    assert hidden.name not in told
    assert hidden.name in page(mo, "/tournaments/")
    assert soon.name not in page(None, "/tournaments/", "?game=yay")
    assert soon.name in page(None, "/tournaments/", "?game=yum-extra")


def test_the_list_marks_what_one_may_enter():
    olga, ann = organiser(), member("ann")
    announced(olga, name="Free for all")
    assert page(ann, "/tournaments/").count("you may sign up") == 1
    assert "you may sign up" not in page(None, "/tournaments/")
    Block.objects.create(blocker=olga, blocked=ann)
    assert "you may sign up" not in page(ann, "/tournaments/")


@pytest.mark.parametrize("unfit", [{"least_ended": 3}, {"lowest_rating": 2000}, {"highest_rating": 200}])
def test_the_list_does_not_mark_what_asks_for_more(unfit):
    announced(organiser(), **unfit)
    assert "you may sign up" not in page(member("ann"), "/tournaments/")


def test_the_past_is_paged():
    mo = moderator()
    rows = [
        Tournament(
            **arranged.USUAL
            | {"name": f"No {n}", "least": 2, "begins_at": arranged.clock.now(), "state": "over", "organiser": mo},
            ended_at=arranged.clock.now() + arranged.timedelta(minutes=n),
        )
        for n in range(25)
    ]
    Tournament.objects.bulk_create(rows)
    first, second = page(None, "/tournaments/"), page(None, "/tournaments/", "?past=2")
    assert "No 24" in first and "No 4 " not in first
    assert "No 14 " in second and "No 24" not in second


def test_an_open_one_tells_what_is_announced_and_who_has_signed_up():
    olga, (bob, cem) = organiser(), people(2)
    tournament = announced(olga, words="Bring\ncake", lowest_rating=1000, least=2, most=8)
    entered(tournament, [bob, cem])
    told = page(None, tournament)
    for words in ("Autumn Cup", "Bring cake", "p001", "p002", "2 of 8, at least 2 needed", "a rating of at least 1000"):
        assert words in told
    assert tournament.commitment in told
    assert "Sign up for it" in told


def test_a_running_one_has_the_round_and_whose_match_it_is():
    olga, members = organiser(), people(6)
    tournament = begun(olga, members)
    told = page(members[0], tournament)
    assert "Your match" in told and "To your match" in told
    assert told.count("Table ") >= 3
    assert "No table is over yet" in told
    assert "Your match" not in page(None, tournament)
    play_round(tournament)
    told = page(members[0], tournament)
    assert "Round 2" in told and "100" in told
    assert "See the match" in page(members[0], tournament, "?round=1")


def test_the_end_is_told_with_the_winner_and_the_seed():
    olga, members = organiser(), people(4)
    tournament = begun(olga, members)
    seed = bytes(tournament.server_seed).hex()
    assert seed not in page(olga, tournament)
    tournament = play_to_the_end(tournament, Random(3))
    told = page(None, tournament)
    assert seed in told and "The winner of the tournament" in told and "Final standings" in told
    first = Entrant.objects.get(tournament=tournament, number=winner(tournament))
    assert "You have won." in page(first.user, tournament)
    loser = Entrant.objects.filter(tournament=tournament).exclude(pk=first.pk).first()
    assert "You came in at place" in page(loser.user, tournament)


def winner(tournament: Tournament) -> int:
    results, everybody = queries.results_of(tournament), queries.everybody(tournament)
    return pairing.standings(queries.plan_of(tournament), everybody, results)[0].number


def test_a_day_far_off_is_told_by_its_date():
    olga = organiser()
    at = clock.now() + timedelta(days=60)
    page = browser_of().get(f"/tournaments/{announced(olga, begins_at=at).pk}/").content.decode()
    assert when(at).split()[0] in page and when(at).split()[0].isdigit()


def test_a_voided_table_that_is_still_played_is_told_as_one_outside():
    olga, members = organiser(), people(4)
    tournament = begun(olga, members)
    table = arranged.running_tables(tournament)[0]
    player = table.match.seats.get(number=0).user
    correcting.void_table(tournament_id=tournament.pk, user=olga, table_id=table.pk, reason="Wrong options")
    sentence_of_it = "it counts for nothing in the tournament. The match itself goes on as one of its own."
    told = page(player, tournament)
    assert "Your match" not in told and told.count(sentence_of_it) == 2  # among one's own, and at the table
    assert "To your match" in told and "1. " not in told
    told = page(None, tournament)
    assert told.count(sentence_of_it) == 1 and told.count("Watch the match") == 2 and "See the match" not in told
    assert "counts for nothing there, and the match itself goes on, rated" in page(
        player, f"/matches/{table.match_id}/"
    )
    arranged.end_table(table)
    assert "See the match" in page(None, tournament) and "goes on as one" not in page(None, tournament)


def test_what_is_printed_has_a_thousand_tables_a_page_and_leads_on(monkeypatch):
    monkeypatch.setattr("games.competitions.views.page.TABLES_PRINTED", 3)
    tournament = begun(organiser(), people(8), rounds_wished=2)
    play_round(tournament)
    browser, address = browser_of(), f"/tournaments/{tournament.pk}/"
    first = browser.get(f"{address}?whole=1")
    assert len(first.context["tables"]) == 3
    following = "?whole=1&amp;tables=2#rounds"
    assert following in first.content.decode()
    assert len(browser.get(f"{address}?whole=1&tables=3").context["tables"]) == 2
