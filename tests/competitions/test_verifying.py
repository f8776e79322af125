"""The command that checks a tournament finds what was changed in its record, and says what it does not check."""

import json
from copy import deepcopy
from random import Random

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Block
from games.competitions import record
from games.competitions.models import Place
from games.competitions.pairing.verifying import Unreadable, verify
from games.competitions.services import correcting, entering
from tests.competitions.arranged import begun, now, organiser, people, play_round, play_to_the_end
from tests.factories import browser_of, member

pytestmark = pytest.mark.django_db
FORMATS = {
    "swiss": {"seats": 2},
    "groups": {"seats": 4, "advance": 1},
    "robin": {"seats": 2},
    "knockout": {"seats": 2},
}


def over(format_="swiss", count=8, **wishes):
    tournament = begun(organiser(), people(count), format=format_, **FORMATS[format_], **wishes)
    return play_to_the_end(tournament, Random(count))


def faults(told) -> list[str]:
    return [one.about for one in verify(told) if one.well is False]


@pytest.mark.thin(1)
@pytest.mark.parametrize("format_", FORMATS)
def test_an_honest_one_is_sound(format_, capsys):
    tournament = over(format_)
    told = json.loads(json.dumps(record.record_of(tournament)))
    assert faults(told) == []
    call_command("verify_tournament", str(tournament.pk))
    said = capsys.readouterr().out
    assert "sound: the draw of round 1: tables and seats as drawn" in said
    assert "sound: the results: as the matches ended" in said
    assert "not checked: blocks" in said and "NOT SOUND" not in said


def test_it_is_sound_with_departures_late_comers_and_tables_voided_after_a_draw():
    olga, zoe = organiser(), member("zoe")
    tournament = begun(olga, people(8), seats=2, rounds_wished=4)
    entering.withdraw(tournament_id=tournament.pk, user=tournament.entrants.get(number=3).user)
    correcting.replace(tournament_id=tournament.pk, user=olga, number=5, by=zoe, reason="ill")
    entering.take_place(tournament_id=tournament.pk, user=zoe)
    play_round(tournament, Random(1))
    table = tournament.rounds.get(number=1).tables.first()
    correcting.void_table(tournament_id=tournament.pk, user=olga, table_id=table.pk, reason="a trick")
    play_to_the_end(tournament, Random(2))
    assert faults(record.record_of(now(tournament))) == []


def changed(told, change):
    copy = deepcopy(told)
    change(copy)
    return faults(copy)


def test_what_is_planted_is_found():
    told = json.loads(json.dumps(record.record_of(over(count=10))))
    first = told["rounds"][0]["tables"]

    def turned(one):
        one["rounds"][0]["tables"][0]["seats"].reverse()

    def exchanged(one):
        one, other = one["rounds"][0]["tables"][:2]
        one["seats"][0]["number"], other["seats"][0]["number"] = other["seats"][0]["number"], one["seats"][0]["number"]

    def won(one):
        for seat in one["rounds"][-1]["tables"][0]["seats"]:
            seat["rank"] = 3 - seat["rank"]

    assert len(first) == 5
    assert changed(told, lambda one: one.update(seed="00" * 32))[0] == "the secret"
    assert changed(told, lambda one: one["entrants"][0].update(lot=99))[0] == "the lots"
    assert "the draw of round 1" in changed(told, turned)
    assert "the draw of round 1" in changed(told, exchanged)
    assert "the standings" in changed(told, won)
    assert changed(told, lambda one: one["standings"][0].update(points="1000")) == ["the standings"]
    assert "the standings" in changed(told, lambda one: one["standings"].pop())
    twice = changed(
        told, lambda one: one["rounds"][0]["tables"][0]["seats"][0].update(number=first[1]["seats"][0]["number"])
    )
    assert "who sat where" in twice


def test_a_result_that_is_not_of_its_match_is_found(capsys):
    tournament = over()
    place = Place.objects.filter(round__tournament=tournament, rank=1, table__match__isnull=False).first()
    Place.objects.filter(table=place.table).exclude(pk=place.pk).update(rank=1)
    Place.objects.filter(pk=place.pk).update(rank=2)
    with pytest.raises(CommandError, match="the results"):
        call_command("verify_tournament", str(tournament.pk))


def test_a_draw_that_blocks_changed_is_told_not_hidden():
    members = people(4)
    for other in members[1:3]:
        Block.objects.create(blocker=members[0], blocked=other)
    tournament = play_to_the_end(begun(organiser(), members, seats=2, rounds_wished=1), Random(3))
    verdicts = [one for one in verify(record.record_of(tournament)) if one.about == "the draw of round 1"]
    assert all(one.well or "only blocks" in one.words for one in verdicts)


def test_a_file_is_read_and_nothing_before_the_end(tmp_path, capsys):
    tournament = over()
    answer = browser_of().get(f"/tournaments/{tournament.pk}/record/")
    path = tmp_path / "record.json"
    path.write_bytes(answer.content)
    call_command("verify_tournament", str(path))
    assert "check each with verify_match" in capsys.readouterr().out
    path.write_text("{}")
    for wrong in (str(path), str(tmp_path / "none.json"), "999999"):
        with pytest.raises(CommandError):
            call_command("verify_tournament", wrong)
    with pytest.raises(Unreadable):
        verify({"format": "club-y-tournament", "version": 1})
    running = begun(organiser("otto"), people(4, "q"), name="Other")
    assert browser_of().get(f"/tournaments/{running.pk}/record/").status_code == 409
    with pytest.raises(CommandError, match="not over"):
        call_command("verify_tournament", str(running.pk))


def test_the_record_of_a_private_one_is_for_whoever_sees_it():
    tournament = over(access="link")
    path = f"/tournaments/{tournament.pk}/record/"
    assert browser_of(member("eve")).get(path).status_code == 404
    assert browser_of().get(path)["Location"].startswith("/accounts/login/")
    assert browser_of(tournament.organiser).get(path).status_code == 200
