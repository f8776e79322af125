"""A decision of some seat as a puzzle: its table without people and without a match, its answers in words."""

from typing import Any, NamedTuple

from django.template import engines
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine import Move, Options, View
from games.models import Match, Puzzle
from games.plain_text import Line
from games.questions import answer_in_words, choice_in_words, question_of
from games.rules import get_game
from games.table import NO_CLOCK, Table, headline


class Answer(NamedTuple):
    """An answer in words, and what it would bring; "" where there is nothing to say of that."""

    words: str
    outcome: str


class Question(NamedTuple):
    """What is asked, in few words and with all that one needs to decide, and the answers in their order."""

    headline: str
    lines: list[Line]
    answers: list[Answer]


def bare_table(game_slug: str, rules_version: int, options: Options, view: View, step: int) -> Table:
    """Return the table of a match after `step` moves, from the view of a seat that is asked. UnknownRules.

    It has all that `games.table.table_for` returns. Players have numbers in place of names: this is for everybody.
    """
    game, you = get_game(game_slug, rules_version), view["you"]
    seats = [_seat(number, view) for number in range(view["seats"])]
    return {
        "id": 0,
        "game": game_slug,
        "rules": rules_version,
        "name": game.name,
        "options": options,
        "version": 1,
        "history": "",
        "status": Match.Status.RUNNING,
        "ending": "",
        "voided": False,
        "turns": step,
        "step": None,
        "you": you,
        "playing": True,
        "ask": 1,
        "orders": {},
        "seats": seats,
        "order": [*range(you, len(seats)), *range(you)],
        "bots": False,
        "free": 0,
        "first": [],
        "ready_by": None,
        "cooperative": game.is_cooperative(options),
        "pace": "3d",
        "paused": False,
        "proposed": False,
        "can_pause": False,
        "solo": False,
        "view": view,
        "hints": _hints(game_slug, rules_version, view),
        "log": [],
        "unveiled": {},
        "since": None,
        "refused": None,
        "coach": None,
        "undo": None,
    }


def shown(table: Table) -> Table:
    """Return such a table as it is looked at: nothing on it can be pressed."""
    view = table["view"] | {"prompt": None}
    hints = _hints(table["game"], table["rules"], view)
    return table | {"view": view, "hints": hints, "playing": False, "ask": None, "step": table["turns"]}


def table_of(puzzle: Puzzle) -> Table:
    """Return the table of a puzzle, its seat being asked. UnknownRules once its rules are gone."""
    return bare_table(puzzle.game_slug, puzzle.rules_version, puzzle.options, puzzle.view, puzzle.step)


def board(table: Table) -> SafeString:
    """Return the board of such a table as HTML, for looking at."""
    template: Any = engines["jinja"].get_template("games/puzzles/board.jinja")
    return SafeString(template.render({"t": shown(table)}))


def question_in_words(table: Table, moves: list[Move]) -> Question:
    """Return what the seat is asked, and these answers."""
    return Question(headline(table), question_of(table), [worded(table, move) for move in moves])


def worded(table: Table, move: Move) -> Answer:
    """Return an answer in the words that tell it from all others."""
    words, outcome = choice_in_words(table, move), answer_in_words(table, move).outcome
    return Answer(words, "" if outcome in words else outcome)


def _hints(game_slug: str, rules_version: int, view: View) -> dict[str, Any]:
    game = get_game(game_slug, rules_version)
    return {**game.hints(view), **game.traces([]), "made": {}}


def _seat(number: int, view: View) -> dict[str, Any]:
    return NO_CLOCK | {
        "number": number,
        "name": _("Player %(number)d") % {"number": number + 1},
        "profile": "",
        "badge": "",
        "face": "",
        "line": "",
        "you": number == view["you"],
        "kind": "person",
        "to_move": number in view["to_move"],
        "left": False,
        "absent": False,
        "wants_call_off": False,
        "wants_pause": False,
        "declines": [],
        "substitute": False,
        "ready_by": None,
        "rank": None,
        "score": None,
        "gain": 0,
    }
