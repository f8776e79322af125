"""What fails or waits in one tournament holds up no other; what the end of a match and a draw cost."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.lib import clock as site_clock
from games.competitions import tasks
from games.competitions.models import Entrant, Place, Round, Table, Tournament
from games.competitions.services import aside, judging, notices, results, rounds, seating
from games.models import Seat
from tests.competitions.arranged import announced, begun, end_table, entered, now, organiser, people, running_tables
from tests.factories import fresh, seated

pytestmark = pytest.mark.outgrown


@pytest.fixture
def olga(db):
    return organiser()


def statements(asked: CaptureQueriesContext) -> list[str]:
    return [query["sql"] for query in asked if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))]


def test_tables_that_cannot_be_opened_hold_up_no_other_tournament(olga, monkeypatch, hours):
    broken, well = (announced(olga, name=name) for name in ("Broken", "Well"))
    for one in (broken, well):
        entered(one, people(6, one.name[0].lower()))
        with monkeypatch.context() as patched:
            patched.setattr(rounds.broadcast, "tournaments_waiting", lambda: None)
            Tournament.objects.filter(pk=one.pk).update(begins_at=site_clock.now())
            hours.beat()
            rounds.tend(one.pk)
    Tournament.objects.filter(pk=broken.pk).update(game_slug="no-such-game")
    monkeypatch.setattr(seating, "BATCH", 2)
    for _run in range(3):
        seating.open_tables()
    assert len(running_tables(well)) == 3
    assert (len(running_tables(broken)), bool(now(broken).trouble)) == (0, True)
    Tournament.objects.filter(pk=broken.pk).update(game_slug="yum-extra")
    hours.go_by(minutes=11)
    for _run in range(2):
        seating.open_tables()
    assert (len(running_tables(broken)), now(broken).trouble) == (3, "")


def test_a_table_that_plays_on_after_its_limit_holds_up_no_late_one(olga, monkeypatch, hours):
    """With bots, a match may take days beyond the limit: whoever sits there is looked at only when they are late."""
    tournament = begun(olga, people(6), seats=3)
    first, second = running_tables(tournament)
    Round.objects.update(ends_at=site_clock.now())
    hours.go_by(minutes=62)
    Seat.objects.filter(match=first.match, ask__isnull=False).update(asked_at=site_clock.now())
    monkeypatch.setattr(judging, "BATCH", 1)
    judging.judge_due()
    assert not Seat.objects.filter(match=first.match, absent=True).exists()
    assert Seat.objects.filter(match=second.match, absent=True).count() == 1


def test_a_table_that_cannot_be_decided_sets_its_tournament_aside(olga, monkeypatch, hours):
    broken, well = (begun(olga, people(3, name), seats=3, name=name) for name in ("broken", "well"))
    bad = running_tables(broken)[0].match
    Round.objects.update(ends_at=site_clock.now())
    hours.go_by(minutes=62)
    judge = judging.judge
    monkeypatch.setattr(
        judging, "judge", lambda table, *more: judge(table, *more) if table.match_id != bad.pk else 1 / 0
    )
    monkeypatch.setattr(judging, "BATCH", 1)
    for _run in range(2):
        judging.judge_due()
    assert list(aside.set_aside()) == [broken]
    assert Seat.objects.filter(match=running_tables(well)[0].match, absent=True).exists()


def test_mails_that_cannot_be_written_hold_up_no_others(olga, monkeypatch):
    tournament = announced(olga)
    entrants = entered(tournament, people(4))
    Entrant.objects.update(to_tell="cancelled")
    tell = notices.TELLERS["entrant"]
    broken = {entrant.pk for entrant in entrants[:2]}
    failing = {"entrant": lambda pk, known: tell(pk, known) if pk not in broken else 1 / 0}
    monkeypatch.setattr(notices, "TELLERS", notices.TELLERS | failing)
    monkeypatch.setattr(notices, "BATCH", 2)
    assert notices.send_due() == 2
    assert set(Entrant.objects.exclude(to_tell="").values_list("pk", flat=True)) == broken


def test_a_step_that_fails_stops_none_of_the_others(olga, monkeypatch):
    entered(announced(olga), people(1))
    Entrant.objects.update(to_tell="cancelled")

    def judge_due() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(judging, "judge_due", judge_due)
    tasks.tend()
    assert not Entrant.objects.exclude(to_tell="").exists()


def test_the_end_of_a_match_locks_its_table_and_no_round(olga):
    """Whoever holds a match waits for no tournament, nor one table of a round for another."""
    table = running_tables(begun(olga, people(4)))[0]
    with CaptureQueriesContext(connection) as asked:
        end_table(table)
    locking = [sql for sql in statements(asked) if 'FROM "competitions_table"' in sql]
    assert locking and not any("competitions_round" in sql.partition("WHERE")[0] for sql in locking), locking


def test_the_end_of_a_match_outside_tournaments_costs_one_query(ann, bob):
    match = fresh(seated(ann, bob))
    with CaptureQueriesContext(connection) as asked:
        results.match_ended(match, [])
    assert len(statements(asked)) == 1
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("EXPLAIN QUERY PLAN " + statements(asked)[0])
            assert "SEARCH competitions_table USING INDEX" in cursor.fetchall()[0][-1]
        else:
            cursor.execute("SET LOCAL enable_seqscan = off")  # which is the quicker for an empty table
            cursor.execute("EXPLAIN " + statements(asked)[0])
            assert "competitions_table_match_id" in " ".join(row[0] for row in cursor.fetchall())


def test_a_draw_asks_no_more_for_more_people(olga):
    counts = []
    for number, size in enumerate((6, 18)):
        tournament = begun(olga, people(size, "ab"[number]))
        for table in running_tables(tournament):
            end_table(table)
        with CaptureQueriesContext(connection) as asked:
            rounds.tend(tournament.pk)
        assert Table.objects.filter(round__tournament=tournament, round__number=2).count() == size / 2
        assert Place.objects.filter(round__tournament=tournament, round__number=2).count() == size
        counts.append(len(statements(asked)))
    assert counts[0] == counts[1], counts
