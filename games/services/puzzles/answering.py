"""Takes one answer to a puzzle from each person, and counts what was answered long ago."""

from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib.steps import delete_in_steps
from games.models import Puzzle, PuzzleAnswer
from games.queries.puzzles import OPEN_DAYS, counts_of, goes_on, is_closed, today
from games.services.refusals import Invalid, Refused

NO_CHOICE = _("Choose one of the answers. Nothing was changed.")


class AnsweredBefore(Refused):
    sentence = _("You have answered this puzzle already. Your first answer stands.")


class Closed(Refused):
    sentence = _("This puzzle is closed. Nothing was changed.")


class Withdrawn(Refused):
    sentence = _("This puzzle was withdrawn since the page was shown. Nothing was changed; look at the day again.")


def answer(*, puzzle: Puzzle, user: User, choice: int) -> PuzzleAnswer:
    """Keep a person's answer, the place of a move among the puzzle's; the same one again changes nothing.

    After the puzzle's day it is late, and not counted. Invalid, AnsweredBefore, Closed, Withdrawn.
    """
    with transaction.atomic():
        puzzle = Puzzle.objects.select_for_update(no_key=True, of=("self",)).select_related("match").get(pk=puzzle.pk)
        if puzzle.withdrawn_at is not None:
            raise Withdrawn
        if is_closed(puzzle) or goes_on(puzzle):
            raise Closed
        if not 0 <= choice < len(puzzle.answers):
            raise Invalid(NO_CHOICE)
        late = puzzle.day < today()
        made = {"choice": choice, "late": late}
        given, is_new = PuzzleAnswer.objects.get_or_create(puzzle=puzzle, user=user, defaults=made)
    if not is_new and given.choice != choice:
        raise AnsweredBefore
    return given


def close_old() -> int:
    """Count the answers to puzzles that are closed, and delete them; return of how many puzzles."""
    old = list(Puzzle.objects.filter(counts__isnull=True, day__lt=today() - timedelta(days=OPEN_DAYS)))
    for puzzle in old:
        puzzle.counts = counts_of(puzzle)
        puzzle.save(update_fields=["counts"])
    delete_in_steps(PuzzleAnswer.objects.filter(puzzle__counts__isnull=False))
    return len(old)
