"""An open question in words, from its game's templates: what is asked, the few answers, what each would bring, why."""

from typing import Any, NamedTuple

from django.template import TemplateDoesNotExist, engines
from django.utils.safestring import SafeString

from games.engine import Move
from games.plain_text import Line, lines_of, plain_lines
from games.rules import get_game, template_of
from games.table import Table, log_words

USUAL = "games/play/question.jinja"
"""What is said where a game says nothing."""


class Answer(NamedTuple):
    """One of the few answers to a question: the move, what its button says, and what it would bring."""

    move: Move
    words: str
    outcome: str


def question_of(table: Table) -> list[Line]:
    """Return all that the reader of a table needs to decide what they are asked; [] if they are not."""
    return _said("whole", table, table) if table["ask"] is not None else []


def subject_of(table: Table, seat: int) -> str:
    """Return the question that `seat` is asked in few words, from a watcher's table: it tells nothing secret."""
    return " ".join(_plain("subject", table, table, seat))


def answers_of(table: Table) -> list[Answer]:
    """Return the few answers that the reader of a table has to what they are asked; [] if these are many.

    Of those that say the same, as with two equal dice, there is one.
    """
    if table["ask"] is None:
        return []
    moves = get_game(table["game"], table["rules"]).answers(table["view"])
    told = [answer_in_words(table, move) for move in moves]
    return list({(answer.words, answer.outcome): answer for answer in reversed(told)}.values())[::-1]


def answer_in_words(table: Table, move: Move) -> Answer:
    """Return an answer as its button and its page say it."""
    words, outcome = (" ".join(_plain(part, table, table, move)) for part in ("answer", "outcome"))
    return Answer(move, words, outcome)


def choice_in_words(table: Table, move: Move) -> str:
    """Return in words any move that the reader of a table may make, with all that tells it from others."""
    return " ".join(_plain("choice", table, table, move))


def figures_of(table: Table, before: Table | None) -> list[Line]:
    """Return each seat with the figure that stands beside its name, and the one it had `before`; [] if it has none.

    Around the table from the reader on; after the end by rank.
    """
    words, said = log_words(table), []
    for seat in sorted(table["order"], key=lambda seat: table["seats"][seat]["rank"] or 0):
        now = " ".join(plain_lines(str(words.tally(table, seat))))
        was = " ".join(plain_lines(str(words.tally(before, seat)))) if before else now
        if now:
            said += lines_of(str(_usual().figure(table, seat, was, now)))
    return said


def is_explained(table: Table) -> bool:
    """Return whether the reader of a table is told why they are asked: no coach is there to tell it."""
    return table["ask"] is not None and not table["coach"] and get_game(table["game"], table["rules"]).explains


def reasons_of(table: Table, *, is_part: bool) -> SafeString:
    """Return the reasons as HTML, in words; as part of the match's page with the question, and a button to close it."""
    reasons = get_game(table["game"], table["rules"]).reasons(table["view"])
    template: Any = engines["jinja"].get_template("games/play/why.jinja")
    return SafeString(template.render({"t": table, "reasons": reasons, "is_part": is_part}))


def _said(part: str, table: Table, *arguments: Any) -> list[Line]:
    return lines_of(str(_words(part, table)(*arguments)))


def _plain(part: str, table: Table, *arguments: Any) -> list[str]:
    return plain_lines(str(_words(part, table)(*arguments)))


def _words(part: str, table: Table) -> Any:
    """Return a macro of the game's own template, else the usual one."""
    try:
        own = _macros(template_of(table["game"], table["rules"], "question.jinja"))
    except TemplateDoesNotExist:
        return getattr(_usual(), part)
    return getattr(own, part, None) or getattr(_usual(), part)


def _usual() -> Any:
    return _macros(USUAL)


def _macros(name: str) -> Any:
    found: Any = engines["jinja"].get_template(name)
    return found.template.module
