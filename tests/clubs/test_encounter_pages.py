"""The pages of club matches: who sees them, what they ask, each deed by its form, without a script."""

import pytest
from django.urls import reverse

from games.clubs import tasks
from games.clubs.models import Encounter, Lineup
from games.clubs.services.encounters import lining_up
from games.models import Club, Membership
from tests.clubs.encounters import (
    accepted,
    begun,
    challenged,
    club_of,
    end_board,
    form_of,
    lined_up,
    now,
    owner,
    people,
    two_clubs,
)
from tests.factories import browser_of, guest
from tests.ladders.test_pages import text_of

pytestmark = pytest.mark.django_db


def deed(encounter: Encounter, name: str) -> str:
    return reverse(f"club-match-{name}", args=[encounter.pk])


def at(encounter: Encounter) -> str:
    return reverse("club-match", args=[encounter.pk])


def test_a_challenge_goes_from_form_to_sum(hours):
    alpha, beta, ours, theirs = two_clubs(3)
    mine, other = browser_of(ours[0]), browser_of(theirs[0])
    address = reverse("club-challenge", args=[beta.pk])
    assert b"Send the challenge" in mine.get(address).content
    assert mine.post(address, form_of(alpha, seats="3")).status_code == 400
    assert mine.post(address, form_of(alpha, begins_at="2020-01-01T00:00")).status_code == 400
    assert mine.post(address, form_of(alpha)).status_code == 302
    made = Encounter.objects.get()
    assert mine.post(address, form_of(alpha)).status_code == 409
    assert "Withdraw the challenge" in mine.get(at(made)).content.decode()
    page = other.get(at(made)).content.decode()
    assert "Your club is challenged" in page and "Come on" in page and made.commitment in page
    assert "challenges your club" in other.get("/").content.decode()
    assert other.post(deed(made, "answer"), {"wish": "accept"}).status_code == 302
    for one in (*ours, *theirs):
        browser = browser_of(one)
        assert "Do you play?" in browser.get(at(made)).content.decode()
        assert browser.post(deed(made, "play"), {"wish": "play"}).status_code == 302
    rows = list(Lineup.objects.filter(side=0).order_by("pk"))
    order = {f"place_{row.pk}": str(number) for row, number in zip(rows, (3, 2, 1), strict=True)}
    assert browser_of(ours[1]).post(deed(made, "line-up"), {"side": "0", "wish": "save", **order}).status_code == 403
    assert mine.post(deed(made, "line-up"), {"side": "0", "wish": "save", **order}).status_code == 302
    assert 'value="1"' in mine.get(at(made)).content.decode()
    tables = begun(made, hours)
    page = browser_of(ours[2]).get(at(made)).content.decode()
    assert "To your match" in page and "Table 3" in page
    assert "Alpha – Beta" in browser_of(ours[2]).get(f"/matches/{tables[0].match_id}/").content.decode()
    for table in tables:
        end_board(table, [1, 1])
    tasks.tend_encounters()
    page = browser_of().get(at(made)).content.decode()
    assert "A draw" in page and "150" in page and bytes(now(made).server_seed).hex() in page
    assert "150 : 150" in browser_of().get(reverse("club-matches", args=[alpha.pk])).content.decode()
    assert "150 : 150" in browser_of().get(reverse("club", args=[beta.pk])).content.decode()


def test_a_yes_says_what_it_costs_and_who_is_left_over_is_told(hours):
    alpha, beta, ours, theirs = two_clubs(3)
    made = accepted(alpha, beta, seats=2)
    first, last = browser_of(ours[0]), browser_of(ours[2])
    assert "one match of Yum EXTRA, 3 days a move, rated; it begins" in last.get(at(made)).content.decode()
    lined_up(made, ours)
    assert "no seat so far" not in last.get(at(made)).content.decode()  # as nobody has one
    lined_up(made, theirs[:2])
    page = text_of(last, at(made))
    assert "You play for Alpha" in page and "Do you play?" not in page and page.count("no seat so far") == 1
    assert first.get(at(made)).content.decode().count("no seat so far") == 1  # in the form of the order, too
    begun(made, hours)
    seated = [browser.get(at(made)).content.decode() for browser in (first, browser_of(theirs[2]), browser_of())]
    assert not any("none was left for you" in page for page in seated)
    assert "none was left for you" in last.get(at(made)).content.decode()


def test_of_a_hidden_club_strangers_learn_nothing(hours, eve):
    ours, theirs = people(2, "a"), people(2, "b")
    alpha, beta = club_of("Alpha", ours, "invitation"), club_of("Beta", theirs)
    made = accepted(alpha, beta)
    lined_up(made, [*ours, *theirs])
    tables = begun(made, hours)
    for stranger in (browser_of(), browser_of(eve), browser_of(guest())):
        assert stranger.get(at(made)).status_code in (302, 404)
        for name in ("answer", "play", "withdraw", "line-up"):
            assert stranger.post(deed(made, name)).status_code in (302, 404)
        assert stranger.get(reverse("club-matches", args=[alpha.pk])).status_code in (302, 404)
        assert "Alpha" not in stranger.get(reverse("club-matches", args=[beta.pk])).content.decode()
        assert "Alpha" not in stranger.get(reverse("club", args=[beta.pk])).content.decode()
        assert stranger.get(f"/matches/{tables[0].match_id}/").status_code in (302, 404)
    assert browser_of(theirs[1]).get(at(made)).status_code == 200
    assert tables[0].match.access == "invitation"


def test_a_club_that_hides_later_takes_its_matches_along(eve):
    alpha, beta, *_ = two_clubs(1)
    made = challenged(alpha, beta)
    assert browser_of(eve).get(at(made)).status_code == 200
    alpha.access = "invitation"
    alpha.save()
    assert browser_of(eve).get(at(made)).status_code == 404


def test_tables_of_a_club_that_hid_before_the_hour_are_watched_by_who_sits_there(hours, eve):
    alpha, beta, ours, theirs = two_clubs(2)
    made = accepted(alpha, beta)
    lined_up(made, [*ours, *theirs])
    Club.objects.filter(pk=alpha.pk).update(access="invitation")
    tables = begun(made, hours)
    assert [one.match.access for one in tables] == ["invitation"] * 2
    assert browser_of(eve).get(f"/matches/{tables[0].match_id}/").status_code in (302, 404)
    assert browser_of(ours[0]).get(f"/matches/{tables[0].match_id}/").status_code == 200


def test_who_organises_no_club_has_no_form(eve):
    alpha, beta, ours, _theirs = two_clubs(2)
    address = reverse("club-challenge", args=[beta.pk])
    assert browser_of().get(address).status_code == 302
    assert browser_of(eve).get(address).status_code == 403
    assert browser_of(ours[1]).get(address).status_code == 403
    Membership.objects.filter(user=ours[1]).update(role="organiser")
    assert browser_of(ours[1]).get(address).status_code == 200
    assert browser_of(owner(beta)).get(address).status_code == 403
    assert browser_of(ours[1]).get(address + "?game=chess").status_code == 404
    assert alpha.pk != beta.pk


@pytest.mark.parametrize("junk", ["", "x", "9" * 30, "-1", "\0"])
def test_junk_in_a_line_up_is_harmless(junk):
    alpha, beta, ours, _theirs = two_clubs(2)
    made = accepted(alpha, beta)
    lined_up(made, ours)
    browser = browser_of(ours[0])
    row = Lineup.objects.first()
    for data in ({"side": "0", f"place_{row.pk}": junk}, {"side": "0", f"place_{junk}": "1"}, {"side": junk}):
        assert browser.post(deed(made, "line-up"), data).status_code in (302, 403)
    assert browser.post(deed(made, "play"), {"wish": "play", "side": junk}).status_code == 302


def test_whoever_has_not_said_is_asked_at_home():
    alpha, beta, ours, _theirs = two_clubs(2)
    made = accepted(alpha, beta)
    browser = browser_of(ours[1])
    assert "Do you play?" in browser.get("/").content.decode()
    browser.post(deed(made, "play"), {"wish": "not"})
    assert "Do you play?" not in browser.get("/").content.decode()


@pytest.mark.parametrize("said", [True, False, None])
def test_who_left_a_hidden_club_before_the_hour_sees_its_club_match_no_more(said):
    one, other = people(3, "a"), people(3, "b")
    alpha, beta = club_of("Alpha", one, access="invitation"), club_of("Beta", other)
    made = accepted(alpha, beta)
    lined_up(made, [one[0], other[0]])
    if said is not None:
        lining_up.say(encounter_id=made.pk, user=one[1], plays=said)
    Membership.objects.filter(user=one[1]).delete()
    assert browser_of(one[1]).get(at(made)).status_code == 404
    assert browser_of(one[2]).get(at(made)).status_code == 200


def test_who_plays_sees_a_hidden_club_match_after_leaving_the_club(hours):
    one, other = people(2, "a"), people(2, "b")
    made = accepted(club_of("Alpha", one, access="invitation"), club_of("Beta", other))
    lined_up(made, [*one, *other])
    begun(made, hours)
    Membership.objects.filter(user=one[1]).delete()
    assert browser_of(one[1]).get(at(made)).status_code == 200


def test_a_club_is_not_challenged_again_and_again():
    alpha, beta, ours, _theirs = two_clubs(1)
    mine, address = browser_of(ours[0]), reverse("club-challenge", args=[beta.pk])
    for number in range(4):
        assert mine.post(address, form_of(alpha)).status_code == (302 if number < 3 else 429)
        if number < 3:
            assert mine.post(deed(Encounter.objects.get(state="offered"), "withdraw")).status_code == 302
    assert not Encounter.objects.filter(state="offered").exists()
