"""How the databases read tournaments when there are a hundred thousand: what sweeps look for, by indexes."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services.closing import close_account
from config.lib import clock
from games import admin_lists
from games.competitions import tasks
from games.competitions.models import Correction, Entrant, Place, Round, Table, Tournament
from games.competitions.personal_data import tournament_data
from games.competitions.services import arena, aside, entering, judging, notices, rounds, seating
from games.models import Heartbeat
from games.moderation import hints
from games.queries.play import seats_of
from games.services.clocks import outages
from tests.bench.queue import BASE, copy
from tests.competitions.arranged import USUAL
from tests.factories import browser_of, seated
from tests.games.lobby.test_plans import big_tables, indexes_of_some, scans_of_postgres, scans_of_sqlite

pytestmark = [pytest.mark.both, pytest.mark.operation]
ROWS = 100_000
OWN = f"{BASE} + n"
RUNS, OPENS, IS_ARENA = "n %% 1000 = 0", "n %% 1000 = 1", "n %% 3000 = 0"
LIST = "/admin/competitions/tournament/"


@pytest.fixture
def many(ann, bob):
    """As many members, each in a tournament of their own, of which few are open or run."""
    match, now = seated(ann, bob), clock.now()
    over = {"status": "'ended'", "ending": "'played'", "ended_at": f"CASE WHEN {RUNS} THEN NULL ELSE moved_at END"}
    over |= {name: f"CASE WHEN {RUNS} THEN games_match.{name} ELSE {over[name]} END" for name in ("status", "ending")}
    copy(match, ROWS, token="'t' || n", creator_id="NULL", **over)
    for seat in seats_of(match):
        copy(seat, ROWS, id=f"{BASE} + 2 * n + {seat.number}", match_id=OWN, user_id=OWN if seat.number else "NULL")
    looks = f"replace(replace('member' || ({BASE} + n), '0', 'o'), '1', 'l')"
    copy(ann, ROWS, username=f"'member-' || ({BASE} + n)", skeleton=looks, email="'m' || n || '@example.org'")
    facts = {**USUAL, "least": 2, "organiser": ann, "begins_at": now, "began_at": now, "ended_at": now, "state": "over"}
    tournament = Tournament.objects.create(**facts)
    told = {"state": f"CASE WHEN {RUNS} THEN 'running' WHEN {OPENS} THEN 'open' ELSE 'over' END"}
    told |= {"ended_at": f"CASE WHEN {RUNS} OR {OPENS} THEN NULL ELSE competitions_tournament.ended_at END"}
    told |= {"format": f"CASE WHEN {IS_ARENA} THEN 'arena' ELSE 'swiss' END", "token": "'c' || n"}
    copy(tournament, ROWS, organiser_id=OWN, **told)
    entrant = Entrant.objects.create(tournament=tournament, user=ann, number=1)
    some = {"to_tell": f"CASE WHEN {RUNS} THEN 'over' ELSE '' END"}
    some |= {"ready_at": f"CASE WHEN {IS_ARENA} THEN competitions_entrant.signed_at END"}
    copy(entrant, ROWS, tournament_id=OWN, user_id=OWN, **some)
    drawn = Round.objects.create(tournament=tournament, number=1, ends_at=now, ended_at=now)
    copy(drawn, ROWS, tournament_id=OWN, ended_at=f"CASE WHEN {RUNS} THEN NULL ELSE competitions_round.ended_at END")
    table = Table.objects.create(round=drawn, number=1, match=match, state="over")
    state = f"CASE WHEN {RUNS} THEN (CASE WHEN n %% 2000 = 0 THEN 'planned' ELSE 'running' END) ELSE 'over' END"
    copy(table, ROWS, round_id=OWN, match_id=OWN, state=state)
    place = Place.objects.create(table=table, round=drawn, seat=0, entrant=entrant, rank=1)
    copy(place, ROWS, table_id=OWN, round_id=OWN, entrant_id=OWN)
    correction = Correction.objects.create(tournament=tournament, kind="extended", by=ann, reason="a holiday")
    copy(correction, ROWS, tournament_id=OWN, by_id=OWN)
    for part in (outages.WEB, outages.SWEEP):
        Heartbeat.objects.update_or_create(name=part, defaults={"at": now, "since": now})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return tournament


def acts(tournament, member, browser) -> dict[str, Callable[[], object]]:
    about = {"tournament_id": tournament.pk, "user": member}
    found: dict[str, Callable[[], object]] = {
        "due": lambda: list(rounds.due().order_by("pk").values_list("pk", flat=True)[:100]),
        "arenas": lambda: list(arena.running().values_list("pk", flat=True)),
        "a tournament tended": lambda: rounds.tend(tournament.pk),
        "an arena": lambda: arena.seat_waiting(BASE + 3000),
        "planned tables": seating.open_tables,
        "late tables": judging.judge_due,
        "last days": judging.tell_of_last_day,
        "mails": notices.send_due,
        "one mail a day": lambda: notices.tell_member(member),
        "set aside": lambda: list(aside.set_aside()),
        "all of the sweep": tasks.tend,
        "hints": lambda: hints.shown(member),
        "the file": lambda: tournament_data(member),
        "why not": lambda: entering.why_not(Tournament.objects.get(pk=BASE + 1), member),
        "withdrawing": lambda: entering.withdraw(tournament_id=BASE + 4000, user=member_of(BASE + 4000)),
        "closing an account": lambda: close_account(user_id=about["user"].pk),
    }
    for query in ("", "?q=member-2345", "?q=2345", "?state__exact=running", "?state__exact=open", "?aside=1"):
        found[f"the list {query}"] = lambda query=query: page(browser, LIST + query)
    found["one of the list"] = lambda: page(browser, f"{LIST}{BASE + 5}/change/")
    found["the operation page"] = lambda: page(browser, "/admin/operation/")
    return found


def member_of(number: int):
    return Entrant.objects.select_related("user").get(pk=number).user


def page(browser, address: str) -> None:
    assert browser.get(address).status_code == 200, address


def test_nothing_reads_a_table_of_tournaments_from_end_to_end(many, root, monkeypatch):
    monkeypatch.setattr(admin_lists, "NEWEST", 100)
    big, partial = big_tables(), indexes_of_some()
    assert {Tournament._meta.db_table, Place._meta.db_table, Correction._meta.db_table} <= big
    scans = scans_of_sqlite if connection.vendor == "sqlite" else scans_of_postgres
    found = []
    for name, act in acts(many, member_of(BASE + 776), browser_of(root)).items():
        with CaptureQueriesContext(connection) as asked:
            act()
        for sql in dict.fromkeys(query["sql"] for query in asked):
            if sql.lstrip().startswith(("SELECT", "UPDATE", "DELETE")) and "competitions_" in sql:
                found += [f"{name}: {line}\n    {sql[:3000]}" for line in scans(sql, big, partial)]
    assert not found, "\n".join(found)
