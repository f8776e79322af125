"""Matches of ¥€$ at its telling moments, as their first member sees them."""

from collections.abc import Callable
from random import Random
from typing import Any

from accounts.models import User
from config.lib import clock
from games.models import Match
from games.queries.play import match_row, seats_of
from games.services.lobby import opening
from games.services.play import moves

There = Callable[[dict[str, Any]], bool]
MOST_MOVES = 600


def seated(people: list[User], **options: Any) -> Match:
    match = opening.create_match(creator=people[0], game_slug="yes", size=len(people), options=options or None)
    for person in people[1:]:
        opening.join(match_id=match.pk, user=person)
    return match


def views(match: Match) -> list[tuple[Any, dict[str, Any]]]:
    """Return each seat that is asked, with what it sees."""
    state = match.game.load(bytes(match.state or b""))
    return [(seat, match.game.view(state, seat.number)) for seat in seats_of(match) if seat.ask is not None]


def stop_at(people: list[User], there: There, rng: Random, *, levels: str = "easy", me: int = 0) -> Match | None:
    """Play a new match until seat `me` is asked what it is to be; None when that never came."""
    match = seated(people)
    for number in range(MOST_MOVES):
        match = match_row(match.pk)
        if match.status == Match.Status.ENDED:
            break
        asked = views(match)
        if any(seat.number == me and there(view) for seat, view in asked):
            return match
        seat, view = next((pair for pair in asked if pair[0].number != me), asked[0])
        move = match.game.bot(levels).choose(view, rng)
        moves.submit_move(
            match_id=match.pk,
            user=seat.user,
            ask=seat.ask,
            key=f"y{number}",
            move=move,
            received=clock.now_ms(),
        )
    return None


def some(people: list[User], there: There, rng: Random, **how: Any) -> int:
    """Return the number of a match that came to that moment."""
    for _try in range(40):
        if match := stop_at(people, there, rng, **how):
            return match.pk
    raise LookupError("no match came there")


def late(view: dict[str, Any]) -> bool:
    return view["turn"] > 10


def stage_yes(people: list[User], rng: Random) -> dict[str, int]:
    """Matches in which the first of the people is asked each kind of question, and one that has ended."""

    def when(phase: str, more: There = lambda view: True, turns: int = 8) -> There:
        return lambda view: view["phase"] == phase and view["turn"] > turns and more(view)

    three, six = people[:3], people[:6]
    staged = {
        f"yes_{phase}": some(three, when(phase), rng)
        for phase in (
            "choose",
            "advance",
            "bid",
            "buy",
            "offer",
            "interest",
            "give_up",
            "swap",
            "veto",
            "ignore",
        )
    }
    staged["yes_roll"] = some(three, when("roll", lambda view: view["cash"][0] >= 150_000), rng)
    staged["yes_first"] = some(three, when("roll", lambda view: view["turn"] == 0, turns=-1), rng)
    staged["yes_debt"] = some(six, when("debt", turns=3), rng)
    staged["yes_six"] = some(six, when("buy", turns=14), rng)
    staged["yes_award"] = some(people[:5], when("award", turns=3), rng)
    ended = seated(three)
    for number in range(3000):
        ended = match_row(ended.pk)
        if ended.status == Match.Status.ENDED:
            break
        seat, view = views(ended)[0]
        move = ended.game.bot("easy").choose(view, rng)
        moves.submit_move(
            match_id=ended.pk,
            user=seat.user,
            ask=seat.ask,
            key=f"e{number}",
            move=move,
            received=clock.now_ms(),
        )
    staged |= {f"yes_{phase}": some(six, when(phase, turns=3), rng) for phase in ("accept", "half_price", "put_back")}
    return staged | {"yes_ended": ended.pk}
