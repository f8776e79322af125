"""The coach of a first match: at which step of its lesson a match is, and what is said there to whoever learns."""

import json
from typing import Any

from django.utils.translation import gettext as _

from games.engine import LEARNER, Lesson, Move, Step, View, permits
from games.models import Match
from games.rules import lesson

Coach = dict[str, Any]

READ = 12  # characters of a sentence that one reads in a second, and what it points at is looked for


def lesson_of(match: Match) -> Lesson | None:
    """Return the lesson that goes on in a match; None if none does."""
    if not match.coached or match.status == Match.Status.ENDED:
        return None
    return lesson(match.game_slug, match.rules_version)


def step_at(match: Match, view: View | None) -> Step | None:
    """Return the step of the lesson for the seat of a view; None without a lesson, or beside its path."""
    found = lesson_of(match)
    return found.step(view) if found is not None and view is not None and view["you"] is not None else None


def bots_move(match: Match, view: View) -> Move | None:
    """Return the prepared move of a bot, if the lesson has one here that is legal."""
    step = step_at(match, view)
    move = None if step is None or step.move is None else dict(step.move)
    return move if permits(view["prompt"], move) else None


def objection(match: Match, view: View, move: Any) -> str:
    """Return what the coach says before another answer than the one it would like; empty if nothing.

    What the rules refuse is left to them.
    """
    step = step_at(match, view)
    says = step.reply(move) if step is not None and view["you"] == LEARNER and permits(view["prompt"], move) else ""
    return _(says) if says else ""


def coach_of(match: Match, view: View | None, *, playing: bool) -> Coach | None:
    """Return what the coach says to whoever learns: the sentence, the ids it points at, whether it is the last."""
    found = lesson_of(match)
    if found is None or view is None or not playing or view["you"] != LEARNER:
        return None
    step = found.step(view)
    if step is not None:
        return {"says": _(step.says), "points": step.points, "last": step.last}
    if view["prompt"] is None:
        says = _("Now the others play: watch what they do.")
    else:
        says = _("You have left the path that I had prepared. Play as you like: I speak again when something fits.")
    return {"says": says, "points": (), "last": False}


def said(match: Match, state: Any) -> str:
    """Return the coach's sentence in this state of a match, untranslated; empty without one."""
    step = step_at(match, match.game.view(state, LEARNER)) if match.coached and state is not None else None
    return step.says if step is not None else ""


def as_posted(move: Any) -> str:
    """Return a move as the button has it that plays it in spite of the coach."""
    return json.dumps(move)
