"""A member's profile: what is told of them to whom, and where names lead."""

import re
from datetime import timedelta
from random import Random
from xml.etree import ElementTree

import pytest
from django.utils import translation

from accounts.models import User
from config.lib import clock
from games.models import Match, Seat
from games.queries import people
from games.services.lobby import closing
from games.services.play import moves
from games.views.people import rough_duration
from tests.factories import browser_of, end, member, opened, play_on, played, played_on, rated, seated

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"


def text_of(person, address="/people/bob/", status=200) -> str:
    answer = browser_of(person).get(address)
    assert answer.status_code == status
    return answer.content.decode()


@pytest.mark.parametrize("name", ["nobody-here", "guest-gnu-1", "%00", "bob%00", "x" * 300, "<script>", "é"])
def test_who_has_no_profile(ann, bob, gus, name):
    text = text_of(ann, f"/people/{name}/", 404)
    assert "No such member" in text
    assert "<script>" not in text


def test_a_closed_account_has_none(ann, bob):
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert "No such member" in text_of(ann, status=404)
    assert "@example.org" not in text_of(ann, status=404)


def test_anybody_may_look_and_sees_no_private_thing(ann, bob, gus):
    for person in (None, gus, ann, bob):
        text = text_of(person)
        assert '<h1><span translate="no">bob' in text
        assert "bob@example.org" not in text
        assert "No rated match yet." in text


def test_a_name_in_other_letters_leads_to_the_member(ann, bob):
    assert browser_of(ann).get("/people/BOB/").url == "/people/bob/"
    assert browser_of(ann).get("/people/b0b/").status_code == 404  # a look-alike is somebody else's name


def test_ratings_with_their_curve(ann, bob):
    played(bob, ann)
    text = text_of(ann)
    assert "1520<abbr" in text
    assert re.search(r'<td class="num">1st</td>\s*<td class="num">1</td>\s*<td class="num">1</td>', text)
    assert '<svg class="chart"' not in text  # of one match there is nothing to draw
    for _n in range(4):
        played(ann, bob)
    svg = text_of(ann).partition('<svg class="chart"')
    picture = ElementTree.fromstring(
        '<svg xmlns="http://www.w3.org/2000/svg"' + svg[2].partition("</svg>")[0] + "</svg>"
    )
    points = picture.find("polyline" if picture.find("polyline") is not None else f"{SVG}polyline").get("points")
    heights = [float(point.split(",")[1]) for point in points.split()]
    assert len(heights) == 6
    assert heights[1] < heights[0]  # up
    assert heights[1] < heights[2] < heights[3] < heights[4] < heights[5]  # and down
    title = picture.find(f"{SVG}title").text
    assert "from 1500 to" in title
    assert "style" not in svg[2].partition("</svg>")[0]


def test_many_matches_are_no_provisional_rating(ann, bob):
    for _n in range(10):
        played(bob, ann)
    assert "<abbr" not in text_of(ann).partition("</section>")[0]


def test_the_record_against_the_viewer(ann, bob, cem):
    played(ann, bob)
    played(bob, ann, cem)
    played(ann, bob, places=[1, 1])
    played(bob, cem)
    rated(ann, bob)
    duel = people.record_between(ann, bob)
    assert [(d.game_slug, d.won, d.lost, d.tied) for d in duel] == [("yum-extra", 1, 1, 1)]
    assert [(d.won, d.lost, d.tied) for d in people.record_between(bob, ann)] == [(1, 1, 1)]
    assert people.record_between(ann, User.objects.create_user("stranger")) == []
    assert "Head to head" in text_of(ann)
    for other in (None, bob):
        assert "Head to head" not in text_of(other)


def test_playing_together_is_no_contest(ann, bob):
    match = played(ann, bob)
    Match.objects.filter(pk=match.pk).update(game_slug="yesss", options={"mode": "cooperative"})
    assert people.record_between(ann, bob) == []


def listed(person, **wishes) -> set[int]:
    query = "&".join(f"{name}={value}" for name, value in wishes.items())
    answer = browser_of(person).get(f"/people/bob/?{query}")
    assert answer.status_code == 200
    return {int(line["url"].split("/")[2]) for line in answer.context["lines"]}


def test_matches_and_their_filters(ann, bob, cem, eve):
    won, lost, running = played(bob, ann), played(ann, bob), rated(bob, ann)
    secret = seated(bob, cem, access=Match.Access.LINK)
    opened(bob)
    off = seated(bob, ann)
    for person in (bob, ann):
        moves.wish_call_off(match_id=off.pk, user=person, wish=True)
    everything = {won.pk, lost.pk, running.pk, off.pk}
    assert listed(None) == listed(eve) == listed(ann) == everything
    assert listed(bob) == listed(cem) == everything | {secret.pk}
    assert listed(eve, result="won") == {won.pk}
    assert listed(eve, result="lost") == {lost.pk}
    assert listed(eve, result="called-off") == {off.pk}
    assert listed(eve, state="running") == {running.pk}
    assert listed(eve, state="ended", game="yum-extra") == everything - {running.pk}
    assert listed(eve, state="running", result="won") == set()
    assert listed(eve, game="chess", result="x", state="%00", page="x") == everything


def test_pages_of_matches(ann, bob):
    for _n in range(21):
        seated(bob, ann)
    assert len(listed(ann)) == 20
    assert len(listed(ann, page=2, state="running")) == 1
    assert "state=running&amp;page=1#matches" in text_of(ann, "/people/bob/?state=running&page=2")


def test_a_closed_table_is_no_match(ann, bob):
    closing.leave(match_id=opened(bob).pk, user=bob)
    assert listed(ann) == set()


SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("ms", "english", "french"),
    [
        (0, "a minute", "une minute"),
        (10 * SECOND, "a minute", "une minute"),
        (89 * SECOND, "a minute", "une minute"),
        (3 * MINUTE + 20 * SECOND, "3 min", "3 min"),
        (59 * MINUTE, "59 min", "59 min"),
        (59 * MINUTE + 40 * SECOND, "1 h", "1 h"),
        (5 * HOUR + 10 * MINUTE, "5 h", "5 h"),
        (47 * HOUR, "47 h", "47 h"),
        (48 * HOUR, "2 days", "2 jours"),
        (9 * DAY + 13 * HOUR, "10 days", "10 jours"),
    ],
)
def test_how_long_a_reply_took(ms, english, french):
    for language, words in (("en", english), ("fr", french)):
        with translation.override(language):
            assert rough_duration(ms) == words


def test_quick_replies_are_told_in_words(ann, bob):
    for number in range(3):
        played_on(seated(ann, bob), Random(number))
    told = text_of(ann).partition("Replies</dt>")[2].partition("</dd>")[0]
    assert "half within <b>a minute</b>" in told
    assert "a quarter within a minute, three quarters within a minute" in told


def test_reliability(ann, bob):
    assert people.reliability(bob) is None
    for run_outs in (0, 0, 1, 0):
        match = played(ann, bob)
        Seat.objects.filter(match=match, user=bob).update(run_outs=run_outs)
    found = people.reliability(bob)
    assert (found.kept, found.matches, found.share) == (3, 4, 0.75)
    Seat.objects.filter(user=bob, run_outs=1).update(run_outs=0, absent=True)
    assert people.reliability(bob).kept == 3
    assert "75%" in text_of(ann)


@pytest.mark.thin(0)
def test_reliability_looks_at_the_last_fifty_against_people(ann, bob):
    played_on(seated(bob, bots=["easy"]), Random(3))
    assert people.reliability(bob) is None
    first = played(ann, bob)
    Seat.objects.filter(match=first, user=bob).update(run_outs=2)
    Match.objects.filter(pk=first.pk).update(ended_at=clock.now() - timedelta(days=1))
    for _n in range(49):
        played(ann, bob)
    assert people.reliability(bob).kept == 49
    played(ann, bob)
    assert people.reliability(bob).kept == 50


def test_reply_times():
    turns = [
        (0, "person", 1_000),  # the start was at 0
        (0, "person", 9_000),  # of the same turn
        (1, "person", 10_000),
        (0, "orders", 10_500),  # not by hand
        (1, "person", 11_000),
        (None, "bot", 12_000),
        (0, "person", 15_000),
        (1, "clock", 16_000),
        (0, "person", 16_250),
    ]
    assert list(people.reply_times(turns, 0, 0)) == [1_000, 3_000, 250]
    assert list(people.reply_times(turns, 1, 0)) == [1_000, 500]
    assert list(people.reply_times([], 0, 0)) == []


def test_quartiles_of_replies(ann, bob):
    assert people.reply_quartiles(bob) is None
    play_on(seated(ann, bob), Random(5), turns=120)
    assert people.reply_quartiles(bob) is None  # what was found is kept for a while
    cem = member("cem")
    play_on(seated(cem, bob), Random(5), turns=120)
    first, half, last = people.reply_quartiles(cem)
    assert 0 <= first <= half <= last < 60_000
    assert "half within" in text_of(ann, "/people/cem/")


def test_a_running_match_tells_no_reply_times(ann, bob):
    """Whether an answer came by hand or by orders is a secret of YAM menteur until it is settled."""
    match = play_on(seated(ann, bob, bots=["easy"], game_slug="yam-menteur"), Random(5), turns=60)
    assert match.status == "running"
    assert match.log.filter(by="person").count() > people.FEWEST_REPLIES
    assert people.reply_quartiles(ann) is None


def test_names_lead_to_profiles(ann, bob, cem):
    link = 'href="/people/bob/"'
    played(ann, bob)
    match, table, asked = seated(ann, bob), opened(bob), opened(ann, invited=[bob])
    for address in (
        f"/matches/{match.pk}/",
        "/leaderboards/yum-extra/",
        "/play/",
        "/matches/",
        "/",
        f"/matches/{table.pk}/",
        f"/matches/{asked.pk}/",
    ):
        assert link in text_of(ann, address), address
    assert link not in text_of(bob, f"/matches/{match.pk}/").partition("</header>")[2].partition('id="board"')[0]


def test_bots_and_guests_have_no_profile_to_lead_to(gus):
    match = seated(gus, bots=["easy"])
    assert "/people/" not in text_of(gus, f"/matches/{match.pk}/")


def test_the_graph_ends_where_the_rating_is(ann, bob):
    cem = member("cem")
    for _n in range(5):
        end(rated(ann, bob, cem), [2, 1, 3])
    assert text_of(ann).count('class="curve"') == 1
    assert 'class="curve"' in text_of(ann, f"/people/{cem.username}/")
