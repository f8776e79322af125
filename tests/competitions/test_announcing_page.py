"""The form of a new tournament: who may use it, what it refuses beside which field, and what it announces."""

import re
from datetime import timedelta

import pytest

from config.lib import clock
from games.competitions.models import Tournament
from games.rules import games
from tests.competitions.arranged import announced, organiser
from tests.factories import browser_of, guest, member, moderator
from tests.games.play.addresses import sentence
from tests.games.test_once import form_on
from tests.hostile import TEXTS

pytestmark = pytest.mark.django_db
NEW = "/tournaments/new/"


def wishes(**changed) -> dict[str, str]:
    """Return what a browser sends of the form, filled in."""
    usual = {
        "game": "yum-extra",
        "name": "Winter Cup",
        "words": "Come all",
        "format": "swiss",
        "rounds_wished": "0",
        "seats": "4",
        "pace": "3d",
        "days": "10",
        "judge": "bots",
        "least": "8",
        "most": "16",
        "rated": "rated",
        "access": "public",
        "begins_at": f"{clock.now() + timedelta(days=3):%Y-%m-%dT%H:%M}",
        "option_scratch": "forced",
        "least_ended": "0",
        "least_reliability": "0",
    }
    return usual | {name: str(value) for name, value in changed.items()}


def test_a_visitor_and_a_guest_are_led_to_sign_up_and_back():
    for person in (None, guest()):
        for answer in (browser_of(person).get(NEW), browser_of(person).post(NEW, wishes())):
            assert answer.status_code == 302
            assert answer["Location"].startswith("/accounts/signup/?next=%2Ftournaments%2Fnew%2F")


def test_whoever_has_not_played_enough_is_told_what_is_missing():
    for answer in (browser_of(member("ann")).get(NEW), browser_of(member("bob")).post(NEW, wishes())):
        assert answer.status_code == 403
        assert "You still need 20 ended matches against people (you have 0)." in sentence(answer)
    assert not Tournament.objects.exists()


@pytest.mark.thin(5)
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "\u202e \u200b"}, "Give it a name."),
        ({"format": "x"}, "Select a valid choice"),
        ({"seats": 9}, "Select a valid choice"),
        ({"pace": ""}, "This format needs it."),
        ({"pace": "live"}, "Select a valid choice"),
        ({"days": ""}, "This format needs it."),
        ({"days": 61}, "less than or equal to 60"),
        ({"least": 3}, "This does not fill one table."),
        ({"most": 6}, "This is fewer than must come for it to begin."),
        ({"most": 1001}, "less than or equal to 1000"),
        ({"begins_at": "soon"}, "Enter a valid date/time."),
        ({"begins_at": "2020-01-01T10:00"}, "between ten minutes and ninety days"),
        ({"format": "knockout", "advance": 4}, "At least one of each table must be out."),
        ({"format": "arena", "evening": ""}, "This format needs it."),
        ({"lowest_rating": 1800, "highest_rating": 1200}, "The highest rating is below the lowest."),
        ({"least_reliability": 101}, "less than or equal to 100"),
        ({"access": "open"}, "Select a valid choice"),
        ({"game": "yum-extra", "option_scratch": "x"}, "Select a valid choice"),
        ({"format": "robin", "seats": 4, "least": 500, "most": 1000}, "too many rounds"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_lost(changed, words):
    answer = browser_of(organiser()).post(NEW, wishes(**changed))
    assert answer.status_code == 400
    assert words in sentence(answer)
    assert "Come all" in answer.content.decode()
    assert not Tournament.objects.exists()


def test_an_unknown_game_is_not_there():
    assert browser_of(organiser()).get(f"{NEW}?game=chess").status_code == 404
    assert browser_of(organiser("oz")).post(NEW, wishes(game="chess")).status_code == 404


def test_a_fourth_at_once_is_refused():
    olga = organiser()
    for _time in range(3):
        announced(olga)
    answer = browser_of(olga).post(NEW, wishes())
    assert answer.status_code == 409 and "three tournaments under way" in sentence(answer)


def test_too_often_is_said(settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"tournament": "1/d/user"}
    browser = browser_of(moderator())
    browser.post(NEW, wishes())
    answer = browser.post(NEW, wishes(name="Another"))
    assert answer.status_code == 429 and "a little fast" in sentence(answer)


@pytest.mark.thin(0)
def test_hostile_texts_are_kept_as_texts():
    browser = browser_of(moderator())
    for number, text in enumerate(TEXTS):
        Tournament.objects.update(state="cancelled", ended_at=clock.now())
        answer = browser.post(NEW, wishes(name=text[:60], words=text[:2000], format="robin" if number % 2 else "swiss"))
        assert answer.status_code in (302, 400, 429)
        for tournament in Tournament.objects.order_by("-pk")[:1]:
            page = browser.get(f"/tournaments/{tournament.pk}/").content.decode()
            assert "<script>alert" not in page and "<img src=x" not in page
            assert not set(tournament.name + tournament.words) & set("\0\x1b\u202e\u2066\ufeff")


@pytest.mark.thin(0)
def test_every_field_of_the_form_takes_any_text(settings):
    settings.ACCOUNT_RATE_LIMITS = False
    browser = browser_of(moderator())
    for number, text in enumerate(TEXTS):
        name = sorted(wishes())[number % len(wishes())]
        assert browser.post(NEW, wishes() | {name: text}).status_code in (302, 400, 404, 409), (name, text)
        Tournament.objects.update(state="cancelled", ended_at=clock.now())


@pytest.mark.parametrize("slug", games())
def test_the_form_of_each_game_announces_as_it_is_proposed(slug):
    browser = browser_of(organiser())
    page = browser.get(f"{NEW}?game={slug}")
    form = page.context["form"]
    sent = {field.html_name: field.value() for field in form if field.value() is not None}
    answer = browser.post(NEW, {"game": slug, **sent, "name": "As proposed"})
    told = sentence(answer)
    assert answer.status_code == 302 or "no tournaments" in told, told[:3000]


def test_it_is_announced_once_as_it_was_wished():
    browser = browser_of(organiser())
    post = form_on(browser, NEW, NEW) | wishes(lowest_rating=1000, least_ended=3, access="link")
    answers = [browser.post(NEW, post) for _time in range(2)]
    tournament = Tournament.objects.get()
    assert {answer["Location"] for answer in answers} == {f"/tournaments/{tournament.pk}/"}
    assert (tournament.name, tournament.words) == ("Winter Cup", "Come all")
    assert (tournament.seats, tournament.access) == (4, "link")
    assert (tournament.round_limit, tournament.pace_slug, tournament.rated) == (10 * 24 * 60, "3d", True)
    assert (tournament.lowest_rating, tournament.highest_rating, tournament.least_ended) == (1000, None, 3)
    assert tournament.options == {"scratch": "forced"}


def test_an_evening_is_live_and_what_other_formats_need_is_left_out():
    browser_of(organiser()).post(NEW, wishes(format="arena", evening=90, pace="", days="", rounds_wished=5, advance=2))
    tournament = Tournament.objects.get()
    assert (tournament.pace_slug, tournament.round_limit) == ("live", 90)
    assert (tournament.rounds_wished, tournament.advance, tournament.matches) == (0, 0, 1)


def test_the_time_is_that_of_the_reader():
    olga = organiser()
    olga.time_zone = "Europe/Paris"
    olga.save()
    day = clock.now() + timedelta(days=3)
    browser_of(olga).post(NEW, wishes(begins_at=f"{day:%Y-%m-%d}T20:00"))
    assert Tournament.objects.get().begins_at.hour in (18, 19)


def test_the_form_in_french():
    olga = organiser()
    olga.language = "fr"
    olga.save()
    told = sentence(browser_of(olga).get(NEW))
    assert "Organiser un tournoi" in told and "Système suisse" in told and "Places par table" in told
    assert "Ce n’est" not in told


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "", "format": "x", "seats": 9, "pace": "live", "days": ""},
        {"least": 3, "access": "open", "judge": "x", "rated": "y", "option_scratch": "x"},
        {"lowest_rating": 1800, "highest_rating": 1200, "begins_at": "soon", "least_reliability": 101},
    ],
)
def test_the_box_of_what_is_wrong_leads_to_each_field(changed):
    page = browser_of(organiser()).post(NEW, wishes(**changed)).content.decode()
    box = page.split('class="note bad"', 1)[1].split("</div>", 1)[0]
    links = re.findall(r'href="#([^"]+)"', box)
    assert len(links) >= len(changed) - 1
    assert [link for link in links if page.count(f'id="{link}"') != 1] == []


def test_it_is_said_that_it_is_announced_and_until_when_one_may_sign_up():
    answer = browser_of(organiser()).post(NEW, wishes(), follow=True)
    assert "Announced: Winter Cup. Sign-up is open until" in sentence(answer)
