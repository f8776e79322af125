"""Signing up, withdrawing and being ready over the pages: refusals in words, then what is done."""

import pytest

from accounts.models import Block
from games.competitions.models import Entrant, Tournament
from tests.competitions.arranged import announced, begun, entered, now, organiser, people
from tests.factories import browser_of, confirmed_member, guest, member, moderator
from tests.games.play.addresses import sentence
from tests.games.test_once import form_on

pytestmark = pytest.mark.django_db
ARENA = {"format": "arena", "pace_slug": "live", "round_limit": 120}


def post(person, tournament: Tournament, act: str, **fields):
    return browser_of(person).post(f"/tournaments/{tournament.pk}/{act}/", fields)


def refused(answer, status: int, words: str) -> None:
    """The answer is the tournament's page with this sentence."""
    assert answer.status_code == status
    told = sentence(answer)
    assert words in told and "Autumn Cup" in told


@pytest.mark.parametrize("act", ["enter", "withdraw", "ready"])
def test_a_visitor_and_a_guest_are_led_to_sign_up_and_back(act):
    tournament = announced(organiser())
    for person in (None, guest()):
        answer = post(person, tournament, act)
        assert answer.status_code == 302
        assert answer["Location"] == f"/accounts/signup/?next=%2Ftournaments%2F{tournament.pk}%2F"
    assert not Entrant.objects.exists()


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"lowest_rating": 1900}, "outside this tournament’s range"),
        ({"least_ended": 2}, "2 ended matches are missing"),
    ],
)
def test_a_condition_is_said_with_what_is_missing(wishes, words):
    tournament, ann = announced(organiser(), **wishes), member("ann")
    refused(post(ann, tournament, "enter"), 403, words)
    page = browser_of(ann).get(f"/tournaments/{tournament.pk}/")
    assert words in sentence(page) and "Sign up for it" not in sentence(page)


def test_whoever_is_blocked_is_refused_without_a_word_of_it():
    olga, ann = organiser(), member("ann")
    tournament = announced(olga)
    Block.objects.create(blocker=olga, blocked=ann)
    answer = post(ann, tournament, "enter")
    refused(answer, 403, "You are welcome at others.")
    assert "block" not in sentence(answer).lower()


def test_a_full_one_and_a_running_one_take_nobody():
    olga, members = organiser(), people(3)
    tournament = announced(olga, most=2)
    entered(tournament, members[:2])
    refused(post(members[2], tournament, "enter"), 409, "All seats are taken.")
    Entrant.objects.all().delete()
    running = begun(olga, members[:2])
    refused(post(members[2], running, "enter"), 409, "not possible any more")


def test_whoever_does_not_take_part_cannot_withdraw_or_be_ready():
    olga, ann = organiser(), member("ann")
    refused(post(ann, announced(olga), "withdraw"), 403, "You do not take part")
    refused(post(ann, announced(olga), "ready", wish="1"), 409, "not possible any more")
    arena = begun(moderator(), people(2), seats=2, **ARENA)
    refused(post(ann, arena, "ready", wish="1"), 403, "You do not take part")


def test_too_often_is_said_on_the_page(settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"entry": "1/h/user"}
    olga, ann = organiser(), member("ann")
    post(ann, announced(olga), "enter")
    refused(post(ann, announced(olga), "enter"), 429, "a little fast")


@pytest.mark.parametrize("number", [10**6, 10**18, 10**30])
def test_there_is_nothing_to_post_to_at_other_numbers(number):
    for act in ("enter", "withdraw", "ready", "manage"):
        assert browser_of(member(f"ann-{act}")).post(f"/tournaments/{number}/{act}/").status_code == 404


def test_one_signs_up_withdraws_and_comes_back():
    tournament, ann = announced(organiser()), member("ann")
    browser, page = browser_of(ann), f"/tournaments/{tournament.pk}/"
    answer = browser.post(f"{page}enter/", form_on(browser, page, f"{page}enter/"), follow=True)
    assert "You have signed up." in sentence(answer) and "You take part" in sentence(answer)
    answer = browser.post(f"{page}withdraw/", form_on(browser, page, f"{page}withdraw/"), follow=True)
    assert "You have withdrawn." in sentence(answer) and "Sign up for it" in sentence(answer)
    assert Entrant.objects.get(user=ann).left == "withdrew"
    browser.post(f"{page}enter/", form_on(browser, page, f"{page}enter/"))
    assert Entrant.objects.get(user=ann).left == ""


def test_an_old_post_does_not_withdraw_again():
    tournament, ann = announced(organiser()), member("ann")
    entered(tournament, [ann])
    browser, page = browser_of(ann), f"/tournaments/{tournament.pk}/"
    old = form_on(browser, page, f"{page}withdraw/")
    browser.post(f"{page}withdraw/", old)
    entered(tournament, [ann])
    assert browser.post(f"{page}withdraw/", old).status_code == 302
    assert Entrant.objects.get(user=ann).left == ""


def test_in_an_arena_one_says_that_one_is_ready_and_pauses():
    members = people(3)
    arena = begun(moderator(), members, seats=3, least=3, **ARENA)
    browser, page = browser_of(members[0]), f"/tournaments/{arena.pk}/"
    assert "I am ready" in sentence(browser.get(page))
    browser.post(f"{page}ready/", form_on(browser, page, f"{page}ready/") | {"wish": "1"})
    assert Entrant.objects.get(user=members[0]).ready_at is not None
    assert "I pause" in sentence(browser.get(page))
    browser.post(f"{page}ready/", form_on(browser, page, f"{page}ready/") | {"wish": "0"})
    assert Entrant.objects.get(user=members[0]).ready_at is None
    assert now(arena).state == "running"


def test_whoever_is_not_confirmed_is_told_of_the_mail_before_and_after():
    tournament, new = announced(organiser(), access="link"), confirmed_member("new", "new@example.org", confirmed=False)
    link = f"/tournaments/link/{tournament.token}/"
    assert "Its e-mail address must be confirmed" in sentence(browser_of().get(link))
    answer = post(new, tournament, "enter", token=tournament.token)
    refused(answer, 403, "We have sent you a mail: once you have pressed its link, you may sign up here.")
    page = browser_of(new).get(link)
    assert "you may sign up here" in sentence(page) and "Rated matches are for" not in sentence(page)
    assert 'href="/accounts/email/"' in page.content.decode()


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({}, "Rated: 3 days a move; whoever runs out of time is not seated again."),
        ({"rated": False, "pace_slug": "1d"}, "Casual: 1 day a move; whoever runs out"),
        (ARENA, "pauses until they say that they are there."),
    ],
)
def test_what_it_costs_is_said_where_one_signs_up(wishes, words):
    told = sentence(browser_of().get(f"/tournaments/{announced(organiser(), **wishes).pk}/"))
    assert words in told and "You may withdraw at any time." in told
