"""How the databases read what the end of a match, a draw and pages ask, after 100 000 tournaments: by indexes."""

from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.lib import clock
from games.competitions import tasks
from games.competitions.models import Correction, Entrant, Place, Round, Table, Tournament
from games.competitions.services import arena, judging, notices, results, rounds, seating
from games.models import Match, Notice, Seat
from games.queries.play import seats_of
from tests.bench.queue import BASE, copy
from tests.competitions.arranged import announced, begun, end_table, entered, organiser, people, running_tables
from tests.factories import browser_of, fresh, seated
from tests.games.lobby.test_plans import ROWS, big_tables, indexes_of_some, scans_of_postgres, scans_of_sqlite

pytestmark = [pytest.mark.both, pytest.mark.operation]
OWN = f"{BASE} + n"


@pytest.fixture
def many(db, ann, bob):
    """A hundred thousand tournaments that are over, with a match each; one is open, one runs, an arena waits."""
    olga, now = organiser(), clock.now()
    over = begun(olga, people(2, "over"))
    match = running_tables(over)[0].match
    end_table(running_tables(over)[0])
    Tournament.objects.filter(pk=over.pk).update(state="over", ended_at=now, began_at=now)
    Round.objects.update(ended_at=now)
    of_one = {"tournament_id": OWN}
    past = "CURRENT_TIMESTAMP"
    copy(ann, ROWS, username=f"'m' || ({OWN})", skeleton=f"'m' || ({OWN})", email="'m' || n || '@example.org'")
    copy(Tournament.objects.get(pk=over.pk), ROWS, token="'t' || n", ended_at=past, organiser_id=OWN)
    copy(Entrant.objects.filter(tournament=over).first(), ROWS, **of_one, user_id=OWN, number="1")
    copy(Round.objects.get(tournament=over), ROWS, **of_one)
    copy(fresh(match), ROWS, token="'t' || n")
    copy(Seat.objects.filter(match=match).first(), ROWS, match_id=OWN, user_id=OWN)
    copy(Table.objects.get(match=match), ROWS, round_id=OWN, match_id=OWN)
    copy(Place.objects.filter(table__match=match).first(), ROWS, table_id=OWN, round_id=OWN, entrant_id=OWN)
    note = Correction.objects.create(tournament=over, kind="extended", by=olga, reason="x")
    copy(note, ROWS, **of_one, by_id=OWN)
    entered(announced(olga, name="open"), [ann])
    begun(olga, people(4, "running"), name="running")
    Notice.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def acts(ann, bob) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what asks of tournaments, by name."""
    yield "to begin or to go on", lambda: list(rounds.due())
    yield "arenas", lambda: list(arena.running())
    yield "tables to open", seating.open_tables
    yield "limits", lambda: list(judging.late(clock.now()))
    yield "last days", judging.tell_of_last_day
    yield "mails", notices.send_due
    yield "the sweep", tasks.tend
    old = Match.objects.get(pk=BASE + 5)
    yield "the end of a match", lambda: results.match_ended(old, seats_of(old))
    yield "the end of another", lambda: results.match_ended(seated(ann, bob), [])
    running = Tournament.objects.get(name="running")
    yield "a draw", lambda: (end_all(running), rounds.tend(running.pk))
    member, visitor = browser_of(ann), browser_of()
    for name, client in (("member", member), ("visitor", visitor)):
        for address in ("/", f"/tournaments/{running.pk}/", f"/tournaments/{BASE + 77}/", f"/matches/{BASE + 77}/"):
            yield f"{name} {address}", lambda client=client, address=address: asked_for(client, address)


def end_all(tournament: Tournament) -> None:
    for table in running_tables(tournament):
        end_table(table)


def asked_for(client, address: str) -> None:
    assert client.get(address).status_code == 200, address


def test_nothing_reads_a_table_from_end_to_end(many, ann, bob):
    big, partial = big_tables(), indexes_of_some()
    kinds = (Tournament, Entrant, Round, Table, Place, Correction, Match, Seat)
    assert {kind._meta.db_table for kind in kinds} <= big
    scans = scans_of_sqlite if connection.vendor == "sqlite" else scans_of_postgres
    found = []
    for name, act in acts(ann, bob):
        cache.clear()
        with CaptureQueriesContext(connection) as asked:
            act()
        for sql in dict.fromkeys(query["sql"] for query in asked):
            if sql.lstrip().startswith("SELECT") and any(table in sql for table in big):
                found += [f"{name}: {line}\n    {sql[:3000]}" for line in scans(sql, big, partial)]
    assert not found, "\n".join(found)
