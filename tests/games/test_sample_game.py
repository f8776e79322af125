"""A game that came by its folder alone is in the lobby, in mails, in the replay and on the leaderboard."""

import re
from datetime import timedelta
from random import Random

import pytest

from games.models import Seat
from games.rules import games
from tests.factories import browser_of, fresh, opened, play_on, played, seat, seated, state_of
from tests.mailing import DAY, HOUR, send, wind

SLUG = "sample-game"


def words(browser, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def test_it_comes_after_the_games_of_the_site():
    assert games()[-1] == SLUG


@pytest.mark.parametrize(
    ("language", "tagline", "goal"),
    [
        ("en", "A race for two, each with a die up the sleeve.", "40 steps"),
        ("fr", "Une course à deux, chacun avec un dé dans la manche.", "40 pas"),
    ],
)
def test_it_is_offered_in_both_languages(ann, language, tagline, goal):
    ann.language = language
    ann.save()
    assert tagline in words(browser_of(ann), "/")
    assert tagline in words(browser_of(ann), f"/games/{SLUG}/")
    assert goal in words(browser_of(ann), f"/play/new/?game={SLUG}")


def test_a_table_stands_in_the_lobby(ann, bob):
    match = opened(ann, size=2, game_slug=SLUG, options={"goal": 20})
    assert "Sample Race" in words(browser_of(bob), f"/play/?game={SLUG}")
    assert "a short race" in words(browser_of(bob), f"/matches/{match.pk}/")


def test_a_mail_says_what_is_asked(ann, bob, clock):
    match = seated(ann, bob, game_slug=SLUG)
    clock.forward(HOUR)
    wind(seat(match, 0), left=timedelta(seconds=2 * HOUR), bank=timedelta(seconds=3 * DAY))
    [mail] = [mail for mail in send() if mail.to == [ann.email]]
    assert "Sample Race" in mail.subject + mail.body


def test_a_replay_tells_its_moves_and_shows_what_was_hidden(ann, bob, cem):
    match = seated(ann, bob, game_slug=SLUG)
    assert f"Hidden die: {state_of(match).hidden[0]}" in words(browser_of(ann), f"/matches/{match.pk}/")
    assert "Hidden die" not in words(browser_of(cem), f"/matches/{match.pk}/")
    match = play_on(match, Random(1))
    assert fresh(match).status == "ended"
    assert words(browser_of(cem), f"/matches/{match.pk}/replay/1/").count("Hidden die") == 2
    assert "and stands at" in words(browser_of(cem), f"/matches/{match.pk}/log/")


def test_a_rated_match_counts_on_its_leaderboard(ann, bob):
    for member in (ann, bob):
        member.emailaddress_set.create(email=member.email, verified=True, primary=True)
    played(ann, bob, game_slug=SLUG)
    assert "Sample Race" in words(browser_of(ann), f"/leaderboards/{SLUG}/")
    assert Seat.objects.get(match__game_slug=SLUG, user=ann).rank == 1
    assert "Sample Race" in words(browser_of(ann), "/people/ann/")
