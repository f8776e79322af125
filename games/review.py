"""What the strongest bot would have done at each decision of a seat in a match that has ended, and what that cost.

Each decision is looked at from the seat's own view of that moment, as a bot sees it: with nothing that was hidden then.
"""

import time
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from django.core.cache import cache
from django.utils.translation import get_language

from games.engine import Move, View, few_moves, replay_steps
from games.models import Match, Seat, Turn
from games.queries.turns import all_turns
from games.questions import choice_in_words
from games.record import record_of
from games.rules import get_game
from games.table import Table, headline, table_for

KEPT = 86_400  # seconds that what was found is kept
NOTHING = 0.1  # of a point: two moves that differ by less are as good
AT_ONCE = 0.8  # seconds of thought for one request; what is left is for the next


class Decision(NamedTuple):
    """A decision in words: at which move, what was asked, what was played, what the bot would have played.

    `cost` is what the move brought less than the bot's, `gain` what it brought more than the clock's would have, in
    expected points; None where the game does not tell.
    """

    step: int
    question: str
    own: str
    bots: str
    cost: float | None
    gain: float | None

    @property
    def before(self) -> int:
        """The step at which the decision was still open."""
        return self.step - 1

    @property
    def is_same(self) -> bool:
        """Whether the bot would have played the same, or something that brings no more."""
        return self.own == self.bots or (self.cost is not None and self.cost < NOTHING)


class Review(NamedTuple):
    """The decisions that were looked at, and how many are left."""

    decisions: list[Decision]
    left: int

    @property
    def others(self) -> list[Decision]:
        """The decisions in which the bot would have played otherwise."""
        return [decision for decision in self.decisions if not decision.is_same]

    @property
    def worst(self) -> Decision | None:
        """The decision that cost most."""
        costly = [one for one in self.others if one.cost is not None]
        return max(costly, key=lambda one: one.cost or 0, default=None)

    @property
    def best(self) -> Decision | None:
        """The decision, as good as the bot's, that brought most more than the clock's move."""
        good = [one for one in self.decisions if one.gain is not None and one.gain > NOTHING and one.is_same]
        return max(good, key=lambda one: one.gain or 0, default=None)


def known_review(match: Match, seat: Seat) -> Review | None:
    """Return the review as far as it is known; None before anything was looked at."""
    found = cache.get(_name(match, seat))
    return Review([Decision(*one) for one in found[0]], found[1]) if found else None


def review_of(match: Match, seats: Sequence[Seat], seat: Seat) -> Review:
    """Return the review of this seat's decisions, looking at further ones for a while; RecordError."""
    known = known_review(match, seat) or Review([], 1)
    if not known.left:
        return known
    seen = known.decisions[-1].step if known.decisions else 0
    found = _looked_at(match, seats, seat, seen)
    review = Review([*known.decisions, *found.decisions], found.left)
    cache.set(_name(match, seat), ([tuple(one) for one in review.decisions], review.left), KEPT)
    return review


def _name(match: Match, seat: Seat) -> str:
    return f"review:{match.pk}:{match.history}:{seat.number}:{get_language()}"


def _looked_at(match: Match, seats: Sequence[Seat], seat: Seat, seen: int) -> Review:
    """Return the decisions after move `seen`, and how many were left when the time was over."""
    game, until = match.game, time.monotonic() + AT_ONCE
    own = {turn.number for turn in all_turns(match) if turn.seat == seat.number and turn.by == Turn.By.PERSON}
    record = record_of(match, seats)
    table, bot = table_for(match, seats, seat), game.bot(game.levels[-1])
    decisions: list[Decision] = []
    before: Any = None
    left = 0
    for step, state, _events in replay_steps(record, get_game):
        prompt = game.prompt(before, seat.number) if step in own and step > seen else None
        if prompt and not few_moves(prompt, 1):
            if time.monotonic() > until and decisions:
                left += 1
            else:
                view = game.view(before, seat.number)
                chosen = bot.choose(view, Random(f"{match.pk}:{step}"))
                move, late = record["moves"][step - 1]["move"], game.default_move(before, seat.number)
                decisions.append(_decision(_as_asked(table, match, view), step, move, chosen, late))
        before = state
    return Review(decisions, left)


def _as_asked(table: Table, match: Match, view: View) -> Table:
    """Return the table as the seat saw it when it was asked."""
    hints = {**match.game.hints(view), **match.game.traces([]), "made": {}}
    return table | {"status": "running", "playing": True, "ask": 1, "voided": False, "view": view, "hints": hints}


def _decision(table: Table, step: int, own: Move, bots: Move, late: Move | None) -> Decision:
    game, view = get_game(table["game"], table["rules"]), table["view"]
    had, could = game.worth(view, own), game.worth(view, bots)
    least = game.worth(view, late) if late else None
    cost = max(0.0, round(could - had, 1)) if had is not None and could is not None else None
    gain = round(had - least, 1) if had is not None and least is not None else None
    said, other = choice_in_words(table, own), choice_in_words(table, bots)
    return Decision(step, headline(table), said, other, 0.0 if said == other and cost is not None else cost, gain)
