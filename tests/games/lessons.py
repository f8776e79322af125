"""A learner who plays the lesson of a game: on its path, beside it, in both languages."""

from collections.abc import Callable, Iterator
from random import Random

from accounts.models import User
from config.lib import clock
from games.coaching import step_at
from games.engine import LEARNER, Move, Step, permits, sample_move
from games.engine.lesson import Pattern, fits_pattern
from games.models import Seat
from games.queries.play import match_and_seats
from games.services.lobby import lessons
from games.services.play import bots, moves
from games.table import Table
from games.time_controls import PATIENT
from games.viewing import Viewing
from tests.factories import fresh, state_of

TRIES = 4000  # random moves among which one of a pattern is sought
LONGEST_WORD = 30  # letters that may be said
LONGEST = 400  # moves that a lesson never has


class Learner:
    """A person in the lesson of a game, who sees it as their page does."""

    def __init__(self, person: User, slug: str) -> None:
        self.person = person
        self.match = lessons.start_lesson(user=person, game_slug=slug, pace=PATIENT)
        self.met: list[Step] = []
        self._look()

    def table(self) -> Table:
        """What the learner's page shows now."""
        return self.viewing().table()

    def viewing(self) -> Viewing:
        return Viewing(self.person, *match_and_seats(self.match.pk))

    def seat(self) -> Seat:
        return self.match.seats.get(number=LEARNER)

    def step(self) -> Step | None:
        """The step at which the lesson is for the learner."""
        return step_at(self.match, self.match.game.view(state_of(self.match), LEARNER))

    def bots_out(self) -> None:
        """Let the bots play until the learner is asked and they are not, or wait for the learner."""
        for _ in range(LONGEST):
            if not bots.play_bots(match_id=self.match.pk):
                return
            self._look()
        raise AssertionError("the bots never come to an end")

    def play(self, move: Move, *, advised: bool = False) -> None:
        """Post a move as the page would."""
        asked = self.seat().ask
        moves.submit_move(
            match_id=self.match.pk,
            user=self.person,
            ask=asked or 0,
            key=f"{self.match.pk}-{self.match.turns}-{asked}",
            move=move,
            received=clock.now_ms(),
            advised=advised,
        )
        self._look()

    def follow(self) -> None:
        """Do what the coach would like; at random where it would like nothing."""
        step, prompt = self.step(), self.table()["view"]["prompt"]
        wanted = step.move if step is not None and step.move is not None else {}
        self.play(next(moves_of(prompt, wanted), None) or sample_move(prompt, Random(self.match.turns)), advised=True)

    def path(self) -> Iterator[Step | None]:
        """Follow the coach, and yield each step at which the learner is asked, until the lesson ends."""
        for _ in range(LONGEST):
            self.bots_out()
            if not self.match.coached or self.seat().ask is None:
                return
            yield self.step()
            self.follow()
        raise AssertionError("the lesson never ends")

    def said(self, until: Callable[[Step], bool]) -> list[str]:
        """Follow the coach until a step, and return what was said on the way, with the step's own words."""
        met: list[str] = []
        for step in self.path():
            met += [each.says for each in self.met if each.says not in met]
            if step is not None and until(step):
                break
        return met

    def _look(self) -> None:
        self.match = fresh(self.match)
        step = self.step()
        if step is not None and step not in self.met:
            self.met.append(step)


def seconds(words: list[str], presses: int) -> float:
    """How long it takes to read the coach's words and to press: 220 words a minute, 1.5 seconds a press."""
    return sum(len(each.split()) for each in words) / 220 * 60 + 1.5 * presses


def others_of(step: Step, prompt: dict) -> Iterator[tuple[Move, str]]:
    """A move for each answer to which the coach has something to say, with what it says."""
    for number, (pattern, says) in enumerate(step.others):
        earlier = [step.move or {}, step.or_move or step.move or {}, *(before for before, _ in step.others[:number])]
        found = (move for move in moves_of(prompt, pattern) if not any(fits_pattern(one, move) for one in earlier))
        yield next(found, {}), says


def moves_of(prompt: dict, pattern: Pattern) -> Iterator[Move]:
    """Moves of the prompt that fit the pattern: the one that it spells out, then random ones."""
    spelt = {name: _one_of(value) for name, value in pattern.items()}
    if permits(prompt, spelt):
        yield spelt
    rng = Random(1)
    for _ in range(TRIES):
        move = sample_move(prompt, rng)
        if fits_pattern(pattern, move) and len(move.get("word", "")) <= LONGEST_WORD:
            yield move


def _one_of(value):
    return value[len(value) // 2] if isinstance(value, tuple | range) else value
