"""Moderation of tournaments: who may not take part, signs of foul play, voided matches, and the audit."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from config.lib import clock as present
from games.competitions import tasks
from games.competitions.models import Correction, Entrant, Place, Table, Tournament
from games.competitions.services import announcing, correcting, entering
from games.models import Audit
from games.moderation import hints, matches, members
from games.moderation.models import Trace
from games.services.operation.admin_actions import NoReason
from games.services.refusals import CannotWrite
from tests.competitions.arranged import (
    announced,
    begun,
    end_table,
    entered,
    now,
    people,
    play_round,
    play_to_the_end,
    rounds_of,
    running_tables,
)
from tests.factories import browser_of, member, opened, placed


def entry(tournament, user) -> Entrant:
    return Entrant.objects.get(tournament=tournament, user=user)


def seated_in(tournament, number: int) -> set[int]:
    """Return the numbers of those who were seated in a round."""
    places = Place.objects.filter(round__tournament=tournament, round__number=number)
    return set(places.values_list("entrant__number", flat=True))


def suspend(root, who) -> None:
    members.suspend(moderator=root, member=who, reason="insults", until=present.now() + timedelta(days=30))


def ban(root, who) -> None:
    members.ban(moderator=root, member=who, reason="insults")


@pytest.mark.thin(1)
@pytest.mark.outgrown
@pytest.mark.parametrize("impose", [suspend, ban])
def test_who_may_not_take_part_is_not_seated_again(mo, root, ann, bob, cem, eve, impose):
    tournament = begun(mo, [ann, bob, cem, eve])
    assert seated_in(tournament, 1) == {1, 2, 3, 4}
    impose(root, ann)
    play_round(tournament)
    assert entry(tournament, ann).left == Entrant.Left.BARRED
    assert seated_in(tournament, 2) == {2, 3, 4}
    assert play_to_the_end(tournament).state == Tournament.State.OVER
    (row,) = Correction.objects.all()
    assert (row.kind, row.entrant.user, row.by, row.reason) == ("left", ann, None, "")
    assert not Audit.objects.filter(deed=Audit.Deed.CONTEST).exists()


@pytest.mark.parametrize("impose", [suspend, ban])
def test_the_page_says_so_in_neutral_words(mo, root, ann, bob, cem, eve, impose):
    tournament = begun(mo, [ann, bob, cem, eve])
    impose(root, ann)
    play_round(tournament)
    text = browser_of(bob).get(f"/tournaments/{tournament.pk}/").content.decode()
    assert '<span translate="no">ann</span> left.' in text
    assert not any(word in text.lower() for word in ("banned", "suspended", "insult", "sanction"))


@pytest.mark.parametrize("impose", [suspend, ban])
def test_who_may_not_take_part_is_not_seated_at_the_beginning(mo, root, ann, bob, cem, impose, hours):
    tournament = announced(mo)
    entered(tournament, [ann, bob, cem])
    impose(root, ann)
    hours.go_by(hours=25)
    tasks.tend()
    assert seated_in(tournament, 1) == {2, 3}
    assert entry(tournament, ann).left == Entrant.Left.BARRED
    assert not Correction.objects.exists()  # nothing had begun


def test_whoever_is_suspended_neither_enters_nor_organises(mo, root, ann, monkeypatch):
    tournament = announced(mo)
    suspend(root, ann)
    with pytest.raises(CannotWrite):
        entering.enter(tournament_id=tournament.pk, user=ann)
    monkeypatch.setattr(announcing, "may_organise", lambda who: True)
    with pytest.raises(CannotWrite):
        announced(ann)


def test_a_suspension_that_is_over_keeps_nobody_away(mo, root, ann, bob, hours):
    tournament = announced(mo, begins_at=present.now() + timedelta(days=40))
    entered(tournament, [ann, bob])
    suspend(root, ann)
    hours.go_by(hours=41 * 24)
    tasks.tend()
    assert seated_in(tournament, 1) == {1, 2}


@pytest.mark.outgrown
def test_a_match_that_is_voided_counts_for_nothing_at_once(mo, root, ann, bob, cem, eve):
    tournament = begun(mo, [ann, bob, cem, eve])
    first, _second = running_tables(tournament)
    match = end_table(first)
    matches.void(moderator=root, match=match, reason="agreed beforehand")
    first.refresh_from_db()
    assert first.state == Table.State.VOID
    assert play_to_the_end(tournament).state == Tournament.State.OVER
    first.refresh_from_db()
    assert first.state == Table.State.VOID


def beaten(mo, winner: User, loser: User, *, name: str, rated: bool = True) -> Tournament:
    """Return a tournament of these two that the first has won."""
    tournament = begun(mo, [winner, loser], name=name, rated=rated)
    (table,) = running_tables(tournament)
    seats = list(table.places.order_by("seat").values_list("entrant__user", flat=True))
    end_table(table, [1 if user == winner.pk else 2 for user in seats])
    tasks.tend()
    return now(tournament)


@pytest.fixture
def strong_bob(bob):
    placed(bob, 1900)
    return bob


@pytest.mark.outgrown
def test_a_stronger_one_who_keeps_losing_to_the_same_is_a_hint(mo, ann, strong_bob, clock):
    for number in range(3):
        assert hints.against_rating(ann) == []
        beaten(mo, ann, strong_bob, name=f"Cup {number}")
        Entrant.objects.filter(user=strong_bob).update(strength=1900)  # as if he had won elsewhere
    assert hints.against_rating(ann) == [(strong_bob, 3, 3)]
    assert hints.against_rating(strong_bob) == []
    page = browser_of(mo).get(f"/admin/accounts/user/{ann.pk}/change/").content.decode()
    assert "at 3 of 3 rated tables in 90 days" in page
    beaten(mo, strong_bob, ann, name="Cup 4")
    Entrant.objects.filter(user=strong_bob).update(strength=1900)
    assert hints.against_rating(ann) == []  # of four tables it is no longer nearly all
    clock.forward(91 * 86_400)
    assert hints.against_rating(ann) == []


def test_what_is_no_such_hint(mo, ann, strong_bob, cem):
    for number in range(3):
        beaten(mo, ann, strong_bob, name=f"Casual {number}", rated=False)
        beaten(mo, ann, cem, name=f"Even {number}")
        tournament = beaten(mo, ann, strong_bob, name=f"Void {number}")
        Table.objects.filter(round__tournament=tournament).update(state=Table.State.VOID)
    Entrant.objects.filter(user=strong_bob).update(strength=1900)
    Entrant.objects.filter(user__in=[ann, cem]).update(strength=1500)
    assert hints.against_rating(ann) == []


def test_matches_of_tournaments_count_for_the_other_hints(mo, ann, bob):
    for number in range(5):
        beaten(mo, ann, bob, name=f"Cup {number}")
    assert hints.givers(ann) == [(bob, 5, 5)]
    assert hints.inseparable(ann) == [(bob, 5, 5)]
    assert hints.won_of(ann) == (5, 0, 0)


def visit(who: User, address: str, table) -> None:
    client = Client(REMOTE_ADDR=address, HTTP_USER_AGENT=f"Browser of {who.username}")
    client.force_login(who)
    assert client.post(f"/matches/{table.pk}/join/").status_code == 302


def test_two_of_one_network_in_the_same_tournaments_are_a_hint(mo, ann, bob, cem):
    table = opened(member("zoe"), size=4)
    for who, address in ((ann, "203.0.113.7"), (bob, "203.0.113.99"), (cem, "203.0.114.7")):
        visit(who, address, table)
    assert hints.sharing(ann, Trace.Kind.RANGE) == [bob]
    assert hints.fellows(ann) == []
    entered(announced(mo), [ann, bob, cem])
    entered(announced(mo, name="Winter Cup"), [ann])
    assert hints.fellows(ann) == [(bob, 1, 2)]
    assert hints.fellows(bob) == [(ann, 1, 1)]
    assert hints.fellows(cem) == []
    page = browser_of(mo).get(f"/admin/accounts/user/{ann.pk}/change/").content.decode()
    assert "in 1 of this member’s 2 tournaments in 90 days" in page


def test_the_audit_says_in_words_what_moderators_corrected(mo, root, ann, bob, cem):
    tournament = begun(mo, [ann, bob, cem, *people(3)])
    table = running_tables(tournament)[0]
    about = {"tournament_id": tournament.pk, "user": root, "reason": "because"}
    correcting.take_out(number=3, **about)
    correcting.replace(number=2, by=member("zoe"), **about)
    correcting.void_table(table_id=table.pk, **about)
    correcting.extend(days=2, **about)
    correcting.stop(**about)
    rows = list(Audit.objects.filter(deed=Audit.Deed.CONTEST).order_by("pk"))
    assert [row.details.removeprefix(f"Autumn Cup ({tournament.pk}): ") for row in rows] == [
        "somebody left",
        "somebody was replaced",
        "a table was voided",
        "a round was extended",
        "the tournament was cancelled",
    ]
    assert [row.member for row in rows] == [cem, bob, None, None, None]
    assert {row.reason for row in rows} == {"because"}
    page = browser_of(root).get("/admin/moderation/audit/?deed__exact=contest").content.decode()
    assert "correct a tournament" in page
    assert f"Autumn Cup ({tournament.pk}): a round was extended" in page
    assert rounds_of(tournament)[0].number == 1


def test_a_moderator_cancels_one_that_is_open_with_a_reason_and_in_the_audit(mo, root, ann, monkeypatch):
    monkeypatch.setattr(announcing, "may_organise", lambda who: True)
    tournament = announced(ann)
    with pytest.raises(NoReason):
        announcing.cancel_open(tournament_id=tournament.pk, user=root, reason="")
    assert now(tournament).state == Tournament.State.OPEN
    announcing.cancel_open(tournament_id=tournament.pk, user=root, reason="spam")
    assert Audit.objects.get().details == f"Autumn Cup ({tournament.pk}): the tournament was cancelled"
    own = announced(ann, name="Own Cup")
    announcing.cancel_open(tournament_id=own.pk, user=ann, reason="")
    assert Audit.objects.count() == 1


def test_what_members_correct_is_not_in_the_audit(ann, bob, cem, monkeypatch):
    monkeypatch.setattr(announcing, "may_organise", lambda who: True)
    tournament = begun(ann, [bob, cem])
    correcting.extend(tournament_id=tournament.pk, user=ann, days=1, reason="a holiday")
    assert not Audit.objects.exists()
    assert Correction.objects.get().by == ann
