"""How a match ended."""

from games.engine import Outcome
from games.rules.yes.state import State


def outcome(state: State) -> Outcome | None:
    """The winner, then those still in by wealth, then those out, last out best (spec: yes.md, End)."""
    if not state.over:
        return None
    keys = [_key(state, seat) for seat in range(state.seats)]
    ranks = [1 + sum(other > key for other in keys) for key in keys]
    return {
        "ranks": ranks,
        "scores": [0 if seat in state.out else state.wealth(seat) for seat in range(state.seats)],
        "winners": [seat for seat, rank in enumerate(ranks) if rank == 1],
    }


def _key(state: State, seat: int) -> tuple[int, int]:
    if seat in state.out:
        return 0, state.out.index(seat)
    return (2, 0) if seat == state.winner else (1, state.wealth(seat))
