"""The example of a turn on a game's page: the table as whoever plays sees it at each step, drawn once a process."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from django.template import engines
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from games.engine import LEARNER, Example, Moment, moments
from games.models import Match, Seat, Turn
from games.plain_text import log_sentences
from games.rules import examples, get_game
from games.table import Table, headline, table_for

NONE = 0
"""The number of the example's match and of who plays in it, which are in no database."""
LONGEST = 3  # digits of a step's number
ALIVE = re.compile(r'\sdata-(?:key|moment)(?:="[^"]*")?|<a class="at".*?</a>', re.DOTALL)
"""By what a member's page would press things, or scroll to them; and links into the match, which there is not."""


class Shown(NamedTuple):
    """What is to be seen at a step of an example, and the same in words."""

    board: SafeString
    words: list[str]


def example_shown(slug: str, asked: Mapping[str, str | None]) -> dict[str, Any] | None:
    """Return the example that is asked for, else the first, at its step, with the names of all; None without any.

    `asked`: by the name of an example the number of its step, as the address has it; what is none is the first.
    """
    language = get_language() or "en"
    found = examples(slug, language)
    if not found:
        return None
    example = next((one for one in found if one.name in asked), found[0])
    last = len(example.scenes)
    number = min(max(_number(asked.get(example.name)), 1), last)
    shown = shown_at(slug, example.name, number, language)
    return {
        "name": example.name,
        "title": _(example.title),
        "number": number,
        "numbers": range(1, last + 1),
        "back": number - 1,
        "next": number + 1 if number < last else None,
        "says": _(example.scenes[number - 1].says),
        "board": shown.board,
        "words": shown.words,
        "all": [{"name": one.name, "title": _(one.title), "is_shown": one is example} for one in found],
    }


def _number(said: str | None) -> int:
    return int(said) if said is not None and said.isascii() and said.isdecimal() and len(said) <= LONGEST else 1


@lru_cache(maxsize=256)
def shown_at(slug: str, name: str, number: int, language: str) -> Shown:
    """Return a step of an example, in the language, which is the active one."""
    example = next(one for one in examples(slug, language) if one.name == name)
    moment = list(moments(example, get_game(slug)))[number - 1]
    table = table_of(slug, example, moment)
    template: Any = engines["jinja"].get_template("games/lobby/example.jinja")
    board = ALIVE.sub("", template.render({"t": table, "intends": moment.intends, "key": "", "csrf_token": ""}))
    news = table["log"][-moment.fresh :] if moment.fresh else []
    return Shown(SafeString(board), [*log_sentences(table | {"log": news}), headline(table)])


def table_of(slug: str, example: Example, moment: Moment) -> Table:
    """Return the table at a moment of an example, as who plays in it sees it, against bots."""
    game = get_game(slug)
    match = Match(
        pk=NONE,
        game_slug=slug,
        rules_version=game.rules_version,
        options=game.full_options(example.seats, example.options),
        size=example.seats,
        status=Match.Status.RUNNING,
        turns=len(moment.turns),
        state=game.dump(moment.state),
    )
    seats = [Seat(match=match, number=number, bot=game.levels[0]) for number in range(example.seats)]
    own = seats[LEARNER]
    own.user, own.bot, own.ask = User(pk=NONE, username=_("You")), "", 1
    turns = [
        Turn(match=match, number=number, seat=seat, by=Turn.By.PERSON, move=move, draws=draws, events=events, at=0)
        for seat, (number, move, draws, events) in moment.turns
    ]
    if outcome := game.outcome(moment.state):
        match.status, match.ending = Match.Status.ENDED, Match.Ending.PLAYED
        own.ask = None
        for seat, rank, score in zip(seats, outcome["ranks"], outcome["scores"], strict=True):
            seat.rank, seat.score = rank, score
    told = max(moment.fresh, game.log_length(match.options))
    return table_for(match, seats, own, turns[-told:], state=moment.state)
