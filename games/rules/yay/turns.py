"""What the moves of YAY! do to a match. Each function adds what happened to `events`."""

from msgspec.structs import replace

from games.engine import Chance, Event
from games.rules.yay.board import LOCK, Board, Mark
from games.rules.yay.geometry import SPREAD, Cell, Point
from games.rules.yay.state import Opening, State, Throw, Turn, die_at, free_touched

DICE = 3
IDLE_ROUNDS = 3
"""After so many rounds in which nobody filled a cell the match is over."""


def opened(seats: int, chance: Chance) -> tuple[tuple[Opening, ...], int]:
    """What the seats roll for the start, in draw order, and the seat that begins."""
    rolls: list[Opening] = []
    tied = list(range(seats))
    while len(tied) > 1:
        drawn = [Opening(seat, tuple(chance.roll(DICE, 6))) for seat in tied]
        most = max(sum(roll.dice) for roll in drawn)
        tied = [roll.seat for roll in drawn if sum(roll.dice) == most]
        rolls += drawn
    return tuple(rolls), tied[0]


def throw(state: State, aim: Point, chance: Chance, events: list[Event]) -> State:
    before = state.throws[-1].total if state.throws else None
    thrown = _thrown(aim, state.board.size, chance)
    state = replace(state, throws=(*state.throws, thrown))
    events.append({"type": "throw", "seat": state.thrower, "n": len(state.throws), **thrown.shown()})
    if before is not None and thrown.total <= before:
        return _failed(state, before, events)
    if not free_touched(state.board, thrown):
        events.append({"type": "nothing", "seat": state.thrower})
        return _turn_over(state, Turn(state.thrower, state.throws, "nothing"), events)
    return state


def _thrown(aim: Point, size: int, chance: Chance) -> Throw:
    faces = chance.roll(DICE, 6)
    offsets = [chance.scatter(SPREAD) for _ in faces]
    dice = (
        die_at(face, aim[0] + dx, aim[1] + dy, size) for face, (dx, dy) in zip(faces, offsets, strict=True)
    )
    return Throw(aim, tuple(dice))


def _failed(state: State, before: int, events: list[Event]) -> State:
    """The throw is void; one own number is crossed out, at once where there is no choice."""
    own = state.board.valid(state.thrower)
    event = {"type": "fail", "seat": state.thrower, "sum": state.total, "before": before, "owes": bool(own)}
    events.append(event)
    if len(own) > 1:
        return replace(state, crossing=True)
    return cross(state, next(iter(own), None), events)


def cross(state: State, cell: Cell | None, events: list[Event]) -> State:
    """Cross out an own number for a failed throw; None: there is none."""
    crossed = () if cell is None else (cell,)
    events += [{"type": "cross", "seat": state.thrower, **_told(state.board, own)} for own in crossed]
    state = replace(state, board=state.board.crossed(crossed), crossing=False)
    return _turn_over(state, Turn(state.thrower, state.throws, "fail", None, crossed), events)


def write(state: State, cell: Cell, events: list[Event]) -> State:
    seat, total = state.thrower, state.total
    crossed = tuple(state.board.beaten(cell, seat, total) or ())
    told = [_told(state.board, number) for number in crossed]
    events.append({"type": "write", "seat": seat, "cell": list(cell), "value": total, "crossed": told})
    board = state.board.crossed(crossed).filled(cell, Mark(seat, total, True))
    return _turn_over(replace(state, board=board), Turn(seat, state.throws, "write", cell, crossed), events)


def lock(state: State, cell: Cell, events: list[Event]) -> State:
    events.append({"type": "lock", "seat": state.thrower, "cell": list(cell), "sum": state.total})
    state = replace(state, board=state.board.filled(cell, LOCK))
    return _turn_over(state, Turn(state.thrower, state.throws, "lock", cell), events)


def _told(board: Board, cell: Cell) -> Event:
    """A number that is crossed out, for an event."""
    mark = board.at(cell) or LOCK
    return {"cell": list(cell), "owner": mark.owner, "value": mark.value}


def _turn_over(state: State, turn: Turn, events: list[Event]) -> State:
    seats = len(state.first_turns)
    firsts = tuple(done or seat == turn.thrower for seat, done in enumerate(state.first_turns))
    idle = state.idle + 1 if turn.cell is None else 0
    state = replace(state, throws=(), first_turns=firsts, idle=idle, last_turn=turn)
    lines = bool(state.board.full_rows() and state.board.full_cols())
    if lines or idle >= IDLE_ROUNDS * seats:
        events.append({"type": "end", "why": "lines" if lines else "idle"})
        return replace(state, over=True)
    following = (turn.thrower + 1) % seats
    events.append({"type": "turn", "seat": following})
    return replace(state, thrower=following)
