"""The puzzle of the day: its page, and one answer from each person."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.access import member_of
from config.lib import sql
from games import broadcast
from games.engine import UnknownRules
from games.forms.play import read_number
from games.models import Match, Puzzle, PuzzleAnswer
from games.puzzles import Answer, board, question_in_words, table_of
from games.queries import puzzles as reads
from games.queries.play import Person
from games.services.puzzles import answering
from games.services.refusals import Invalid, Refused
from games.views.once import once
from games.views.responses import posted, with_refusals

RUNG_AGAIN = 60  # seconds after which a missing puzzle is asked for once more


@require_safe
def puzzle(request: HttpRequest, day: str | None = None) -> HttpResponse:
    """Show the puzzle of today or of a past day; of any other day a page that says so (404)."""
    return _page(request, day)


@sql.snapshot()
def _page(request: HttpRequest, day: str | None, refusal: Refused | None = None) -> HttpResponse:
    today, asked = reads.today(), day_of(day)
    first = reads.first_day() or today
    if asked is None or asked > today or asked < first:
        when = "unknown" if asked is None else "coming" if asked > today else "before"
        return render(request, "games/puzzles/none.html", {"when": when, "day": asked}, status=404)
    around = {
        "day": asked,
        "is_today": asked == today,
        "before": asked - timedelta(days=1) if asked > first else None,
        "after": asked + timedelta(days=1) if asked < today else None,
    }
    template, context = _at(asked, request.user)
    context |= around | {"refusal": refusal}
    return render(request, f"games/puzzles/{template}.html", context, status=refusal.status if refusal else 200)


def _at(day: date, user: Person) -> tuple[str, dict[str, Any]]:
    """Return which page shows the puzzle of a day that has one or should have one, and what it tells."""
    found = reads.puzzle_of(day)
    if found is None:
        ring_for(day)
        return "none", {"when": "missing"}
    if reads.goes_on(found):
        return "none", {"when": "goes_on"}
    try:
        return "puzzle", _shown(found, user)
    except UnknownRules:
        return "none", {"when": "unreadable"}


def day_of(text: str | None) -> date | None:
    """Return the day that an address names, today without one; None for what is no day."""
    if text is None:
        return reads.today()
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if found.isoformat() == text else None  # one address for each day


def ring_for(day: date) -> None:
    """Have the worker make a missing puzzle: a page that is looked at writes nothing."""
    if cache.add(f"puzzle-missing:{day}", 1, RUNG_AGAIN):
        broadcast.puzzle_missing(day.toordinal())


def _shown(found: Puzzle, user: Person) -> dict[str, Any]:
    table = table_of(found)
    question, given = question_in_words(table, found.answers), reads.answer_of(found, user)
    is_told = given is not None or reads.is_closed(found)
    return {
        "puzzle": found,
        "question": question,
        "board_html": board(table),
        "given": given,
        "told": _told(found, question.answers, given) if is_told else None,
        "replay": found.match_id if is_told and is_open(found.match) else None,
        "next_step": found.step + 1,
    }


def is_open(match: Match | None) -> bool:
    """Return whether anybody may look at the match."""
    return match is not None and match.is_public and match.voided_at is None


def _told(found: Puzzle, answers: Sequence[Answer], given: PuzzleAnswer | None) -> dict[str, Any]:
    """Return how many chose what, and which answer is whose."""
    counts = reads.counts_of(found)
    total, best = sum(counts), max(found.worths or [0.0])
    rows = [
        {
            "answer": answer,
            "count": count,
            "share": count / total if total else 0.0,
            "width": round(100 * count / total) if total else 0,
            "is_own": given is not None and given.choice == place,
            "is_bots": found.bots == place,
            "is_played": found.played == place,
            "cost": round(best - found.worths[place], 1) if found.worths else None,
        }
        for place, (answer, count) in enumerate(zip(answers, counts, strict=True))
    ]
    return {"rows": rows, "total": total}


@posted
@with_refusals
def answer(request: HttpRequest, day: str) -> HttpResponse:
    """Keep the answer of a member or guest to the puzzle that their page showed; a refusal stands on that page."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.path.removesuffix("answer/"))
    try:
        return _answered(request, day)
    except Refused as refusal:
        return _page(request, day, refusal)


@once
def _answered(request: HttpRequest, day: str) -> HttpResponse:
    asked = day_of(day)
    found = reads.puzzle_of(asked) if asked else None
    if found is None or str(found.pk) != request.POST.get("puzzle"):
        raise answering.Withdrawn
    choice = read_number(request.POST.get("choice"))
    if choice is None:
        raise Invalid(answering.NO_CHOICE)
    answering.answer(puzzle=found, user=member_of(request), choice=choice)
    return redirect("puzzle-of", day=found.day.isoformat())
