"""The pages of ladders, for visitors, guests and members, and what members do there, without a script."""

import re

import pytest
from django.test import Client

from accounts.models import User
from accounts.services.closing import close_account
from games.ladders import queries, tasks
from games.ladders.models import Challenge, Climber
from games.ladders.services import standing
from games.moderation import matches as deeds
from tests.factories import browser_of, fresh, guest, placed
from tests.games.test_once import form_on
from tests.ladders.arranged import GAME, challenged, climber, joined, ladder, names, now, people, place, play, playing

PAGE = f"/ladders/{GAME}/"


def text_of(browser: Client, path: str = PAGE) -> str:
    """Return the words of a page, tags left out."""
    answer = browser.get(path)
    assert answer.status_code == 200
    main = answer.content.decode().split("<main", 1)[1].split("</main>", 1)[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", main))


def posted(browser: Client, page: str, action: str, **more: str):
    """Post the form of a page, as it stands there."""
    return browser.post(action, form_on(browser, page, action) | more)


def test_a_visitor_finds_the_ladders_and_is_led_to_sign_up(client, ann, bob):
    assert "Nobody yet. Be the first." in text_of(client, "/ladders/")
    assert "Nobody stands on this ladder yet." in text_of(client)
    joined([ann, bob])
    assert "1. ann 2. bob" in text_of(client, "/ladders/")
    words = text_of(client)
    assert "Sign up" in words and "Join the ladder" not in words
    assert "bob has joined, at place 2." in words
    assert "/accounts/login/" in client.post(f"{PAGE}join/", {"at_once": "2"})["Location"]
    assert browser_of(guest()).post(f"{PAGE}join/", {"at_once": "2"})["Location"].startswith("/accounts/signup/")


@pytest.mark.parametrize("slug", ["yesss", "yam-menteur", "nothing"])
def test_a_game_without_a_table_for_two_has_no_ladder(client, ann, slug):
    assert client.get(f"/ladders/{slug}/").status_code == 404
    assert browser_of(ann).get(f"/ladders/{slug}/me/").status_code == 404
    for act in ("join", "pause", "leave", "challenge"):
        answer = browser_of(ann).post(f"/ladders/{slug}/{act}/", {"at_once": "2", "days": "3"})
        assert answer.status_code == 404, act
    assert f"/ladders/{slug}/" not in client.get("/ladders/").content.decode()


def test_who_has_not_confirmed_an_address_reads_why(ann):
    User.objects.filter(pk=ann.pk).update(email="")
    browser = browser_of(User.objects.get(pk=ann.pk))
    assert "for members with a confirmed e-mail address" in text_of(browser)
    assert browser.post(f"{PAGE}join/", {"at_once": "2"}).status_code == 403


def test_a_challenge_from_joining_to_its_end(mo, ann, bob):
    joined([ann])
    newcomer, other = browser_of(bob), browser_of(ann)
    assert posted(newcomer, PAGE, f"{PAGE}join/", at_once="1")["Location"] == f"{PAGE}me/"
    assert newcomer.get(f"{PAGE}me/")["Location"] == f"{PAGE}#me"
    assert posted(newcomer, PAGE, f"{PAGE}challenge/").status_code == 302
    assert "You challenge ann . 3 days left to answer" in text_of(newcomer)
    made = Challenge.objects.get()
    for page in ("/", "/ladders/", PAGE):
        assert "bob challenges you on the ladder of Yum EXTRA." in text_of(other, page), page
    answer = posted(other, "/", f"/ladders/challenges/{made.pk}/accept/")
    assert answer["Location"] == f"/matches/{now(made).match_id}/"
    assert "you challenged: if you win, you take the other’s place" in text_of(newcomer, answer["Location"])
    assert "bob challenged, and takes the other’s place by a win" in text_of(other, answer["Location"])
    assert f"#{now(made).match_id}" in text_of(Client())
    deeds.end_match(moderator=mo, match=fresh(now(made).match), reason="x")
    tasks.tend()
    assert "the places stay as they were" in text_of(newcomer, answer["Location"])
    assert names() == ["ann", "bob"]


def test_the_buttons_say_what_declining_costs(ann, bob, cem):
    joined([ann, bob, cem])
    browser = browser_of(ann)
    first = challenged(bob, ann)
    assert "You may decline freely, once in 14 days." in text_of(browser)
    stale = form_on(browser, PAGE, f"/ladders/challenges/{first.pk}/decline/")
    assert posted(browser, "/", f"/ladders/challenges/{first.pk}/decline/")["Location"] == "/"
    second = challenged(cem, ann)
    words = text_of(browser)
    assert "If you decline or do not answer, cem takes your place 1." in words
    assert "Decline and give the place" in words
    answer = browser.post(f"/ladders/challenges/{second.pk}/decline/", stale | {"key": "another-key-than-that-one"})
    assert answer.status_code == 409 and b"this time it would cost your place" in answer.content
    posted(browser, PAGE, f"/ladders/challenges/{second.pk}/decline/")
    assert names() == ["cem", "ann", "bob"]
    assert "cem has risen from place 3 to 1: ann declined to play." in text_of(Client())
    assert "bob" not in text_of(Client()).split("The last changes")[1].split("cem has joined")[0]  # declined freely


def test_whom_one_cannot_challenge_and_why(db):
    members = people(8)
    joined(members, at_once=1)
    playing(members[5], members[4])
    standing.pause(ladder_id=ladder().pk, user=members[3], days=3)
    browser = browser_of(members[7])
    words = text_of(browser)
    assert "p004 pauses." in words
    assert "p005 has enough ladder matches at present." in words
    page = browser.get(PAGE).content.decode()
    assert page.count(f'action="{PAGE}challenge/"') == 2  # those in places 3 and 7
    assert browser.post(f"{PAGE}challenge/", {"climber": str(climber(members[0]).pk)}).status_code == 409
    for nobody in ("", "x", "9" * 30):
        assert browser.post(f"{PAGE}challenge/", {"climber": nobody}).status_code == 409
    challenged(members[7], members[6])
    assert "You have as many ladder matches and challenges as you want at once." in text_of(browser)


def test_one_withdraws_and_posts_count_once(ann, bob):
    joined([ann, bob])
    browser = browser_of(bob)
    form = form_on(browser, PAGE, f"{PAGE}challenge/")
    assert [browser.post(f"{PAGE}challenge/", form).status_code for _twice in range(2)] == [302, 302]
    made = Challenge.objects.get()
    assert posted(browser, PAGE, f"/ladders/challenges/{made.pk}/withdraw/").status_code == 302
    assert "You challenged ann lately: not again until" in text_of(browser)
    for act in ("accept", "decline", "withdraw"):
        assert browser.post(f"/ladders/challenges/{10**30}/{act}/").status_code == 409
        assert browser.get(f"/ladders/challenges/{made.pk}/{act}/").status_code == 405


def test_ones_own_place_at_once_pause_leave(ann, bob):
    joined([ann, bob])
    browser = browser_of(ann)
    assert browser.post(f"{PAGE}join/", {"at_once": "9"}).status_code == 400
    posted(browser, PAGE, f"{PAGE}join/", at_once="4")
    assert climber(ann).at_once == 4
    assert browser.post(f"{PAGE}pause/", {"days": "x"}).status_code == 400
    posted(browser, PAGE, f"{PAGE}pause/", wish="pause", days="5")
    assert "You pause until" in text_of(browser)
    assert "ann pauses" in text_of(Client()) or "pauses" in text_of(Client())
    posted(browser, PAGE, f"{PAGE}pause/", wish="resume")
    assert not climber(ann).is_paused
    assert posted(browser, PAGE, f"{PAGE}leave/")["Location"] == PAGE
    assert place(ann) is None
    assert "Join the ladder" in text_of(browser)
    assert "ann is no longer on the ladder (was at place 1)." in text_of(browser)


def test_fifty_places_a_page_and_the_way_to_ones_own(db):
    members = people(53)
    joined(members)
    browser = browser_of(members[51])
    assert browser.get(f"{PAGE}me/")["Location"] == f"{PAGE}?page=2#me"
    first = text_of(browser)
    assert "p050" in first and "Go to my place" in first
    assert "p051" not in first.split("The last changes")[0]
    assert "p053" in text_of(browser, f"{PAGE}?page=2")
    for odd in ("0", "x", "99999"):
        assert browser.get(f"{PAGE}?page={odd}").status_code == 200
    assert len(queries.history(ladder())) == 50


def test_the_profile_says_the_place_and_the_leaderboard_leads_here(client, ann, bob):
    joined([ann, bob])
    placed(bob, 1634)
    assert "Ladder of Yum EXTRA: place 2" in text_of(client, "/people/bob/")
    assert "Ladder" not in text_of(client, "/people/ann/").replace("Ladder of Yum EXTRA: place 1", "")
    assert f'href="{PAGE}"' in client.get(f"/leaderboards/{GAME}/").content.decode()
    assert "/ladders/yesss/" not in client.get("/leaderboards/yesss/").content.decode()
    assert "1634" in text_of(client)


def test_a_former_member_and_a_voided_match_in_the_history(client, mo, ann, bob, cem):
    joined([ann, bob, cem])
    made = play(cem, ann)
    deeds.void(moderator=mo, match=fresh(made.match), reason="because")
    close_account(user_id=ann.pk)
    words = text_of(client)  # before the sweep sees it
    assert "former member" in words and "voided" in words
    tasks.tend()
    words = text_of(client)
    assert "cem has won against former member : from place 3 to 1." in words
    assert "former member is no longer on the ladder (was at place 2)." in words
    assert "former member" in text_of(client, f"/matches/{made.match_id}/")
    assert Climber.objects.filter(user=None).count() == 1


def test_pages_in_french(client, ann, bob):
    joined([ann, bob])
    challenged(bob, ann)
    User.objects.update(language="fr")
    browser = browser_of(User.objects.get(pk=ann.pk))
    words = text_of(browser)
    assert "Échelle Yum EXTRA" in words and "bob vous défie sur l’échelle Yum EXTRA." in words
    assert "Ladder" not in words and "challenge" not in words.lower().replace("challenges/", "")


def test_looking_writes_nothing(client, ann, django_assert_max_num_queries):
    with django_assert_max_num_queries(30):
        client.get(PAGE)
    browser_of(ann).get(f"{PAGE}me/")
    assert queries.ladder_of(GAME) is None
