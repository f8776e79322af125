"""The puzzle of each day: read, and answered once."""

from datetime import date, timedelta
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext_noop as _
from ninja import Path

from accounts.access import member_of
from accounts.models import User
from games.api.kit import Routes
from games.api.shapes.puzzles import PuzzleChoice, PuzzleShape
from games.engine import UnknownRules
from games.models import Puzzle
from games.puzzles import question_in_words, table_of
from games.queries import puzzles as reads
from games.services.puzzles import answering
from games.views.puzzles import day_of, is_open, ring_for

routes = Routes("puzzles")
TODAY = "today"
Day = Annotated[
    str, Path(description=_("today, or a day, in UTC, as in 2026-11-30."), examples=["2026-11-30"], max_length=10)
]


@routes.reads(
    "/puzzles/{day}",
    PuzzleShape,
    page="puzzle",
    words=_("The puzzle of a day"),
    more=_("What others chose, and what was played, is told once you have answered."),
)
def puzzle(request: HttpRequest, day: Day) -> dict[str, Any]:
    """The puzzle of today or of a past day."""
    return _of_day(request, _asked(day))


def _asked(day: str) -> date:
    """Return the day that an address names; Http404 for what is none."""
    found = day_of(None if day == TODAY else day)
    if found is None:
        raise Http404
    return found


def _of_day(request: HttpRequest, day: date) -> dict[str, Any]:
    today, first = reads.today(), reads.first_day()
    if day > today or (first is not None and day < first):
        raise Http404
    found = reads.puzzle_of(day)
    if found is None:
        ring_for(day)
        raise Http404
    if reads.goes_on(found):
        raise Http404
    try:
        told = _told(found, member_of(request))
    except UnknownRules:
        raise Http404 from None
    one = timedelta(days=1)
    before = (day - one).isoformat() if first is not None and day > first else None
    return told | {"before": before, "after": (day + one).isoformat() if day < today else None}


def _told(found: Puzzle, user: User) -> dict[str, Any]:
    table = table_of(found)
    question, given = question_in_words(table, found.answers), reads.answer_of(found, user)
    is_closed = reads.is_closed(found)
    is_told = given is not None or is_closed
    return {
        "id": found.pk,
        "day": found.day.isoformat(),
        "game": found.game_slug,
        "rules": found.rules_version,
        "options": found.options,
        "view": table["view"],
        "headline": question.headline,
        "lines": [line.text for line in question.lines],
        "answers": [
            {"move": move, "words": answer.words, "outcome": answer.outcome} | outcome
            for move, answer, outcome in zip(
                found.answers, question.answers, _outcomes(found, given.choice if given else None, is_told), strict=True
            )
        ],
        "answered": given is not None,
        "closed": is_closed,
        "by_bots": found.by_bots,
        "match": found.match_id if is_told and is_open(found.match) else None,
    }


def _outcomes(found: Puzzle, own: int | None, is_told: bool) -> list[dict[str, Any]]:
    """Return of each answer how many chose it, and whose it is; nothing before that may be told."""
    if not is_told:
        return [dict.fromkeys(("count", "own", "bots", "played", "cost"))] * len(found.answers)
    best = max(found.worths or [0.0])
    return [
        {
            "count": count,
            "own": place == own,
            "bots": place == found.bots,
            "played": place == found.played,
            "cost": round(best - found.worths[place], 1) if found.worths else None,
        }
        for place, count in enumerate(reads.counts_of(found))
    ]


def _answered(request: HttpRequest, day: int) -> dict[str, Any]:
    return _of_day(request, date.fromordinal(day))


@routes.acts(
    "/puzzles/{day}/answer",
    PuzzleShape,
    page="puzzle-answer",
    words=_("Answer a puzzle"),
    more=_("Once: the first answer stands."),
    then=_answered,
)
def answer(request: HttpRequest, day: Day, given: PuzzleChoice) -> int:
    """Answer the puzzle of a day."""
    asked = _asked(day)
    found = reads.puzzle_of(asked)
    if found is None or found.pk != given.puzzle:
        raise answering.Withdrawn
    answering.answer(puzzle=found, user=member_of(request), choice=given.choice)
    return asked.toordinal()
