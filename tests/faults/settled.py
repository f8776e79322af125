"""What must be true of a tournament at its end, by its rows, and its standings from nothing but matches' records."""

import html
import re
from collections import Counter
from fractions import Fraction

from django.db.models import Count

from games.competitions import pairing, queries
from games.competitions.models import Correction, Entrant, Place, Round, Table, Tournament
from games.competitions.services.rounds import chance_of
from games.competitions.views.standing import points
from games.models import Mail, Match
from games.queries.play import seats_of
from games.record import state_at
from tests.competitions import naive
from tests.processes import get

ROW = re.compile(r'<td class="num rank">(\d+)</td>.*?<b>(.*?)</b>.*?<td class="num points">(.*?)</td>', re.S)
TAG = re.compile(r"<[^>]*>")


def faults(tournament: Tournament, rounds: int, page: str) -> list[str]:
    """Return in words what is wrong with a tournament that is over; `page` is where everybody reads its standings."""
    found = [*drawn_once(tournament, rounds), *seated_once(tournament), *matches_of_tables(), *told_once(tournament)]
    shown, reckoned = shown_standings(page), standings_by_records(tournament)
    if shown != reckoned:
        found.append(f"the page shows {shown}, the records give {reckoned}")
    return found


def drawn_once(tournament: Tournament, rounds: int) -> list[str]:
    """Return which rounds are not there, twice there, not over, or another than the seed gives."""
    numbers = list(Round.objects.filter(tournament=tournament).order_by("pk").values_list("number", flat=True))
    found = [] if numbers == list(range(1, rounds + 1)) else [f"rounds {numbers}, announced {rounds}"]
    for round_ in Round.objects.filter(tournament=tournament).order_by("number"):
        if round_.ended_at is None:
            found.append(f"round {round_.number} is not over")
        there = [one for one in Entrant.objects.filter(tournament=tournament) if was_in(one, round_)]
        known = {one.number for one in there}
        again = pairing.draw(
            queries.plan_of(tournament),
            [one for one in queries.everybody(tournament) if one.number in known],
            [one for one in queries.results_of(tournament) if one.round < round_.number],
            (),
            chance_of(tournament, round_.number),
        )
        stored = [seats_at(table) for table in round_.tables.order_by("number")]
        if again != stored:
            found.append(f"round {round_.number} was drawn as {stored}, its seed gives {again}")
    return found


def was_in(entrant: Entrant, round_: Round) -> bool:
    """Return whether somebody took part when a round was drawn."""
    return entrant.left_at is None or entrant.left_at > round_.drawn_at


def seats_at(table: Table) -> tuple[int, ...]:
    """Return the numbers of who sits at a table, in the order of seats."""
    return tuple(table.places.order_by("seat").values_list("entrant__number", flat=True))


def seated_once(tournament: Tournament) -> list[str]:
    """Return who sits at two tables of a round, or at none; and who met twice, which so few rounds need not."""
    found, met = [], Counter[frozenset[int]]()
    for round_ in Round.objects.filter(tournament=tournament):
        seats = Counter(Place.objects.filter(round=round_).values_list("entrant__number", flat=True))
        for one in Entrant.objects.filter(tournament=tournament):
            if seats[one.number] != was_in(one, round_):
                found.append(f"round {round_.number}: number {one.number} sits at {seats[one.number]} tables")
        met.update(frozenset(table) for one in round_.tables.all() if len(table := seats_at(one)) > 1)
    return found + [f"{sorted(pair)} met {count} times" for pair, count in met.items() if count > 1]


def matches_of_tables() -> list[str]:
    """Return which tables have no match of their own people that ended, and which matches have no table."""
    found = []
    for table in Table.objects.select_related("match").order_by("pk"):
        people = list(table.places.order_by("seat").values_list("entrant__user", flat=True))
        if table.state not in (Table.State.OVER, Table.State.JUDGED):
            found.append(f"table {table.pk} is {table.state}")
        elif (table.match is None) != (len(people) == 1):
            found.append(f"table {table.pk} of {len(people)} has the match {table.match_id}")
        elif table.match is not None and list(table.match.seats.values_list("user", flat=True)) != people:
            found.append(f"table {table.pk}: others sit at its match")
        elif table.match is not None and table.match.status != Match.Status.ENDED:
            found.append(f"match {table.match_id} has not ended")
    orphans = Match.objects.filter(tournament_table=None).values_list("pk", flat=True)
    return found + [f"match {match} belongs to no table" for match in orphans]


def told_once(tournament: Tournament) -> list[str]:
    """Return who was not told once that it is over, and what was noted twice for all to read."""
    mails = Counter(Mail.objects.filter(kind="tournament").values_list("user", flat=True))
    users = Entrant.objects.filter(tournament=tournament).values_list("user", flat=True)
    found = [f"{mails[user]} mails of the end to {user}" for user in users if mails[user] != 1]
    twice = Correction.objects.values("table", "kind", "entrant").annotate(n=Count("pk")).filter(n__gt=1)
    return found + [f"noted twice: {row}" for row in twice]


def shown_standings(page: str) -> list[tuple[str, str]]:
    """Return the names and points in the standings that a visitor reads, the best first."""
    status, text = get(f"{page}?whole=1", timeout=20)
    assert status == 200, status
    rows = ROW.findall(text.decode())
    assert [int(place) for place, *_row in rows] == list(range(1, len(rows) + 1)), rows
    return [(html.unescape(TAG.sub("", name)).strip(), points) for _place, name, points in rows]


def standings_by_records(tournament: Tournament) -> list[tuple[str, str]]:
    """Return the same, reckoned naively from the records of the matches."""
    tables = Table.objects.filter(round__tournament=tournament).select_related("round", "match")
    results = [result_by_record(table) for table in tables.order_by("round__number", "number")]
    names = dict(Entrant.objects.filter(tournament=tournament).values_list("number", "user__username"))
    order = naive.standing(queries.plan_of(tournament), queries.everybody(tournament), results)
    gained = {n: sum(naive.gained(one)[n] for one in results if n in one.table) for n in order}
    return [(names[number], points(Fraction(gained[number]))) for number in order]


def result_by_record(table: Table) -> pairing.Result:
    """Return what came of a table by the recorded moves of its match, and who left it; a bye has one place."""
    numbers = seats_at(table)
    if table.match is None:
        return pairing.Result(round=table.round.number, places=((numbers[0], 1, None),))
    match, seats = table.match, seats_of(table.match)
    outcome = match.game.outcome(state_at(match, seats, match.turns))
    ranks = list(outcome["ranks"]) if outcome else [1] * match.size
    scores = outcome["scores"] if outcome else [None] * match.size
    gone = [seat for seat in seats if seat.left is not None]
    for one in sorted(gone, key=lambda seat: -(seat.left or 0)):  # whoever left first comes last
        ranks[one.number] = 1 + max(ranks[seat.number] for seat in seats if seat is not one)
    return pairing.Result(
        round=table.round.number,
        places=tuple(zip(numbers, ranks, scores, strict=True)),
        away=frozenset(numbers[seat.number] for seat in gone),
    )
