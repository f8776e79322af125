"""The sum of an encounter: read from how its tables came out, kept when it is over, and looked at from outside."""

from config.lib import clock
from games.clubs import encounters
from games.clubs.encounters import UNSETTLED
from games.clubs.models import Board, BoardSeat, Encounter, EncounterNews
from games.clubs.services.encounters import calls, notices
from games.models import Match, Seat

STATE, NEWS = Encounter.State, EncounterNews.Kind


def sum_up(encounter: Encounter) -> None:
    """End a locked encounter whose tables are all over, or let it go on if one was reopened.

    What the end of a match is just writing is passed over: the next sweep finds it.
    """
    changed = Board.objects.select_for_update(skip_locked=True, no_key=True).filter(encounter=encounter, changed=True)
    seen = list(changed.order_by("pk").values_list("pk", flat=True))
    boards = encounters.boards_of(encounter)
    if any(board.state in UNSETTLED for board in boards):
        if encounter.state == STATE.OVER:
            encounter.state, encounter.ended_at = STATE.RUNNING, None
            encounter.save(update_fields=["state", "ended_at"])
            notices.forget(encounter, NEWS.OVER)
    else:
        _end(encounter, boards)
    Board.objects.filter(pk__in=seen).update(changed=False)


def _end(encounter: Encounter, boards: list[Board]) -> None:
    """Write the sums; the first time, and when they have changed since, who played and the organisers are told."""
    told = encounters.final(encounter)
    sums = encounters.points_of(boards).sums
    first, second = (int(points / encounters.part(encounter)) for points in sums)
    encounter.challenger_parts, encounter.challenged_parts = first, second
    if encounter.state != STATE.OVER:
        encounter.state, encounter.ended_at = STATE.OVER, clock.now()
    encounter.save(update_fields=["challenger_parts", "challenged_parts", "state", "ended_at"])
    if told != sums:
        players = {seat.player.user_id for board in boards for seat in encounters.seated(board) if seat.player.user_id}
        notices.tell(encounter, NEWS.OVER, {*players, *encounters.organisers(encounter.sides)})
        calls.tell(encounter, "result", again=1000 * first + second)


def problems(encounter: Encounter) -> list[str]:
    """Return in words where an encounter is not what the matches of its tables say; empty if it is whole.

    Calculated from the matches themselves, by other means than the pages and the sweep.
    """
    found, sums = [], [0, 0]
    boards = list(Board.objects.filter(encounter=encounter).order_by("number"))
    if [board.number for board in boards] != list(range(1, len(boards) + 1)):
        found.append("tables are not numbered from 1")
    for board in boards:
        places = list(BoardSeat.objects.filter(board=board).select_related("player").order_by("seat"))
        sides = [place.player.side for place in places]
        first = ((encounter.first or 0) + board.number - 1) % 2
        if sides != [first, 1 - first] * encounter.a_side:
            found.append(f"table {board.number}: seats of {sides}")
        found += _unlike(board, places)
        if board.state == Board.State.OVER:
            for one, side in enumerate(sides):
                sums[side] += sum(_beats(places[one], other) for other in places if other is not places[one])
    is_over = bool(boards) and all(board.state not in UNSETTLED for board in boards)
    if encounter.state == STATE.OVER and not is_over:
        found.append("over, and a table is not")
    if encounter.state == STATE.OVER and sums != [encounter.challenger_parts, encounter.challenged_parts]:
        found.append(f"the sums are {sums}")
    seated = [number for board in boards for number in _players(board)]
    return [*found, *(["somebody sits twice"] if len(set(seated)) < len(seated) else [])]


def _players(board: Board) -> list[int]:
    return list(BoardSeat.objects.filter(board=board).values_list("player", flat=True))


def _unlike(board: Board, places: list[BoardSeat]) -> list[str]:
    """Return where a table says something else than its match."""
    match = Match.objects.filter(pk=board.match_id or 0).first()
    if match is None:
        return [f"table {board.number} runs without a match"] if board.state == Board.State.RUNNING else []
    is_void = match.voided_at is not None or match.ending == Match.Ending.CALLED_OFF
    is_over = match.status == Match.Status.ENDED
    wanted = Board.State.VOID if is_void else Board.State.OVER if is_over else Board.State.RUNNING
    found = [] if board.state == wanted else [f"table {board.number} is {board.state}, its match {wanted}"]
    seats = list(Seat.objects.filter(match=match).order_by("number"))
    if wanted == Board.State.OVER and [seat.rank for seat in seats] != [place.rank for place in places]:
        found.append(f"table {board.number} has other ranks than its match")
    return found


def _beats(one: BoardSeat, other: BoardSeat) -> int:
    """Return 2 if somebody came out before the other, 1 if level, else 0."""
    own, theirs = ((place.away, 0 if place.away else place.rank or 1) for place in (one, other))
    return 2 if own < theirs else 1 if own == theirs else 0
