"""Whoever is to take somebody's place is asked: until they accept nothing changes, and the next draw ends it."""

import threading

import pytest
from django.db import connection

from accounts.models import Block, User
from accounts.services.closing import close_account
from games.competitions import tasks
from games.competitions.models import Correction, Entrant, Offer, Place
from games.competitions.services import correcting, entering
from games.competitions.services.refusals import Closed, NoOffer
from games.models import Audit
from games.services.refusals import Invalid, Refused
from tests.competitions.arranged import begun, end_table, now, organiser, people, play_round, running_tables
from tests.competitions.test_arena import arena
from tests.factories import browser_of, member, moderator
from tests.games.play.addresses import sentence
from tests.mailing import deliver

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga():
    return organiser()


@pytest.fixture
def zoe():
    return member("zoe")


def ask(olga, tournament, who, number=1, reason="p001 is ill") -> Offer:
    return correcting.replace(tournament_id=tournament.pk, user=olga, number=number, by=who, reason=reason)


def take(tournament, who) -> Entrant:
    return entering.take_place(tournament_id=tournament.pk, user=who)


def asked_by_mail(who) -> list:
    return [one for one in deliver() if one.to == [who.email] and one.subject.startswith("Will you take a place")]


def state(who) -> str:
    return Offer.objects.get(user=who).state


def test_until_it_is_accepted_nothing_changes(olga, zoe):
    tournament = begun(olga, people(6))
    ask(olga, tournament, zoe)
    assert Entrant.objects.get(number=1).is_in and Entrant.objects.count() == 6
    assert not Correction.objects.exists()


def test_whoever_accepts_takes_part_and_the_other_leaves(olga, zoe):
    tournament = begun(olga, people(6))
    ask(olga, tournament, zoe)
    assert take(tournament, zoe).number == 7
    gone = Entrant.objects.get(number=1)
    assert (gone.left, gone.to_tell) == ("removed", "removed")
    assert list(Correction.objects.values_list("kind", "by__username", "reason")) == [
        ("left", "olga", "p001 is ill"),
        ("replaced", "olga", "p001 is ill"),
    ]
    with pytest.raises(NoOffer):
        take(tournament, zoe)


def test_the_next_draw_ends_it(olga, zoe):
    tournament = begun(olga, people(6))
    ask(olga, tournament, zoe)
    play_round(tournament)
    assert state(zoe) == "lapsed"
    with pytest.raises(NoOffer):
        take(tournament, zoe)
    assert not Place.objects.filter(entrant__user=zoe).exists()
    ask(olga, tournament, zoe)  # for the round after it
    assert take(tournament, zoe).number == 7


def test_declining_leaves_all_as_it_was_and_nobody_is_asked_again(olga, zoe):
    tournament = begun(olga, people(6))
    ask(olga, tournament, zoe)
    entering.decline_place(tournament_id=tournament.pk, user=zoe)
    assert state(zoe) == "declined" and Entrant.objects.get(number=1).is_in
    with pytest.raises(Invalid, match="has declined"):
        ask(olga, tournament, zoe, 2)


def test_nobody_is_asked_twice_nor_two_for_one_place(olga, zoe):
    tournament = begun(olga, people(6))
    ask(olga, tournament, zoe)
    with pytest.raises(Invalid, match="asked already"):
        ask(olga, tournament, zoe, 2)
    with pytest.raises(Invalid, match="Somebody else is asked"):
        ask(olga, tournament, member("yan"))


def test_the_conditions_are_looked_at_once_more(olga, zoe):
    tournament = begun(olga, people(6))
    ask(olga, tournament, zoe)
    Block.objects.create(blocker=zoe, blocked=olga)
    with pytest.raises(Refused):
        take(tournament, zoe)
    assert Entrant.objects.get(number=1).is_in and state(zoe) == "open"


def test_nobody_accepts_for_another_or_without_being_asked(olga, zoe):
    tournament = begun(olga, people(6))
    ask(olga, tournament, zoe)
    for other in (member("eve"), olga, User.objects.get(username="p001")):
        with pytest.raises(NoOffer):
            take(tournament, other)


def test_a_closed_account_takes_the_question_along_and_an_end_lets_it_lapse(olga, zoe):
    tournament = begun(olga, people(6))
    ask(olga, tournament, zoe)
    yan = member("yan")
    ask(olga, tournament, yan, 2)
    close_account(user_id=zoe.pk)
    correcting.stop(tournament_id=tournament.pk, user=moderator(), reason="over")
    assert list(Offer.objects.values_list("user__username", "state")) == [("yan", "lapsed")]


def test_of_a_moderator_it_stands_in_the_audit_when_it_is_asked(olga, zoe):
    tournament = begun(olga, people(6))
    ask(moderator(), tournament, zoe)
    assert Audit.objects.get(deed=Audit.Deed.CONTEST).member.username == "p001"


def test_the_page_and_the_home_page_ask_and_take_the_answer(olga, zoe):
    tournament = begun(olga, people(6), access="link")
    address = f"/tournaments/{tournament.pk}/"
    assert browser_of(zoe).get(address).status_code == 404
    ask(olga, tournament, zoe)
    home = sentence(browser_of(zoe).get("/"))
    assert "One question waits for you" in home and "Nothing waits for you" not in home
    assert "Will you take a place in this tournament?" in home and "p001 is ill" in home
    page = sentence(browser_of(zoe).get(address))
    assert "olga asks you to take part." in page and "be seated from round 2 on" in page
    assert browser_of(zoe).post(f"{address}place/", {"wish": "1"})["Location"] == address
    assert Entrant.objects.get(user=zoe).is_in
    assert "Will you take a place" not in sentence(browser_of(zoe).get(address))


def test_who_declines_a_private_one_sees_it_no_more_and_is_led_elsewhere(olga, zoe):
    tournament = begun(olga, people(6), access="link")
    ask(olga, tournament, zoe)
    browser = browser_of(zoe)
    assert browser.post(f"/tournaments/{tournament.pk}/place/", {"wish": "0"})["Location"] == "/tournaments/"
    assert browser.get(f"/tournaments/{tournament.pk}/").status_code == 404
    assert "Nothing waits for you" in sentence(browser.get("/"))


def test_it_is_mailed_once_and_not_when_it_is_answered_before(olga, zoe):
    tournament = begun(olga, people(6))
    deliver()
    ask(olga, tournament, zoe)
    tasks.tend()
    tasks.tend()
    assert len(asked_by_mail(zoe)) == 1
    yan = member("yan")
    ask(olga, tournament, yan, 2)
    entering.decline_place(tournament_id=tournament.pk, user=yan)
    tasks.tend()
    assert not asked_by_mail(yan)


def test_in_an_evening_it_stays_open_while_tables_begin(olga, zoe):
    tournament = begun(olga, people(4), format="arena", pace_slug="live", round_limit=120)
    ask(olga, tournament, zoe)
    for entrant in Entrant.objects.filter(tournament=tournament):
        entering.be_ready(tournament_id=tournament.pk, user=entrant.user, ready=True)
    tasks.tend()
    assert running_tables(tournament) and state(zoe) == "open"
    assert take(tournament, zoe).is_in


@pytest.mark.outgrown
@pytest.mark.django_db(transaction=True)
def test_of_two_who_accept_at_once_one_alone_comes(olga, zoe):
    tournament = begun(olga, people(6))
    ask(olga, tournament, zoe)
    found = []

    def accept() -> None:
        try:
            found.append(take(tournament, zoe))
        except (NoOffer, Closed) as error:
            found.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=accept) for _one in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(one).__name__ for one in found) == ["Entrant", "NoOffer"]
    assert Entrant.objects.filter(user=zoe).count() == 1


def test_an_organiser_who_does_not_play_is_told_of_the_end_once(olga, zoe):
    tournament = begun(olga, people(2))
    deliver()
    while now(tournament).state == "running":
        for table in running_tables(tournament):
            end_table(table)
        tasks.tend()
    tasks.tend()
    over = [one for one in deliver() if one.to == [olga.email] and one.subject == "The tournament is over: Autumn Cup"]
    assert len(over) == 1


def test_one_who_plays_is_told_once_and_one_who_cancels_not_at_all():
    mo = moderator()
    tournament = begun(mo, [mo, *people(1)])
    for table in running_tables(tournament):
        end_table(table)
    tasks.tend()
    own = begun(mo, people(2, "q"), name="Other")
    correcting.stop(tournament_id=own.pk, user=mo, reason="mine")
    assert now(own).to_tell == "" and now(tournament).to_tell == ""


def test_who_signed_up_at_an_arena_meanwhile_needs_no_place(olga, zoe):
    tournament = arena(olga, people(6))
    ask(olga, tournament, zoe)
    entering.enter(tournament_id=tournament.pk, user=zoe)
    page = f"/tournaments/{tournament.pk}/"
    assert browser_of(zoe).get(page).status_code == 200
    answer = browser_of(zoe).post(f"{page}place/", {"wish": "1"})
    assert answer.status_code == 409
    assert Entrant.objects.get(number=1).is_in


def test_nobody_is_asked_again_and_again_by_the_same_member(olga, zoe, clock):
    """A round of two takes a minute, and each asked anew by mail, with whatever reason."""
    tournament = begun(olga, people(2), rounds_wished=1)
    others = [begun(olga, people(4, first), rounds_wished=3) for first in "qr"]

    def tried(where, number: int = 1):
        sent = {"deed": "replace", "reason": "come", "number": str(number), "by": "zoe"}
        return browser_of(olga).post(f"/tournaments/{where.pk}/manage/", sent)

    assert [tried(one).status_code for one in (tournament, *others)] == [302, 302, 302]
    play_round(others[0])
    assert Offer.objects.filter(state="open").count() == 2
    refused = tried(others[0])
    assert refused.status_code == 429
    assert "You have asked zoe three times within the last 24 hours" in sentence(refused)
    assert Offer.objects.filter(state="open").count() == 2 and Offer.objects.count() == 3
