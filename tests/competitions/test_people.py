"""People of tournaments: their data, their names, guests, and accounts that are closed."""

import json

import pytest

from accounts.models import User
from accounts.services.closing import close_account
from accounts.services.data_export import file_of
from config.lib import clock as present
from games.competitions import personal_data, tasks
from games.competitions.models import Correction, Entrant, Place, Table, Tournament
from games.competitions.services import announcing, correcting, entering
from games.models import Match
from games.services.people.account_changes import transfer_matches
from games.services.refusals import GuestsCannot
from tests.competitions.arranged import (
    announced,
    begun,
    end_table,
    entered,
    now,
    people,
    play_to_the_end,
    rounds_of,
    running_tables,
)
from tests.factories import fresh, guest, member

pytestmark = pytest.mark.outgrown


@pytest.fixture
def olga(db, monkeypatch):
    """A member who may organise."""
    monkeypatch.setattr(announcing, "may_organise", lambda member: True)
    return member("olga")


def data_of(user) -> dict:
    return json.loads("".join(file_of(user)))


def entry(tournament, user) -> Entrant:
    return Entrant.objects.get(tournament=tournament, user=user)


def test_what_one_entered_is_in_ones_file(mo, ann, bob):
    tournament = play_to_the_end(begun(mo, [ann, bob]))
    (own,) = data_of(ann)["tournaments"]
    match = Match.objects.get(tournament_table__round__tournament=tournament)
    place = Place.objects.get(entrant__user=ann)
    assert own["tournament"] == "Autumn Cup"
    assert own["number"] == 1
    assert own["signed_at"] == entry(tournament, ann).signed_at.isoformat()
    assert own["tables"] == [
        {"round": 1, "table": 1, "match": match.pk, "seat": place.seat, "rank": place.rank}
        | {"score": place.score, "away": False}
    ]
    assert bytes(tournament.server_seed).hex() not in "".join(file_of(ann))


def test_what_one_organised_and_corrected_is_in_ones_file(mo, ann, bob, cem):
    tournament = begun(mo, [ann, bob, cem], words="Bring tea")
    correcting.take_out(tournament_id=tournament.pk, user=mo, number=3, reason="asked for it")
    table = running_tables(tournament)[0]
    correcting.void_table(tournament_id=tournament.pk, user=mo, table_id=table.pk, reason="a mistake")
    data = data_of(mo)
    (own,) = data["tournaments_organised"]
    assert (own["name"], own["words"], own["format"], own["state"]) == ("Autumn Cup", "Bring tea", "swiss", "running")
    assert {"server_seed", "token"} & set(own) == set()
    assert [(one["kind"], one["reason"], one["number"], one["table"]) for one in data["tournament_corrections"]] == [
        ("left", "asked for it", 3, None),
        ("voided", "a mistake", None, table.pk),
    ]
    assert data["tournaments"] == []
    assert data_of(ann)["tournament_corrections"] == data_of(ann)["tournaments_organised"] == []


def test_all_that_was_announced_is_in_it():
    hidden = {"id", "organiser", "token", "server_seed", "outage", "troubled_at", "trouble"}  # the site's own
    hidden |= {"to_tell"}
    told = {*personal_data.TOLD, "club", "created_at", "begins_at", "began_at", "ended_at"}
    assert {field.name for field in Tournament._meta.concrete_fields} == told | hidden


def test_whoever_closes_their_account_before_it_begins_takes_part_no_more(mo, ann, bob):
    tournament = announced(mo)
    entered(tournament, [ann, bob])
    close_account(user_id=ann.pk)
    gone = Entrant.objects.get(tournament=tournament, number=1)
    assert (gone.user, gone.left, gone.is_in) == (None, "closed", False)
    assert not Correction.objects.exists()
    cem, dan = people(2)
    assert [one.number for one in entered(tournament, [cem, dan])] == [3, 4]


def test_a_tournament_goes_on_without_whoever_closed_their_account(mo, ann, bob, cem, eve):
    tournament = begun(mo, [ann, bob, cem, eve])
    table = next(one for one in running_tables(tournament) if one.places.filter(entrant__user=ann).exists())
    before = list(Place.objects.order_by("pk").values_list("entrant__number", "table", "seat"))
    close_account(user_id=ann.pk)
    assert list(Place.objects.order_by("pk").values_list("entrant__number", "table", "seat")) == before
    gone = Entrant.objects.get(tournament=tournament, number=1)
    assert (gone.user, gone.left) == (None, "closed")
    (row,) = Correction.objects.all()
    assert (row.kind, row.entrant, row.by) == ("left", gone, None)
    table.refresh_from_db()  # two sat there: the match is over
    assert table.state == Table.State.OVER
    assert fresh(table.match).seats.filter(former=True).count() == 1
    place = Place.objects.get(table=table, entrant=gone)
    assert (place.rank, place.away) == (2, True)
    over = play_to_the_end(tournament)
    assert over.state == Tournament.State.OVER
    assert not Place.objects.filter(entrant=gone, round__number__gt=1).exists()
    assert Correction.objects.count() == 1


def test_a_table_that_was_drawn_and_not_opened_is_decided(mo, ann, bob, monkeypatch):
    tournament = announced(mo)
    entered(tournament, [ann, bob])
    announcing.begin_now(tournament_id=tournament.pk, user=mo)
    close_account(user_id=ann.pk)
    tasks.tend()
    (table,) = Table.objects.all()
    assert (table.state, table.match) == (Table.State.JUDGED, None)
    assert set(table.places.values_list("entrant__number", "rank", "away")) == {(1, 2, True), (2, 1, False)}
    play_to_the_end(tournament)


def test_an_organiser_who_closes_their_account_leaves_it_running(olga, root, ann, bob, cem):
    tournament = begun(olga, [ann, bob, cem])
    close_account(user_id=olga.pk)
    left = now(tournament)
    assert left.organiser is None
    correcting.extend(tournament_id=left.pk, user=root, days=1, reason="a holiday")
    assert play_to_the_end(left).state == Tournament.State.OVER


def test_one_that_is_open_begins_without_its_organiser(olga, ann, bob, hours):
    tournament = announced(olga)
    entered(tournament, [ann, bob])
    close_account(user_id=olga.pk)
    hours.go_by(hours=25)
    tasks.tend()
    assert now(tournament).state == Tournament.State.RUNNING


def test_results_of_a_past_one_stand(olga, ann, bob, cem):
    tournament = play_to_the_end(begun(olga, [ann, bob, cem]))
    before = list(Place.objects.order_by("pk").values("entrant", "rank", "score", "away"))
    close_account(user_id=ann.pk)
    close_account(user_id=olga.pk)
    assert list(Place.objects.order_by("pk").values("entrant", "rank", "score", "away")) == before
    gone = Entrant.objects.get(tournament=tournament, number=1)
    assert (gone.user, gone.left) == (None, "")


def test_names_go_from_the_reasons_of_corrections(mo, root, ann, bob, cem):
    tournament = begun(mo, [ann, bob, cem])
    reason = "Ann wrote to us; Annabel did not"
    correcting.take_out(tournament_id=tournament.pk, user=root, number=1, reason=reason)
    close_account(user_id=ann.pk)
    told = Correction.objects.get().reason
    assert "Ann wrote" not in told
    assert told.endswith("wrote to us; Annabel did not")
    assert "Ann wrote" not in root.deeds.get().reason


def test_guests_never_enter(mo, gus):
    tournament = announced(mo)
    with pytest.raises(GuestsCannot):
        entering.enter(tournament_id=tournament.pk, user=gus)
    assert not Entrant.objects.exists()


def test_a_guest_who_logs_in_brings_no_entry(mo, ann, bob):
    tournament = announced(mo)
    entered(tournament, [ann])
    visitor = guest()
    transfer_matches(visitor, ann)
    visitor.delete()
    assert [one.user for one in Entrant.objects.all()] == [ann]
    assert entered(tournament, [ann]) == [entry(tournament, ann)]  # twice is once


def test_a_new_name_shows(mo, ann, bob):
    tournament = begun(mo, [ann, bob])
    ann.username = "anna"
    ann.save()
    assert entry(tournament, User.objects.get(username="anna")).number == 1
    assert data_of(ann)["tournaments"][0]["number"] == 1
    assert rounds_of(tournament)[0].drawn_at <= present.now()
    end_table(running_tables(tournament)[0])
