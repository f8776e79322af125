"""Reads of the puzzles: of which day there is one, what somebody answered, how many chose what."""

from dataclasses import dataclass
from datetime import UTC, date, timedelta

from django.db.models import Count, Exists, Max, OuterRef, QuerySet

from config.lib import clock
from games.models import Match, Puzzle, PuzzleAnswer
from games.queries.play import Person
from games.rules import name_of

OPEN_DAYS = 365  # so long a puzzle is answered; then it is closed, and answers are but counted


@dataclass(frozen=True)
class Card:
    """The puzzle of today as a card of it says, and whether the reader has answered."""

    game_slug: str
    game_name: str
    answered: bool


def today() -> date:
    """Return the present day in UTC, which is the same for all."""
    return clock.now().astimezone(UTC).date()


def standing() -> QuerySet[Puzzle]:
    """Return the puzzles that were not withdrawn."""
    return Puzzle.objects.filter(withdrawn_at__isnull=True)


def puzzle_of(day: date) -> Puzzle | None:
    """Return the puzzle of a day with its match, if it has one yet."""
    return standing().filter(day=day).select_related("match").first()


def first_day() -> date | None:
    """Return the day of the first puzzle that there was."""
    return Puzzle.objects.order_by("day").values_list("day", flat=True).first()


def is_closed(puzzle: Puzzle) -> bool:
    """Return whether a puzzle takes no answers any more."""
    return puzzle.counts is not None or puzzle.day < today() - timedelta(days=OPEN_DAYS)


def goes_on(puzzle: Puzzle) -> bool:
    """Return whether the puzzle's match was reopened: what its seat saw may be secret again."""
    return puzzle.match is not None and puzzle.match.status != Match.Status.ENDED


def answer_of(puzzle: Puzzle, user: Person) -> PuzzleAnswer | None:
    """Return what this person answered, if they did."""
    return None if user.pk is None else PuzzleAnswer.objects.filter(puzzle=puzzle, user_id=user.pk).first()


def counts_of(puzzle: Puzzle) -> list[int]:
    """Return how many chose each answer on the puzzle's own day."""
    if puzzle.counts is not None:
        return list(puzzle.counts)
    on_its_day = PuzzleAnswer.objects.filter(puzzle=puzzle, late=False).order_by()
    found = dict(on_its_day.values_list("choice").annotate(n=Count("pk")))
    return [found.get(choice, 0) for choice in range(len(puzzle.answers))]


def card_of(user: Person) -> Card | None:
    """Return the card of today's puzzle, by one read; None before it is made."""
    own = PuzzleAnswer.objects.filter(puzzle=OuterRef("pk"), user_id=user.pk or 0)
    for slug, answered in standing().filter(day=today()).values_list("game_slug", Exists(own)):
        return Card(slug, name_of(slug), answered)
    return None


def last_days() -> dict[str, date]:
    """Return by game the last day on which it had the puzzle."""
    return dict(Puzzle.objects.order_by().values_list("game_slug").annotate(last=Max("day")))
