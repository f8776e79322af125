"""Corrections: who may, with what reason, what they change, and that everybody reads them."""

import re
from datetime import timedelta

import pytest

from accounts.models import User
from config.lib import clock as site_clock
from games.competitions import pairing, queries, tasks
from games.competitions.models import Correction, Entrant, Place, Round, Table, Tournament
from games.competitions.services import announcing, correcting, entering, rounds
from games.competitions.services.refusals import BotsFinish, Closed, NotOrganiser, OwnTable
from games.models import Audit, Match
from games.moderation import matches, members
from games.services.refusals import CannotWrite, Invalid, NotAsked, NotYours, TooManyTables
from tests.competitions.arranged import (
    announced,
    begun,
    end_table,
    entered,
    now,
    organiser,
    people,
    play_round,
    running_tables,
)
from tests.factories import browser_of, fresh

DEEDS = {
    correcting.take_out: {"number": 1},
    correcting.void_table: {},
    correcting.extend: {"days": 2},
    correcting.decide: {},
}


@pytest.fixture
def olga(db):
    return organiser()


def correct(deed, tournament, user, reason="a good reason", **about):
    needed = dict(DEEDS.get(deed, {}))
    if deed in (correcting.void_table, correcting.decide):
        needed["table_id"] = Table.objects.filter(round__tournament=tournament).first().pk
    return deed(tournament_id=tournament.pk, user=user, reason=reason, **needed | about)


@pytest.mark.parametrize("deed", DEEDS)
def test_only_the_organiser_and_moderators_may_and_say_why(olga, mo, eve, deed):
    tournament = begun(olga, people(4), judge="standing")
    with pytest.raises(NotYours):
        correct(deed, tournament, eve)
    for reason in ("", "  ", "x" * 201):
        with pytest.raises(Invalid, match="Give a reason"):
            correct(deed, tournament, olga, reason)
    assert not Correction.objects.exists()
    correct(deed, tournament, olga, "first")
    assert [(one.by, one.reason) for one in Correction.objects.all()] == [(olga, "first")]
    assert not Audit.objects.exists()
    about = {"number": 2} if deed is correcting.take_out else {}
    if deed is correcting.decide:
        about = {"table_id": running_tables(tournament)[-1].pk}
    if deed is correcting.void_table:
        about = {"table_id": Table.objects.last().pk}
    correct(deed, tournament, mo, "second", **about)
    assert Audit.objects.get().deed == Audit.Deed.CONTEST
    Tournament.objects.update(state="over", ended_at=tournament.created_at)
    with pytest.raises(Closed):
        correct(deed, tournament, olga)


def test_an_organiser_who_plays_corrects_nothing_at_their_own_table(olga, mo):
    tournament = begun(olga, [olga, *people(1)])
    [table] = running_tables(tournament)
    for deed in (correcting.void_table, correcting.decide):
        with pytest.raises(OwnTable):
            correct(deed, tournament, olga, table_id=table.pk)
    correct(correcting.void_table, tournament, mo, table_id=table.pk)


def test_a_voided_table_counts_for_nothing_and_the_round_goes_on(olga):
    tournament = begun(olga, people(4))
    first, second = running_tables(tournament)
    correct(correcting.void_table, tournament, olga, table_id=first.pk)
    assert fresh(first.match).status == Match.Status.RUNNING
    end_table(second)
    tasks.tend()
    assert Round.objects.count() == 2
    end_table(first)  # what becomes of the match is no matter any more
    assert Table.objects.get(pk=first.pk).state == Table.State.VOID
    lines = pairing.standings(
        queries.plan_of(tournament), queries.everybody(tournament), queries.results_of(tournament)
    )
    assert sorted(line.points for line in lines) == [0, 0, 0, 100]


def test_a_match_that_a_moderator_voids_is_scored_again(olga, mo):
    tournament = begun(olga, people(4))
    table = running_tables(tournament)[0]
    end_table(table)
    matches.void(moderator=mo, match=fresh(table.match), reason="thrown")
    assert Table.objects.get(pk=table.pk).state == Table.State.VOID


def test_an_extended_round_ends_later_and_its_last_day_is_told_again(olga):
    tournament = begun(olga, people(4))
    before = Round.objects.get().ends_at
    Round.objects.update(last_day_told=True)
    for days in (0, 15, -1):
        with pytest.raises(Invalid):
            correct(correcting.extend, tournament, olga, days=days)
    correct(correcting.extend, tournament, olga, days=2)
    assert (Round.objects.get().ends_at, Round.objects.get().last_day_told) == (before + timedelta(days=2), False)


def test_a_table_decided_at_once(olga):
    tournament = begun(olga, people(2), judge="standing")
    [table] = running_tables(tournament)
    correct(correcting.decide, tournament, olga)
    assert Table.objects.get().state == Table.State.JUDGED
    with pytest.raises(Closed):
        correct(correcting.decide, tournament, olga)
    assert Correction.objects.get().table == table


def test_no_organiser_has_somebody_lose_a_rated_match_before_the_limit(olga, mo):
    """Else a sock puppet opposite won whatever its owner liked, the moment that the other was asked."""
    tournament = begun(olga, people(2), rated=True, judge="bots")
    [table] = running_tables(tournament)
    with pytest.raises(BotsFinish):
        correct(correcting.decide, tournament, olga)
    assert all(seat.is_in for seat in table.match.seats.all()) and not Correction.objects.exists()
    assert 'value="decide"' not in browser_of(olga).get(f"/tournaments/{tournament.pk}/manage/").content.decode()
    correct(correcting.decide, tournament, mo)
    assert not all(seat.is_in for seat in table.match.seats.all())


def test_who_replaces_somebody_plays_from_the_next_round_on(olga, ann):
    members = people(6)
    tournament = begun(olga, members)
    correct(correcting.replace, tournament, olga, number=1, by=ann)
    come = entering.take_place(tournament_id=tournament.pk, user=ann)
    assert come.number == 7
    with pytest.raises(Invalid):
        correct(correcting.replace, tournament, olga, number=2, by=ann)
    play_round(tournament)
    seated = set(Place.objects.filter(round__number=2).values_list("entrant__user", flat=True))
    assert ann.pk in seated and Entrant.objects.get(number=1).user_id not in seated


def test_a_place_is_taken_by_one_only_who_has_a_lot_as_all_others(olga, ann, bob):
    tournament = begun(olga, people(4))
    correct(correcting.replace, tournament, olga, number=1, by=ann)
    come = entering.take_place(tournament_id=tournament.pk, user=ann)
    assert come.lot == rounds.lot_of(now(tournament), come.number) > 0
    with pytest.raises(Invalid, match="taken already"):
        correct(correcting.replace, tournament, olga, number=1, by=bob)
    assert Entrant.objects.count() == 5
    page = browser_of(olga).get(f"/tournaments/{tournament.pk}/manage/").content.decode()
    [places] = re.findall(r'<select name="number" [^>]*id="replace-number".*?</select>', page, re.DOTALL) or [page]
    assert 'value="2"' in places and 'value="1"' not in places
    correct(correcting.replace, tournament, olga, number=come.number, by=bob)


@pytest.mark.parametrize("form", ["robin", "groups", "knockout"])
def test_where_tables_are_laid_out_from_the_beginning_nobody_comes_later(olga, ann, form):
    tournament = begun(olga, people(4), format=form)
    with pytest.raises(Invalid, match="nobody can come later"):
        correct(correcting.replace, tournament, olga, number=1, by=ann)
    assert Entrant.objects.get(number=1).is_in


def test_moderators_alone_stop_a_running_one(olga, mo):
    tournament = begun(olga, people(4))
    with pytest.raises(NotYours):
        correcting.stop(tournament_id=tournament.pk, user=olga, reason="x")
    correcting.stop(tournament_id=tournament.pk, user=mo, reason="x")
    assert now(tournament).state == Tournament.State.CANCELLED
    assert all(fresh(table.match).status == "running" for table in running_tables(tournament))


def test_who_may_organise_and_how_many_at_once(olga, ann, mo):
    with pytest.raises(NotOrganiser):
        announced(ann)
    announced(mo)
    for _one in range(announcing.MOST_AT_ONCE):
        announced(olga)
    with pytest.raises(TooManyTables):
        announced(olga)


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    "wishes",
    [
        {"seats": 9},
        {"least": 1},
        {"least": 5, "most": 4},
        {"most": 1001},
        {"pace_slug": "no"},
        {"round_limit": 60},
        {"round_limit": 61 * 24 * 60},
        {"lowest_rating": 1700, "highest_rating": 1600},
        {"format": "no"},
        {"format": "knockout", "advance": 2},
        {"game_slug": "yesss", "options": {"mode": "cooperative"}},
        {"options": {"no": "such"}},
    ],
)
def test_what_cannot_be_played_is_refused_in_words(olga, wishes):
    with pytest.raises(Invalid) as refused:
        announced(olga, **wishes)
    assert str(refused.value)
    assert not Tournament.objects.exists()


def test_before_it_begins_the_organiser_cancels_it(olga, eve):
    tournament = announced(olga)
    entered(tournament, people(2))
    with pytest.raises(NotYours):
        announcing.cancel_open(tournament_id=tournament.pk, user=eve, reason="")
    announcing.cancel_open(tournament_id=tournament.pk, user=olga, reason="rain")
    assert set(Entrant.objects.values_list("to_tell", flat=True)) == {"cancelled"}
    with pytest.raises(Closed):
        announcing.cancel_open(tournament_id=tournament.pk, user=olga, reason="")


def test_not_before_enough_have_come(olga):
    tournament = announced(olga, least=4)
    entered(tournament, people(3))
    with pytest.raises(Invalid, match="3 of 4 have signed up"):
        announcing.begin_now(tournament_id=tournament.pk, user=olga)


def test_nobody_is_put_in_a_place_who_takes_no_invitations_from_the_organiser(olga, ann, bob):
    tournament = begun(olga, people(4))
    for one, wish in ((ann, User.Invitations.NONE), (bob, User.Invitations.KNOWN)):
        User.objects.filter(pk=one.pk).update(invitations_from=wish)
        one.refresh_from_db()
        with pytest.raises(NotAsked, match=one.username):
            correct(correcting.replace, tournament, olga, number=1, by=one)
    assert Entrant.objects.get(number=1).is_in and Entrant.objects.count() == 4


def test_who_is_muted_writes_neither_descriptions_nor_reasons(olga, mo):
    tournament = begun(olga, people(4))
    members.mute(moderator=mo, member=olga, reason="insults", until=site_clock.now() + timedelta(days=3))
    with pytest.raises(CannotWrite):
        announced(olga, words="anything")
    with pytest.raises(CannotWrite):
        correct(correcting.extend, tournament, olga)
    assert Tournament.objects.count() == 1 and not Correction.objects.exists()


def test_who_is_muted_mails_nobody_a_reason_by_cancelling(olga, mo):
    tournament = announced(olga)
    entered(tournament, people(3))
    members.mute(moderator=mo, member=olga, reason="insults", until=site_clock.now() + timedelta(days=3))
    with pytest.raises(CannotWrite):
        announcing.cancel_open(tournament_id=tournament.pk, user=olga, reason="you are all idiots")
    assert now(tournament).state == Tournament.State.OPEN and not Correction.objects.exists()
    announcing.cancel_open(tournament_id=tournament.pk, user=mo, reason="insults")
    assert now(tournament).state == Tournament.State.CANCELLED
