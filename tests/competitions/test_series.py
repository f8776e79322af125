"""Matches of tournaments and ladders say to what they belong: on their page, in lists, and when they are over."""

import pytest

from games.models import Match, Seat
from tests.competitions.arranged import begun, end_table, organiser, people, running_tables
from tests.factories import browser_of, member, seated
from tests.games.play.addresses import sentence
from tests.games.play.test_queries_count import asked_of_the_database
from tests.ladders import arranged as ladders

pytestmark = pytest.mark.django_db
NAMED = "Autumn Cup · round 1, table 1"


@pytest.fixture
def olga():
    return organiser()


def told(reader, path: str) -> str:
    answer = browser_of(reader).get(path)
    assert answer.status_code == 200
    return sentence(answer)


def html(reader, path: str) -> str:
    return browser_of(reader).get(path).content.decode()


def test_the_page_of_a_match_names_its_tournament_before_its_table(olga):
    tournament = begun(olga, people(2))
    [table] = running_tables(tournament)
    page = html(None, f"/matches/{table.match_id}/")
    assert 0 < page.index(f'href="/tournaments/{tournament.pk}/"') < page.index('id="table"')
    assert NAMED in told(None, f"/matches/{table.match_id}/")


def test_lists_name_it_in_small_print_with_a_query_for_all_rows_together(olga):
    ann = member("ann")
    begun(olga, [ann, *people(1)])
    for reader, path in ((ann, "/"), (ann, "/matches/"), (None, "/play/")):
        assert NAMED in told(reader, path), path
    for number in range(3):
        mo = olga if number else member("mo", is_superuser=True)
        begun(mo, [ann, *people(1, f"q{number}")], name=f"Cup {number}")
    browser = browser_of(ann)
    asked = asked_of_the_database(lambda: browser.get("/matches/"))
    assert sum('FROM "competitions_table"' in sql for sql in asked) == 1
    assert sum('FROM "ladders_challenge"' in sql for sql in asked) == 1


def test_matches_that_people_opened_cost_no_query_more(ann, bob, monkeypatch):
    seated(ann, bob)
    monkeypatch.setattr("games.competitions.panels.belonging", None)
    assert "of-series" not in html(ann, "/matches/")


def test_whoever_may_not_see_a_tournament_learns_no_name_of_it_from_a_list(olga):
    tournament = begun(olga, people(2), access="link")
    [table] = running_tables(tournament)
    Match.objects.filter(pk=table.match_id).update(access="open")
    words = told(member("eve"), "/play/")
    assert "A tournament by invitation · round 1, table 1" in words
    assert tournament.name not in words
    assert f"/tournaments/{tournament.pk}/" not in html(member("eva"), "/play/")
    assert tournament.name in told(Seat.objects.filter(match=table.match).first().user, "/matches/")


def test_after_a_tournaments_match_the_biggest_button_leads_back(olga):
    tournament = begun(olga, people(2))
    [table] = running_tables(tournament)
    match = end_table(table)
    player = match.seats.first().user
    page = html(player, f"/matches/{match.pk}/").split('class="after"', 1)[1].split("</aside>", 1)[0]
    main = [part for part in page.split("<") if part.startswith(("a ", "button ")) and " main" in part.split(">")[0]]
    assert len(main) == 1
    assert f'href="/tournaments/{tournament.pk}/"' in main[0]
    assert "Standings of the tournament" in main[0]
    assert "Rematch" in page


def test_a_match_of_a_ladder_names_it_and_leads_back(ann, bob):
    ladders.joined([ann, bob])
    match = ladders.playing(bob, ann).match
    for path in ("/", "/matches/", f"/matches/{match.pk}/"):
        assert 'href="/ladders/yum-extra/"' in html(bob, path), path
    assert "Ladder of Yum EXTRA" in told(bob, "/matches/")
    ladders.end(match, [1, 2])
    page = html(bob, f"/matches/{match.pk}/").split('class="after"', 1)[1]
    assert page.index("To the ladder") < page.index("Rematch")


def test_a_match_of_ones_own_has_its_rematch_as_before(ann, bob):
    match = ladders.end(seated(ann, bob), [1, 2])
    page = html(ann, f"/matches/{match.pk}/")
    assert '<button class="main">' in page.split('class="after"', 1)[1]
    assert "of-series" not in page
