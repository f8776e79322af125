"""What the API says of puzzles, of the look back at a match, and of dice."""

from typing import Any

from django.utils.translation import gettext_noop as _

from games.api.shapes.given import Whole
from games.api.shapes.parts import LARGEST, Given, Shape, Slug, said


class PuzzleAnswerShape(Shape):
    """One of the answers to a puzzle."""

    move: dict[str, Any] = said(_("The move that it is."), {"type": "lock", "row": 1, "col": 2})
    words: str = said(_("The same in words."), "lock 4")
    outcome: str = said(_("What it would bring, in words; empty if there is nothing to say of that."), "12 points")
    count: int | None = said(
        _("How many chose it on the puzzle’s own day; null until you have answered, or it is closed."), 31
    )
    own: bool | None = said(_("Whether it is your answer; null until you have answered, or it is closed."), True)
    bots: bool | None = said(_("Whether the sharp bot would have chosen it; null likewise."), False)
    played: bool | None = said(_("Whether it was played in the match; null likewise."), False)
    cost: float | None = said(
        _("How many expected points less than the best it brings; null likewise, and where the game does not tell."),
        1.5,
    )


class PuzzleShape(Shape):
    """A puzzle."""

    id: int = said(_("Its number, which your answer names."), 214)
    day: str = said(_("Its day, in UTC."), "2026-11-30")
    game: Slug
    rules: int = said(_("The version of the rules by which it is played."), 1)
    options: dict[str, Any] = said(_("The options of its match, as the game’s schema has them."), {})
    view: dict[str, Any] = said(_("What the seat that is asked sees."), {"you": 0})
    headline: str = said(_("What is asked, in few words."), "Lock a number")
    lines: list[str] = said(_("All that one needs to decide, in words."), [])
    answers: list[PuzzleAnswerShape] = said(_("The answers; yours names one by its place in this list, from 0 on."), [])
    answered: bool = said(_("Whether you have answered."), False)
    closed: bool = said(_("Whether it takes no answers any more."), False)
    by_bots: bool = said(_("Whether its match was played by bots."), False)
    match: int | None = said(_("The number of its match, once you have answered and if anybody may look at it."), 4711)
    before: str | None = said(_("The day before, if it can have a puzzle."), "2026-11-29")
    after: str | None = said(_("The day after, if it can have a puzzle."), None)


class PuzzleChoice(Given):
    """An answer to a puzzle."""

    puzzle: Whole = said(_("The number of the puzzle that you have seen."), 214, ge=1, le=LARGEST)
    choice: Whole = said(_("The place of your answer in its list, from 0 on."), 2, ge=0, le=1000)


class DecisionShape(Shape):
    """A decision of yours."""

    step: int = said(_("Which turn of the match it was."), 12)
    question: str = said(_("What you were asked."), "Lock a number")
    own: str = said(_("What you played, in words."), "lock 4")
    bots: str = said(_("What the strongest bot would have played."), "lock 6")
    cost: float | None = said(_("The expected points by which yours is worse; null where the game does not tell."), 1.5)
    gain: float | None = said(
        _("The expected points by which yours is better than what is played when time runs out; null likewise."), 4.0
    )


class ReviewShape(Shape):
    """The look back at one's decisions."""

    decisions: int = said(_("How many decisions were looked at."), 24)
    left: int = said(_("How many are left: ask again for the next ones."), 0)
    others: list[DecisionShape] = said(_("Those in which the bot would have played otherwise."), [])
    best: DecisionShape | None = said(_("Your best decision, if that can be told."), None)
    worst: DecisionShape | None = said(_("The one that cost most, if that can be told."), None)


class ReasonsShape(Shape):
    """Why one is asked what one is asked."""

    ask: int | None = said(_("The number of the question; null if there is none, or nothing is explained."), 9)
    lines: list[str] = said(_("The reasons in words."), ["You rolled 4 and 5."])


class DiceShape(Shape):
    """How one kind of dice of a game has fallen."""

    sides: int = said(_("How many sides it has."), 6)
    counts: list[int] = said(_("How often each side came up, the lowest first."), [100, 104, 98, 97, 102, 99])
    expected: float = said(_("The share of each side if chance is fair."), 0.1667)
    band: float = said(_("How far shares of a fair one usually stray, up or down."), 0.03)
    verdict: str = said(_("What the chi-square test says, in words; empty while there are too few."), "")


class DiceListed(Shape):
    """How the dice of a game have fallen."""

    matches: int = said(_("How many matches are counted."), 120)
    items: list[DiceShape] = said(_("Each kind of dice."), [])
    next: str | None = said(_("The cursor of what follows; null at the end."), None)
