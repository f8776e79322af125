"""The archive of ended matches: nobody can tell from any page, record or file that their turns lie there."""

import io
import json
import re
from datetime import timedelta
from random import Random

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.lib import clock as present
from games.models import Archive, Match, PlayedKey, Turn
from games.queries import people
from games.queries.play import seats_of
from games.queries.turns import COLUMNS, moves_made
from games.record import record_of
from games.rules import games
from games.services.operation.undo import undo_sweep
from games.services.people.personal_data import play_data
from games.services.play import archiving
from tests.factories import as_many, asked, browser_of, fresh, opened, played_on, rated, seated, submit

DAY = timedelta(days=1).total_seconds()
ONCE = re.compile(
    r'nonce="[^"]*"|name="(?:csrfmiddlewaretoken|key|promise)" value="[^"]*"|data-(?:csrf|now|promised)="[^"]*"'
)


@pytest.fixture(autouse=True)
def long_updated(db):
    """A database that has known archives for long."""
    MigrationRecorder(connection).migration_qs.update(applied=present.now() - timedelta(days=30))


@pytest.mark.both
def test_not_while_one_may_go_back_to_the_release_before(ann, bob, clock):
    match = played_on(seated(ann, bob), Random(2))
    MigrationRecorder(connection).migration_qs.update(applied=present.now())
    clock.forward(6.9 * DAY)
    assert archiving.archive_matches() == 0
    assert match.log.exists()
    clock.forward(0.2 * DAY)
    assert archiving.archive_matches() == 1


def seen(match: Match, *people_of: object) -> dict[str, object]:
    """Everything that anybody sees of a match that has ended."""
    cache.clear()
    steps = {0, 1, match.turns // 2, match.turns}
    paths = [f"/matches/{match.pk}/{path}" for path in ("", "log/", "record.json", *(f"replay/{n}/" for n in steps))]
    paths += ["/matches/", "/people/ann/", "/"]
    found: dict[str, object] = {}
    for person in (None, *people_of):
        for path in paths:
            answer = browser_of(person).get(path)
            assert answer.status_code in (200, 302), (path, answer.status_code)
            found[f"{person} {path}"] = ONCE.sub("", answer.content.decode())
    said = io.StringIO()
    call_command("check_matches", stdout=said)
    ann = people_of[0]
    exported = json.dumps(
        play_data(ann), default=lambda value: list(value) if hasattr(value, "__next__") else str(value)
    )
    counts = moves_made([match.pk])
    return found | {"check": said.getvalue(), "file": exported, "made": counts, "replies": people._replies(ann)}


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=pytest.mark.both if slug in ("yes", "yum-extra") else []) for slug in games()]
)
def test_nobody_can_tell(slug, ann, bob, cem, clock):
    sitting = as_many(slug, ann, bob, cem)
    match = played_on(seated(*sitting, game_slug=slug), Random(slug))
    assert match.status == Match.Status.ENDED
    clock.forward(DAY + 60)
    record = json.dumps(record_of(match, seats_of(match)))
    before, kept = seen(match, ann), list(Turn.objects.order_by("number").values(*COLUMNS))
    assert len(kept) == match.turns
    assert archiving.archive_matches() == 1
    assert not Turn.objects.exists()
    assert fresh(match).archived
    assert Archive.objects.get(match=match).turns == match.turns
    after = seen(fresh(match), ann)
    for name, value in before.items():
        assert after[name] == value, name
    assert json.dumps(record_of(fresh(match), seats_of(match))) == record
    archiving.bring_back(fresh(match))
    assert list(Turn.objects.order_by("number").values(*COLUMNS)) == kept
    assert not Archive.objects.exists()


@pytest.mark.both
def test_it_is_smaller_by_far(ann, bob, clock):
    match = played_on(seated(ann, bob), Random(3))
    clock.forward(DAY + 60)
    rows = json.dumps(list(match.log.values(*COLUMNS)))
    archiving.archive_matches()
    assert len(Archive.objects.get().body) < len(rows) / 6


@pytest.mark.both
def test_only_what_ended_a_day_ago(ann, bob, clock):
    running = played_on(seated(ann, bob), Random(4), turns=5)
    ended = played_on(seated(ann, bob), Random(5))
    aside = played_on(seated(ann, bob), Random(6))
    Match.objects.filter(pk=aside.pk).update(troubled_at=aside.ended_at)
    clock.forward(DAY - 60)
    assert archiving.archive_matches() == 0
    clock.forward(120)
    assert archiving.archive_matches() == 1
    assert archiving.archive_matches() == 0
    assert [Match.objects.get(archived=True).pk, Archive.objects.get().match_id] == [ended.pk] * 2
    assert running.log.count() == 5
    assert aside.log.count() == aside.turns


@pytest.mark.both
def test_a_table_that_never_began_needs_none(ann, clock):
    match = opened(ann)
    Match.objects.filter(pk=match.pk).update(status="ended", ending="closed", ended_at=match.created_at)
    clock.forward(DAY + 60)
    assert archiving.archive_matches() == 1
    assert fresh(match).archived
    assert not Archive.objects.exists()


@pytest.mark.both
def test_a_few_at_a_time_and_one_failure_stops_no_other(ann, bob, clock, monkeypatch):
    matches = [played_on(seated(ann, bob), Random(seed)) for seed in range(3)]
    clock.forward(DAY + 60)
    monkeypatch.setattr(archiving, "AT_ONCE", 1)
    really = archiving.archive_match

    def but_the_first(match_id: int) -> bool:
        if match_id == matches[0].pk:
            raise ValueError("torn")
        return really(match_id)

    monkeypatch.setattr(archiving, "archive_match", but_the_first)
    assert archiving.archive_matches() == 1
    assert [fresh(match).archived for match in matches] == [False, True, False]
    monkeypatch.undo()
    assert archiving.archive_matches() == 2


@pytest.mark.both
def test_what_would_lose_something_stays_in_rows(ann, bob, clock, monkeypatch):
    match = played_on(seated(ann, bob), Random(7))
    clock.forward(DAY + 60)
    really = archiving.turns.unpacked
    monkeypatch.setattr(archiving.turns, "unpacked", lambda *given: really(*given)[1:])
    assert archiving.archive_matches() == 0
    assert match.log.count() == match.turns
    assert not (fresh(match).archived or Archive.objects.exists())


@pytest.mark.both
def test_a_reopened_match_has_its_turns_again(hours, ann, bob):
    ann.vacation_by_itself = bob.vacation_by_itself = False
    ann.save()
    bob.save()
    match = played_on(seated(ann, bob, pace="live"), Random(61), turns=7)
    hours.go_by(minutes=6)
    sweep = hours.sweep()
    assert fresh(match).status == Match.Status.ENDED
    hours.go_by(days=2)
    assert archiving.archive_matches() == 1
    assert undo_sweep(sweep)["restored"] == 1
    again = fresh(match)
    assert (again.status, again.turns, again.archived) == (Match.Status.RUNNING, match.turns, False)
    assert list(again.log.order_by("number").values_list("number", flat=True)) == list(range(1, match.turns + 1))
    assert not PlayedKey.objects.filter(match=match, number__gt=match.turns).exists()
    seat = asked(again)
    submit(again, seat, {"type": "roll"}, key="on")
    assert fresh(match).turns == match.turns + 1


@pytest.mark.both
def test_what_undoing_leaves_alone_stays_in_its_archive(hours, ann, bob):
    played_on(seated(ann, bob, pace="live"), Random(61), turns=7)
    hours.go_by(minutes=6)
    sweep = hours.sweep()
    hours.go_by(days=2)
    assert archiving.archive_matches() == 1
    Match.objects.update(voided_at=sweep.at)
    assert undo_sweep(sweep)["left"] == 1
    assert Match.objects.get().archived


@pytest.mark.both
def test_moves_are_counted_over_both(ann, bob, clock):
    first, second = rated(ann, bob, moves=3), rated(ann, bob, moves=6)
    Match.objects.filter(pk=first.pk).update(status="ended", ended_at=first.started_at)
    clock.forward(DAY + 60)
    counts = moves_made([first.pk, second.pk])
    assert archiving.archive_matches() == 1
    assert moves_made([first.pk, second.pk]) == counts == {first.pk: {0: 3, 1: 3}, second.pk: {0: 6, 1: 6}}
