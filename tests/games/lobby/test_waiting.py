"""What waits for a person: decisions by least time left, proposals, invitations; counted, shown and answered."""

from datetime import timedelta

import pytest

from config.lib import clock
from games.models import Kind, Match, Notice, Seat
from games.queries import play
from games.services.lobby import opening
from games.services.mail import relevance
from games.services.play import moves
from tests.factories import asked, browser_of, fresh, opened, seat, seated
from tests.games.play.addresses import sentence


def asking(person, other) -> Match:
    """Return a new match of two in which this one is asked."""
    while asked(match := seated(person, other)).user != person:
        pass
    return match


def ends_in(match: Match, **span: int | None) -> None:
    at = clock.now() + timedelta(**span) if span else None
    Seat.objects.filter(match=match, ask__isnull=False).update(deadline=at)


def test_least_time_left_comes_first_then_who_waited_longest(ann, bob):
    late, paused, soon, race = (asking(ann, bob) for _ in range(4))
    ends_in(late, days=2)
    ends_in(soon, hours=1)
    ends_in(paused)
    ends_in(race)
    Match.objects.filter(pk=race.pk).update(ends_at=clock.now() + timedelta(minutes=3))
    order = [race.pk, soon.pk, late.pk, paused.pk]
    assert [match.pk for match in play.matches_of(play.my_turns(ann))] == order
    browser = browser_of(ann)
    assert browser.get("/next/")["Location"] == f"/matches/{race.pk}/"
    assert browser.get(f"/next/?after={soon.pk}")["Location"] == f"/matches/{late.pk}/"
    assert [card["id"] for card in browser.get("/matches/").context["sections"]["turn"]] == order
    page = browser.get("/").content.decode()
    assert [page.index(f'id="w{number}"') for number in order] == sorted(page.index(f'id="w{n}"') for n in order)
    assert "59 min left" in page or "1 h 0 min left" in page
    assert page.count('<use href="#tile-yum-extra"/>') >= len(order)


def test_an_invitation_waits_and_is_answered_in_place(ann, bob):
    browser = browser_of(bob)
    assert "Nothing waits for you" in sentence(browser.get("/"))
    match = opened(ann, size=2, pace="7d", access=Match.Access.INVITATION, invited=[bob])
    page = browser.get("/")
    assert "Nothing waits for you" not in sentence(page)
    assert "One match waits for you" in sentence(page) and "ann invites you" in sentence(page)
    assert "7 days a move casual" in sentence(page)
    assert play.waiting_count(bob) == 1 and "(1)" in page.content.decode()
    assert browser.get("/next/")["Location"] == f"/matches/{match.pk}/"
    assert browser.get("/?fragment=1").content.decode().count(f"/matches/{match.pk}/decline/") == 1
    assert f'id="t{match.pk}"' not in page.content.decode() + browser.get("/play/?fragment=1&home=1").content.decode()
    assert f'id="t{match.pk}"' in browser.get("/play/?fragment=1").content.decode()
    page = "/leaderboards/yum-extra/"
    answer = browser.post(f"/matches/{match.pk}/decline/", headers={"Referer": f"http://testserver{page}"})
    assert (answer["Location"], play.waiting_count(bob)) == (page, 0)
    assert "Nothing waits for you" in sentence(browser.get("/"))


@pytest.mark.outgrown
@pytest.mark.parametrize(
    ("wish", "field", "words", "no"),
    [
        (moves.wish_pause, "wants_pause", "ann proposes a pause", "bob declines the pause"),
        (moves.wish_call_off, "wants_call_off", "ann proposes to call it off", "bob will not call it off"),
    ],
)
def test_a_proposal_waits_until_it_is_answered(ann, bob, wish, field, words, no):
    match = asking(ann, bob)
    number = match.pk
    before = play.waiting_count(ann), play.waiting_count(bob)
    wish(match_id=number, user=ann, wish=True)
    assert (play.waiting_count(ann), play.waiting_count(bob)) == (before[0], before[1] + 1)
    assert play.waiting_ids(bob)[-1] == number
    assert words in sentence(browser_of(bob).get("/"))
    assert words in sentence(browser_of(bob).get(f"/matches/{number}/news/"))
    assert browser_of(ann).get(f"/matches/{number}/news/").status_code == 204
    (notice,) = Notice.objects.filter(kind=Kind.PROPOSED)
    assert notice.user == bob and relevance.is_relevant(notice)
    wish(match_id=number, user=bob, wish=False)
    assert getattr(seat(match, 1), field) is False
    assert play.waiting_count(bob) == before[1] and not relevance.is_relevant(notice)
    assert no in sentence(browser_of(ann).get(f"/matches/{number}/news/"))
    wish(match_id=number, user=ann, wish=False)
    assert list(match.seats.values_list(field, flat=True)) == [None, None]
    wish(match_id=number, user=ann, wish=True)
    assert play.waiting_count(bob) == before[1] + 1
    wish(match_id=number, user=bob, wish=True)
    assert fresh(match).paused_at or fresh(match).ending == Match.Ending.CALLED_OFF


def test_both_answers_stand_on_the_page_of_the_match(ann, bob, cem):
    match = seated(ann, bob, cem)
    address = f"/matches/{match.pk}/"
    browser_of(ann).post(f"{address}pause/", {"wish": "1"})
    page = browser_of(bob).get(address).content.decode()
    assert 'id="proposal-pause"' in page and 'name="wish" value="0"' in page
    assert 'id="proposal-pause"' not in browser_of(ann).get(address).content.decode()
    browser_of(bob).post(f"{address}pause/", {"wish": "0"})
    assert "bob declines the pause Take that back" in sentence(browser_of(ann).get(address))
    assert 'id="proposal-pause"' not in browser_of(bob).get(address).content.decode()
    assert 'id="proposal-pause"' in browser_of(cem).get(address).content.decode()


def test_a_match_against_bots_alone_speaks_of_nobody_else(gus, clock):
    match = opening.create_match(creator=gus, game_slug="yum-extra", size=2, bots=["easy"], pace="14d")
    page = browser_of(gus).get(f"/matches/{match.pk}/").content.decode()
    for words in ("14 days", "data-deadline", "Pause the clocks", "Resign", "all other players"):
        assert words not in page
    assert "End the match" in page and "against bots" in page


@pytest.mark.parametrize(("pace", "quiet"), [("14d", {"days": 10, "hours": 23}), ("3d", {"days": 2, "hours": 5})])
def test_against_bots_alone_a_deadline_is_told_when_it_is_near(gus, hours, pace, quiet):
    match = opening.create_match(creator=gus, game_slug="yum-extra", size=2, bots=["easy"], pace=pace)
    mine = match.seats.filter(user=gus)
    mine.update(ask=9, asked_at=clock.now(), deadline=clock.now() + match.pace.cap, runs_from=clock.now())
    browser, address = browser_of(gus), f"/matches/{match.pk}/"
    hours.go_by(**quiet)
    assert "data-deadline" not in browser.get(address).text
    hours.go_by(hours=2)
    assert "data-deadline" in browser.get(address).text
