"""The record of a tournament that is over: what anybody needs to check it without the site."""

from datetime import datetime
from typing import Any

from games.competitions import pairing, queries, rows
from games.competitions.models import Correction, Place, Table, Tournament
from games.competitions.pairing.verifying import FORMAT, VERSION, Verdict, line_told
from games.competitions.services.results import is_away, ranks_of
from games.models import Match

STATE = Tournament.State


def is_opened(tournament: Tournament) -> bool:
    """Return whether the secret of the draws is open: nothing will be drawn by it any more."""
    return tournament.state in (STATE.OVER, STATE.CANCELLED) and tournament.began_at is not None


def record_of(tournament: Tournament) -> dict[str, Any]:
    """Return the record of a tournament that has begun and is over, as JSON may have it."""
    plan, players = queries.plan_of(tournament), rows.players(tournament)
    times = dict(tournament.entrants.values_list("number", "signed_at"))
    left = dict(tournament.entrants.values_list("number", "left_at"))
    lines = pairing.standings(plan, queries.everybody(tournament), queries.results_of(tournament))
    return {
        "format": FORMAT,
        "version": VERSION,
        "tournament": tournament.pk,
        "name": tournament.name,
        "game": tournament.game_slug,
        "plan": vars(plan),
        "commitment": tournament.commitment,
        "seed": bytes(tournament.server_seed).hex(),
        "began_at": _when(tournament.began_at),
        "entrants": [
            {"number": one.number, "name": one.username, "strength": one.strength, "lot": one.lot}
            | {"signed_at": _when(times[one.number]), "left_at": _when(left[one.number])}
            for one in players
        ],
        "rounds": _rounds(tournament),
        "standings": [line_told(line) for line in lines],
    }


def _rounds(tournament: Tournament) -> list[dict[str, Any]]:
    voided = Correction.objects.filter(tournament=tournament, kind=Correction.Kind.VOIDED)
    when = {table: _when(at) for table, at in voided.order_by("-pk").values_list("table", "at")}
    places: dict[int, list[dict[str, Any]]] = {}
    columns = ("table", "entrant__number", "rank", "score", "away")
    found = Place.objects.filter(round__tournament=tournament).order_by("table", "seat").values_list(*columns)
    for table, number, rank, score, away in found:
        places.setdefault(table, []).append({"number": number, "rank": rank, "score": score, "away": away})
    tables: dict[int, list[dict[str, Any]]] = {}
    for one in Table.objects.filter(round__tournament=tournament).order_by("round", "number"):
        told = {"number": one.number, "match": one.match_id, "state": one.state, "voided_at": when.get(one.pk)}
        tables.setdefault(one.round_id, []).append(told | {"seats": places[one.pk]})
    return [
        {"number": one.number, "drawn_at": _when(one.drawn_at), "tables": tables.get(one.pk, [])}
        for one in queries.rounds_of(tournament)
    ]


def _when(at: datetime | None) -> str | None:
    """Return a moment as text that sorts as moments do."""
    return at.isoformat(timespec="microseconds") if at else None


def verdict_on_results(tournament: Tournament) -> Verdict:
    """Return whether the tables' results are those of their matches; those decided at a limit are not of them."""
    tables = Table.objects.filter(round__tournament=tournament, state=Table.State.OVER, match__isnull=False)
    wrong = [table for table in tables.select_related("match", "round") if not _is_of_match(table)]
    if wrong:
        first = wrong[0]
        return Verdict(
            "the results", False, f"round {first.round.number}, table {first.number} is not as its match ended"
        )
    return Verdict("the results", True, f"as the matches ended, of {tables.count()}")


def _is_of_match(table: Table) -> bool:
    match = table.match
    if match is None or match.status != Match.Status.ENDED:
        return False
    seats = list(match.seats.order_by("number"))
    ranks = ranks_of(seats, [seat.rank or 0 for seat in seats])
    told = [(rank, seat.score, is_away(seat)) for rank, seat in zip(ranks, seats, strict=True)]
    return told == list(Place.objects.filter(table=table).order_by("seat").values_list("rank", "score", "away"))
