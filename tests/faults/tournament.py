"""TOURNAMENT: a whole Swiss played by HTTP while worker, beat and Redis are killed: drawn once, nobody at two tables.

One member falls asleep in the second round, whose limit then decides; some resign. At the end the page's standings
are those that the records of the matches give.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from threading import Event, Lock, Thread

from config.lib import clock
from games.competitions import queries
from games.competitions.models import Entrant, Place, Round, Table, Tournament
from games.competitions.services import judging
from games.models import Match, Seat, Turn
from tests import FULL
from tests.competitions.arranged import announced, now
from tests.factories import moderator
from tests.faults.entrants import Field, signed_up
from tests.faults.ledger import Ledger
from tests.faults.settled import faults
from tests.faults.stage import Stage
from tests.processes import Process, wait_until

SEED = 20261130
MEMBERS, ROUNDS = (32, 5) if FULL else (8, 3)
KILLED = ["worker"] * 16 + ["redis"] * 8 + ["beat"] * 6 if FULL else ["worker", "redis", "beat"]
IN_PLAY = 12 if FULL else 0  # of the kills; all others while a round is drawn, its tables are opened, mails are written
GIVING_UP = 0.15 if FULL else 0.3  # of the members, at each table
SPEED, LINGERING = 10, 0.1  # of beat's schedule; seconds for which a worker rests after each step
AWAY = 900  # seconds after which nobody is on the site any more
MOVES = 40  # of a match, about
PATIENCE = 900  # seconds for one round


class Kills:
    """Kills one process after another in the order drawn, and counts what was under way."""

    def __init__(self, rng: Random, processes: dict[str, Process]) -> None:
        self.rng, self.processes, self.order = rng, processes, [*rng.sample(KILLED[1:], len(KILLED) - 1), KILLED[0]]
        self.at: Counter[str] = Counter()
        self.revived = 0  # as kombu may end a worker whose Redis dies just as it connects
        self.one, self.over = Lock(), Event()
        self.thread = Thread(target=self.supervise)

    def __enter__(self) -> "Kills":
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        self.thread.join()

    def supervise(self) -> None:
        """Start whatever ended by itself, as the supervisor does."""
        while not self.over.wait(0.5):
            for process in self.processes.values():
                with self.one, suppress(AssertionError):  # it ended once more: in half a second again
                    if not process.running:
                        self.revived += 1
                        process.start()

    def next(self, within: float) -> None:
        """Kill the next one at a moment within so many seconds, and start it again soon."""
        time.sleep(self.rng.uniform(0, within))
        with self.one:
            process = self.processes[self.order.pop(0)]
            if process.running:
                process.kill()
            self.at[under_way()] += 1
            time.sleep(self.rng.uniform(0, 0.3))
            process.start()


def under_way() -> str:
    """Return in words what the site has yet to do of a tournament."""
    tables = Table.objects.order_by()
    planned, unsettled = tables.filter(state="planned").count(), tables.filter(state__in=queries.UNSETTLED).count()
    if planned and planned < unsettled:
        return "some tables opened"
    if planned:
        return "drawn, no table opened"
    if unsettled:
        return "play"
    return "mails unwritten" if Entrant.objects.exclude(to_tell="").exists() else "to be drawn"


def shares(kills: int, parts: int) -> list[int]:
    """Return how many kills fall into each part."""
    return [kills * (part + 1) // parts - kills * part // parts for part in range(parts)]


def tables_of(tournament: Tournament, number: int) -> int:
    """Return how many tables of a round are not over."""
    return Table.objects.filter(round__tournament=tournament, round__number=number, state__in=queries.UNSETTLED).count()


def run(stage: Stage) -> list[str]:
    """Return the figures."""
    rng, ledger = Random(SEED), Ledger(stage.folder / "ledger")
    web, worker = stage.web(), stage.worker(SPEED=str(SPEED), LINGER=str(LINGERING))
    beat = stage.beat(SPEED=str(SPEED))
    for process in (web, worker, beat):
        process.start()
    kills = Kills(rng, {"worker": worker, "beat": beat, "redis": stage.redis})
    print(f"TOURNAMENT seed {SEED}, kills in this order: {' '.join(kills.order)}", flush=True)
    field = Field(stage.base, signed_up(MEMBERS), ledger, rng, giving_up=GIVING_UP)
    tournament = announced(moderator(), rounds_wished=ROUNDS, least=MEMBERS, most=MEMBERS)
    field.enter(tournament.pk)
    start = time.monotonic()
    Tournament.objects.filter(pk=tournament.pk).update(begins_at=clock.now())
    with kills:
        with field:
            play(tournament, field, kills, rng)
        took = time.monotonic() - start
        tell_all(stage, kills)
    assert not kills.order, kills.order
    page = f"{stage.base}/tournaments/{tournament.pk}/"
    found = ledger.differences() + faults(now(tournament), ROUNDS, page)
    assert not found, found[:20]
    moves, matches = Turn.objects.filter(by=Turn.By.PERSON).count(), Match.objects.count()
    return [
        f"TOURNAMENT seed {SEED}: {MEMBERS} members, {ROUNDS} rounds, {matches} matches, {moves} moves by HTTP in "
        f"{took:.0f} s; {len(KILLED)} kills with -9 of worker, beat and Redis ({dict(sorted(kills.at.items()))}), "
        f"{kills.revived} that ended by themselves, "
        f"{dict(sorted(field.counts.items()))}: each round drawn once, nobody at two tables or none, no match lost or "
        f"doubled, standings as the records give",
        f"TOURNAMENT self-check: {', '.join(noticed(now(tournament), page))} planted and noticed",
    ]


def play(tournament: Tournament, field: Field, kills: Kills, rng: Random) -> None:
    """See the tournament through, from its hour to its end, and kill meanwhile."""
    at_draws, in_play = shares(len(KILLED) - IN_PLAY, ROUNDS + 1), shares(IN_PLAY, ROUNDS)
    for number in range(1, ROUNDS + 1):
        for _kill in range(at_draws[number - 1]):
            wait_for_work(tournament, number)
            kills.next(1.0)
        wait_until(lambda number=number: is_open(tournament, number), f"round {number}", PATIENCE)
        if number == 2:
            fall_asleep(field, rng)
        for share in sorted(rng.random() for _kill in range(in_play[number - 1])):
            wait_for_moves(tournament, number, field, share)
            kills.next(0.5)
        see_round(tournament, number, field)
    for _kill in range(at_draws[-1] - 1):
        kills.next(1.0)
    wait_until(lambda: now(tournament).state == Tournament.State.OVER, "the end", PATIENCE)


def tell_all(stage: Stage, kills: Kills) -> None:
    """Let those who played leave the site, and be told how they came out, while the last kill falls among the mails."""
    waiting = Entrant.objects.exclude(to_tell="")
    before = waiting.count()
    stage.clock.forward(AWAY)
    wait_until(lambda: waiting.count() < before, "a mail", PATIENCE)
    kills.next(LINGERING)
    wait_until(lambda: not waiting.exists(), "the mails", PATIENCE)


def is_open(tournament: Tournament, number: int) -> bool:
    """Return whether a round is drawn and all its tables are opened."""
    there = Table.objects.filter(round__tournament=tournament, round__number=number)
    return there.exists() and not there.filter(state=Table.State.PLANNED).exists()


def wait_for_work(tournament: Tournament, number: int) -> None:
    """Wait for a while until a worker has opened another table of this round, or drawn it."""
    planned = Table.objects.filter(round__tournament=tournament, round__number=number, state=Table.State.PLANNED)
    before, end = planned.count(), time.monotonic() + 8
    while planned.count() == before and time.monotonic() < end:
        time.sleep(0.05)


def wait_for_moves(tournament: Tournament, number: int, field: Field, share: float) -> None:
    """Wait until this share of a round's moves is made, or the round is over."""
    until = field.counts["moves"] + share * MOVES
    wait_until(
        lambda: field.check() or field.counts["moves"] > until or not tables_of(tournament, number), "moves", PATIENCE
    )


def fall_asleep(field: Field, rng: Random) -> None:
    """Let one member, who is at a table, make no move any more."""
    field.members[rng.randrange(len(field.members))].sleeps = True


def see_round(tournament: Tournament, number: int, field: Field) -> None:
    """Return when a round is over; where only the table of who sleeps is left, its limit comes."""
    asleep = [member.user for member in field.members if member.sleeps]
    theirs = Place.objects.filter(
        round__tournament=tournament, round__number=number, entrant__user__in=asleep, table__state="running"
    )
    wait_until(lambda: field.check() or tables_of(tournament, number) <= theirs.count(), "the round", PATIENCE)
    if theirs.exists():
        Round.objects.filter(tournament=tournament, number=number).update(ends_at=clock.now())
        long_ago = clock.now() - 2 * judging.GRACE
        Seat.objects.filter(user__in=asleep, ask__isnull=False).update(asked_at=long_ago)
    wait_until(lambda: not tables_of(tournament, number), "its limit", PATIENCE)


def noticed(tournament: Tournament, page: str) -> Iterator[str]:
    """Plant what must not be, one after another, each taken back; yield its name once it is noticed."""
    decided = Place.objects.filter(rank=1, table__match__isnull=False)
    place = decided.exclude(table__places__away=True).order_by("pk").first()  # who left is last, whatever the ranks
    table = Table.objects.filter(match__isnull=False).exclude(pk=place.table_id).first()
    for name, rows, changed, back in (
        ("a swapped result", Place.objects.filter(pk=place.pk), {"rank": 2}, {"rank": 1}),
        ("a match without its table", Table.objects.filter(pk=table.pk), {"match": None}, {"match": table.match_id}),
        ("a round not ended", Round.objects.filter(number=1), {"ended_at": None}, {"ended_at": clock.now()}),
    ):
        rows.update(**changed)
        assert faults(tournament, ROUNDS, page), name
        rows.update(**back)
        yield name
