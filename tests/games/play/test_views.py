"""The pages of a match and of its table: moves, refusals in words, links, languages, what is left of time."""

import json
from random import Random

from django.contrib.messages import get_messages
from django.urls import reverse

from config.lib import clock
from games.clocks import to_ms
from games.models import Match
from tests.factories import (
    asked,
    browser_of,
    fresh,
    random_move,
    seat,
    seated,
    sign_up,
    submit,
    waiting,
)
from tests.games.play.addresses import OF_A_MATCH, POSTS, ROLL, address, assert_told, sentence


def test_a_visitor_is_led_to_log_in_and_back_to_the_match(matches, client):
    for name in sorted((OF_A_MATCH & POSTS) - {"move", "join"}):
        match = matches["running"]
        response = client.post(address(name, match))
        assert response["Location"] == f"/accounts/login/?next=/matches/{match.pk}/", name


def test_who_would_sit_down_is_led_to_sign_up_with_the_table_named_and_back(matches, client):
    match, link, private = matches["open"], matches["by link"], matches["by invitation"]
    response = client.post(address("join", match))
    assert response["Location"] == f"/accounts/signup/?next=%2Fmatches%2F{match.pk}%2F"
    words = "To sit down at the table of Yum EXTRA that ann has opened, sign up or log in."
    page = client.get(response["Location"])
    assert words in sentence(page)
    assert words in sentence(client.get(f"/accounts/login/?next=/matches/{match.pk}/"))
    assert words not in sentence(client.get(f"/accounts/login/?next=/matches/{private.pk}/"))
    assert f'href="/accounts/login/?next=%2Fmatches%2F{match.pk}%2F"' in page.content.decode()
    assert sign_up(client, next=f"/matches/{match.pk}/")["Location"] == f"/matches/{match.pk}/"
    visitor = browser_of()
    link.__class__.objects.filter(pk=link.pk).update(takes_guests=False)
    response = visitor.post(address("join", link), {"token": link.token})
    assert response["Location"] == f"/accounts/signup/?next=%2Fjoin%2F{link.token}%2F"
    assert visitor.post(address("join", link))["Location"] == f"/accounts/login/?next=/matches/{link.pk}/"
    assert visitor.post(address("join", private))["Location"] == f"/accounts/login/?next=/matches/{private.pk}/"
    response = visitor.get("/play/new/?game=yay")
    assert response["Location"] == "/accounts/signup/?next=%2Fplay%2Fnew%2F%3Fgame%3Dyay"
    assert "To open a table of YAY!, sign up or log in." in sentence(visitor.get(response["Location"]))


def test_a_guest_is_led_to_sign_up(matches, gus):
    match = matches["open"]
    response = browser_of(gus).post(address("join", match))
    assert response["Location"] == f"/accounts/signup/?next=%2Fmatches%2F{match.pk}%2F"
    assert "Guests play against bots" in str(next(iter(get_messages(response.wsgi_request))))


def test_a_refusal_is_told_on_the_page_of_the_match(matches, cem):
    match = matches["running"]
    page = browser_of(cem).post(address("move", match), {"ask": 1, "key": "k", "move": ROLL})
    assert page.status_code == 403
    assert "You have no seat in this match." in sentence(page)
    assert_told(page, live=False)
    page = browser_of(cem).post(address("join", match))
    assert page.status_code == 409
    assert "All seats are taken." in sentence(page)


def test_a_stale_question_brings_the_present_table(matches):
    match = matches["running"]
    mover = asked(match)
    post = {"ask": mover.ask - 1, "key": "k", "move": ROLL}
    browser = browser_of(mover.user)
    for live in (True, False):
        page = browser.post(address("move", match), post, headers={"X-Live": "1"} if live else {})
        assert page.status_code == 409
        assert_told(page, live=live)
        assert "The match has gone on" in sentence(page)
        assert f'name="ask" value="{mover.ask}"' in page.content.decode()


def test_a_move(ann, bob):
    match = seated(ann, bob)
    mover = asked(match)
    browser = browser_of(mover.user)
    response = browser.post(address("move", match), {"ask": mover.ask, "key": "one", "move": ROLL})
    assert (response.status_code, response["Location"]) == (302, f"/matches/{match.pk}/")
    page = browser.get(response["Location"])
    assert page.status_code == 200
    post = {"ask": asked(match).ask, "key": "two", "move": '{"type":"roll"}', "roll.ints.dice": ["0", "3"]}
    response = browser.post(address("move", match), post, headers={"X-Live": "1"})
    assert response.status_code == 200
    assert "<html" not in response.content.decode()
    assert response["Cache-Control"] == "no-store"
    assert match.log.get(number=2).move == {"type": "roll", "dice": [0, 3]}
    again = browser.post(address("move", match), post, headers={"X-Live": "1"})
    assert again.status_code == 200
    assert fresh(match).turns == 2


def test_the_dice_that_are_kept_are_not_rolled(ann, bob):
    """Without script the form says which dice to keep; the rest is rolled."""
    match = seated(ann, bob)
    mover = asked(match)
    submit(match, mover, {"type": "roll"})
    post = {"ask": asked(match).ask, "key": "two", "move": '{"type": "roll"}'}
    post |= {"roll.of.dice": "0 1 2 3 4", "roll.but.dice": ["1", "4"]}
    assert browser_of(mover.user).post(address("move", match), post).status_code == 302
    assert match.log.get(number=2).move == {"type": "roll", "dice": [0, 2, 3]}


def test_the_fragment_only_when_there_is_something_new(matches, ann):
    match = matches["running"]
    browser = browser_of(ann)
    assert browser.get(f"{address('table', match)}?have={match.version}").status_code == 204
    response = browser.get(f"{address('table', match)}?have={match.version - 1}&since=3")
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"


def test_watchers_in_two_zones_read_their_own_time(matches, cem, eve):
    cem.time_zone, eve.time_zone = "Asia/Tokyo", "America/New_York"
    cem.save()
    eve.save()
    match = matches["running"]
    tables = [browser_of(person).get(address("table", match)).content for person in (cem, eve, cem)]
    assert tables[0] == tables[2] != tables[1]


def test_on_the_page_of_a_match(ann, bob):
    match = seated(ann, bob, bots=["easy"])
    anns, bobs = browser_of(ann), browser_of(bob)
    assert anns.post(address("notes", match), {"notes": "mine alone"}).status_code == 302
    assert "mine alone" in anns.get(address("match", match)).content.decode()
    assert "mine alone" not in bobs.get(address("match", match)).content.decode()
    assert anns.post(address("notes", match), {"notes": "x" * 10_001}).status_code == 400
    orders = {"pass_always": "on", "use_privileges": "1", "privileges": ["steal", "swap"]}
    assert anns.post(address("orders", match), orders).status_code == 302
    assert seat(match, 0).orders == {"pass_always": True, "privileges": ["steal", "swap"]}
    assert anns.post(address("orders", match), {"use_privileges": "1", "privileges": "theft"}).status_code == 400
    assert anns.post(address("call-off", match), {"wish": "1"}).status_code == 302
    assert seat(match, 0).wants_call_off
    assert anns.post(address("call-off", match), {"wish": "0"}).status_code == 302
    assert not seat(match, 0).wants_call_off
    assert bobs.post(address("resign", match)).status_code == 302
    assert seat(match, 1).left == 1
    assert anns.post(address("resign", match)).status_code == 302
    assert fresh(match).status == Match.Status.ENDED
    response = anns.post(address("rematch", match))
    assert response["Location"] == f"/matches/{Match.objects.get(rematch_of=match).pk}/"


def test_the_record_is_downloaded_after_the_end_alone(matches, client):
    response = client.get(address("record", matches["running"]))
    assert response.status_code == 409
    assert "when the match has ended" in sentence(response)
    response = client.get(address("record", matches["ended"]))
    assert response["Content-Type"] == "application/json"
    assert f"club-y-{matches['ended'].pk}.json" in response["Content-Disposition"]
    assert response.json()["seed"]
    assert client.get(address("record", matches["closed"])).status_code == 409


def test_the_next_match_that_waits(ann, bob, client):
    assert client.get(reverse("next-match"))["Location"] == "/matches/"
    browser = browser_of(ann)
    assert browser.get(reverse("next-match"))["Location"] == "/matches/"
    mine = []
    while len(mine) < 3:
        match = seated(ann, bob)
        mine += [match.pk] if asked(match).user == ann else []
    places = [f"/matches/{number}/" for number in mine]
    assert browser.get(reverse("next-match"))["Location"] == places[0]
    for here, there in ((0, 1), (1, 2), (2, 0)):
        assert browser.get(f"{reverse('next-match')}?after={mine[here]}")["Location"] == places[there]
    assert browser.get(f"{reverse('next-match')}?after=10000")["Location"] == places[0]


def test_my_matches_are_where_they_belong(matches, ann, bob):
    page = browser_of(bob).get(reverse("my-matches"))
    sections = page.context["sections"]
    turns = {match.pk for kind, match in matches.items() if match.seats.filter(user=bob, ask__isnull=False, bot="")}
    assert {line["id"] for line in sections["turn"]} == turns
    assert [line["id"] for line in sections["asked"]] == [matches["by invitation"].pk]
    assert matches["called off"].pk in {line["id"] for line in sections["ended"]}
    assert matches["one left"].pk in {line["id"] for line in sections["waiting"]}
    page = browser_of(ann).get(reverse("my-matches"))
    assert {line["id"] for line in page.context["sections"]["open"]} == {
        matches[kind].pk for kind in ("open", "by invitation", "by link")
    }


def test_a_whole_match_without_script(ann, bob):
    """Both play by plain forms, as read from their pages; the end is shown to both."""
    match = seated(ann, bob)
    browsers = {ann: browser_of(ann), bob: browser_of(bob)}
    rng = Random(54)
    while (mover := asked(match)) is not None:
        move = random_move(fresh(match), mover.number, rng)
        post = {"ask": mover.ask, "key": f"key-{mover.ask}", "move": json.dumps(move)}
        assert browsers[mover.user].post(address("move", match), post).status_code == 302
    for browser in browsers.values():
        assert browser.get(address("match", match)).status_code == 200
    assert waiting(match) is not None


def test_time_left_is_told_to_whom_it_concerns(ann, bob, cem):
    match = seated(ann, bob)
    mover, other = asked(match), waiting(match)
    for person in (mover.user, other.user, cem):
        page = browser_of(person).get(address("match", match)).content.decode()
        assert f'data-deadline="{to_ms(mover.deadline)}"' in page
        assert ">3 days</span> left, until " in page
    assert browser_of(ann).post(address("pause", match), {"wish": "1"}).status_code == 302
    assert "ann proposes to pause the clocks." in browser_of(bob).get(address("match", match)).content.decode()
    browser_of(bob).post(address("pause", match), {"wish": "1"})
    page = browser_of(cem).get(address("match", match)).content.decode()
    assert "data-deadline" not in page and "The clocks are paused by agreement." in page
    browser_of(bob).post(address("pause", match), {"wish": "0"})
    assert "data-deadline" in browser_of(cem).get(address("match", match)).content.decode()


def test_the_fragment_says_what_time_it_is(ann, bob):
    match = seated(ann, bob)
    browser = browser_of(ann)
    for have in (0, match.version):
        told = browser.get(f"{address('table', match)}?have={have}")["X-Now"]
        assert abs(int(told) - clock.now_ms()) < 2000
