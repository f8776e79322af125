"""The page on which an organiser or a moderator acts on a tournament: who may, what it refuses, what it does."""

import re
from datetime import timedelta

import pytest

from accounts.models import Follow
from accounts.services.relationships import block
from config.lib import clock
from games.competitions import tasks
from games.competitions.models import Correction, Entrant, Table, Tournament
from games.models import Audit
from games.moderation import members
from tests.competitions.arranged import announced, begun, entered, now, organiser, people, running_tables
from tests.factories import browser_of, member, moderator
from tests.games.play.addresses import sentence
from tests.games.test_once import form_on

pytestmark = pytest.mark.django_db
WHY = "because of this"


def act(person, tournament: Tournament, deed: str, **fields):
    return browser_of(person).post(f"/tournaments/{tournament.pk}/manage/", {"deed": deed, "reason": WHY} | fields)


def test_others_are_refused_in_words():
    tournament = announced(organiser())
    ann = member("ann")
    entered(tournament, [ann])
    for answer in (browser_of(ann).get(f"/tournaments/{tournament.pk}/manage/"), act(ann, tournament, "begin")):
        assert answer.status_code == 403 and "Only its organiser and moderators" in sentence(answer)
    assert now(tournament).state == "open"
    assert "Manage the tournament" not in sentence(browser_of(ann).get(f"/tournaments/{tournament.pk}/"))


def test_an_organiser_cannot_stop_it_and_a_moderator_can():
    olga = organiser()
    tournament = begun(olga, people(2))
    assert act(olga, tournament, "stop").status_code == 409
    assert now(tournament).state == "running"
    assert act(moderator(), tournament, "stop").status_code == 302
    assert now(tournament).state == "cancelled"
    assert Audit.objects.filter(deed=Audit.Deed.CONTEST).exists()
    assert "This tournament was cancelled." in sentence(browser_of().get(f"/tournaments/{tournament.pk}/"))


def test_an_organiser_learns_neither_of_a_sanction_nor_of_a_block_by_naming_somebody():
    olga, (sus, blocker, blocked, weak) = organiser(), people(4, "q")
    tournament = begun(olga, people(4), lowest_rating=1200)
    members.suspend(moderator=moderator(), member=sus, reason="cheated", until=clock.now() + timedelta(days=3))
    block(blocker=blocker, blocked=olga)
    block(blocker=olga, blocked=blocked)
    for one in (sus, blocker, blocked):
        refused = act(olga, tournament, "replace", number="1", by=one.username)
        assert refused.status_code == 403 and f"{one.username} cannot take part now." in sentence(refused)
        assert not re.search("suspended|cheated|You have blocked|sit down", sentence(refused))
    Tournament.objects.update(lowest_rating=3000)
    refused = act(olga, tournament, "replace", number="1", by=weak.username)
    assert f"{weak.username} does not meet the conditions of this tournament." in sentence(refused)
    assert "Your rating" not in sentence(refused)
    assert Entrant.objects.count() == 4


@pytest.mark.parametrize("deed", ["begin", "take-out", "decide", "extend"])
def test_a_deed_whose_answer_was_lost_is_answered_as_before_and_done_once(deed):
    olga = organiser()
    tournament = announced(olga) if deed == "begin" else begun(olga, people(4), judge="standing")
    if deed == "begin":
        entered(tournament, people(4))
    fields = {"deed": deed, "reason": WHY, "key": "k" * 32, "number": "1", "days": "2"}
    fields["table"] = str(running_tables(tournament)[0].pk) if deed == "decide" else ""
    browser, page = browser_of(olga), f"/tournaments/{tournament.pk}/"
    for _twice in range(2):
        answer = browser.post(f"{page}manage/", fields)
        assert (answer.status_code, answer["Location"]) == (302, page)
    assert Correction.objects.count() == (deed != "begin")
    assert now(tournament).state == "running"


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    ("deed", "fields", "status", "words"),
    [
        ("extend", {"days": "15"}, 400, "less than or equal to 14"),
        ("extend", {"days": "2", "reason": ""}, 400, "This field is required."),
        ("extend", {"days": "2", "reason": "\u202e"}, 400, "Say why."),
        ("extend", {"days": "2", "reason": "x" * 201}, 400, "at most 200 characters"),
        ("take-out", {"number": "99"}, 400, "Select a valid choice"),
        ("void", {"table": "9" * 30}, 400, "Select a valid choice"),
        ("decide", {"table": "x"}, 400, "Select a valid choice"),
        ("replace", {"number": "1", "by": "nobody-here"}, 400, "There is no member named nobody-here."),
        ("replace", {"number": "1", "by": "p002"}, 400, "p002 has taken part already."),
        ("replace", {"number": "1", "by": "p001 p002"}, 400, "Name one member."),
        ("begin", {}, 409, "not possible any more"),
        ("nonsense", {}, 409, "not possible any more"),
    ],
)
def test_what_is_refused_is_said_on_the_page(deed, fields, status, words):
    olga = organiser()
    tournament = begun(olga, people(4), judge="standing")
    answer = act(olga, tournament, deed, **fields)
    assert answer.status_code == status
    assert words in sentence(answer) and "Manage the tournament" in sentence(answer)
    assert not Correction.objects.exists()


def test_it_does_not_begin_with_too_few():
    olga = organiser()
    answer = act(olga, announced(olga), "begin")
    assert answer.status_code == 400 and "0 of 2 have signed up" in sentence(answer)


def test_an_organiser_decides_nothing_at_their_own_table():
    olga, ann = organiser(), member("ann")
    tournament = begun(olga, [olga, ann])
    table = running_tables(tournament)[0]
    answer = act(olga, tournament, "void", table=str(table.pk))
    assert answer.status_code == 400 and "Select a valid choice" in sentence(answer)
    told = sentence(browser_of(olga).get(f"/tournaments/{tournament.pk}/manage/"))
    assert "table 1: " not in told and "Where you sit yourself, a moderator decides." in told
    assert act(moderator(), tournament, "void", table=str(table.pk)).status_code == 302


def test_an_ended_one_has_nothing_left_to_do():
    olga = organiser()
    tournament = announced(olga)
    assert act(olga, tournament, "cancel").status_code == 302
    told = sentence(browser_of(olga).get(f"/tournaments/{tournament.pk}/manage/"))
    assert "nothing is left to be done" in told


def test_it_begins_and_is_cancelled():
    olga = organiser()
    tournament, other = announced(olga), announced(olga)
    entered(tournament, people(2))
    assert act(olga, tournament, "begin").status_code == 302
    assert now(tournament).state == "running"
    act(olga, other, "cancel", reason="The hall is taken")
    told = sentence(browser_of().get(f"/tournaments/{other.pk}/"))
    assert now(other).state == "cancelled" and "The hall is taken" in told


def test_each_deed_is_done_and_read_by_everybody():
    olga, members = organiser(), people(6)
    tournament = begun(olga, members, judge="standing")
    first, second, third = running_tables(tournament)
    zoe = member("zoe")
    act(olga, tournament, "extend", days="2", reason="Why one")
    act(olga, tournament, "take-out", number="1", reason="Why two")
    act(olga, tournament, "replace", number="2", by="zoe", reason="Why three")
    assert "Asked: zoe" in sentence(browser_of(olga).get(f"/tournaments/{tournament.pk}/manage/"))
    assert browser_of(zoe).post(f"/tournaments/{tournament.pk}/place/", {"wish": "1"}).status_code == 302
    act(olga, tournament, "void", table=str(first.pk), reason="Why four")
    act(olga, tournament, "decide", table=str(second.pk), reason="Why five")
    told = sentence(browser_of().get(f"/tournaments/{tournament.pk}/"))
    for words in ("Why one", "Why two", "Why three", "Why four", "Why five", "p001 was taken out.", "zoe takes part"):
        assert words in told, words
    assert "The round has more time" in told and "was voided" in told and "olga" in told
    assert Table.objects.get(pk=first.pk).state == "void"
    assert Entrant.objects.get(tournament=tournament, number=1).left == "removed"
    assert third.state == "running"


def test_the_same_post_is_done_once():
    olga = organiser()
    tournament = begun(olga, people(2))
    page = f"/tournaments/{tournament.pk}/manage/"
    browser = browser_of(olga)
    post = form_on(browser, page, page) | {"deed": "extend", "days": "1", "reason": WHY}
    assert {browser.post(page, post).status_code for _time in range(3)} == {302}
    assert Correction.objects.count() == 1


def test_hostile_reasons_are_texts():
    olga = organiser()
    tournament = begun(olga, people(2))
    act(olga, tournament, "extend", days="1", reason="<script>alert(1)</script>")
    page = browser_of().get(f"/tournaments/{tournament.pk}/").content.decode()
    assert "&lt;script&gt;alert(1)" in page and "<script>alert" not in page


def test_the_page_in_french():
    olga = organiser()
    olga.language = "fr"
    olga.save()
    tournament = begun(olga, people(2))
    told = sentence(browser_of(olga).get(f"/tournaments/{tournament.pk}/manage/"))
    assert "Gérer le tournoi" in told and "Donner plus de temps à la manche" in told


def test_the_result_of_each_deed_is_said():
    olga, members = organiser(), people(4)
    tournament = announced(olga)
    entered(tournament, members[:1])
    assert "1 of 2 has signed up" in sentence(act(olga, tournament, "begin"))
    entered(tournament, members[1:])

    def said(deed: str, by=olga, **fields) -> str:
        form = {"deed": deed, "reason": WHY} | fields
        return sentence(browser_of(by).post(f"/tournaments/{tournament.pk}/manage/", form, follow=True))

    assert "The tournament has begun: its tables are being opened." in said("begin")
    tasks.tend()
    first, second = running_tables(tournament)
    assert "The round ends on " in said("extend", days="2")
    assert "The table counts for nothing any more." in said("void", table=str(first.pk))
    assert "At this table bots now finish for whoever is to move." in said(
        "decide", by=moderator(), table=str(second.pk)
    )
    assert "They are taken out: they get no further table." in said("take-out", number="1")


def test_nobody_who_has_taken_part_is_offered_for_a_place():
    olga, (ann, bob), zoe = organiser(), people(2), member("zoe")
    Follow.objects.bulk_create(Follow(follower=olga, followed=one) for one in (ann, zoe))
    tournament = begun(olga, [ann, bob])
    Entrant.objects.filter(tournament=tournament, user=ann).update(left="withdrew")
    page = browser_of(olga).get(f"/tournaments/{tournament.pk}/manage/").content.decode()
    assert "Tick somebody you know" in page and 'value="zoe"' in page and 'value="p001"' not in page
