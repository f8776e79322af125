"""The example of a turn on a game's page: the table as whoever plays it sees it at each step, drawn once a process."""

from functools import lru_cache
from typing import Any

from django.template import engines
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from games.engine import Example, Moment, moments
from games.models import Match, Seat, Turn
from games.rules import examples, get_game
from games.table import Table, table_for

MATCH = 0
"""No match has this number."""


def examples_shown(slug: str, asked: dict[str, str | None]) -> dict[str, Any] | None:
    """Return the example that is asked for, else the first, at its step, with the names of all; None without any.

    `asked`: by the name of an example the number of its step, as the address has it; what is none is the first.
    """
    language = get_language() or "en"
    found = examples(slug, language)
    if not found:
        return None
    example = next((one for one in found if one.name in asked), found[0])
    number = min(max(_number(asked.get(example.name)), 1), len(example.scenes))
    return {
        "name": example.name,
        "title": _(example.title),
        "number": number,
        "of": len(example.scenes),
        "back": number - 1,
        "next": (number + 1) % (len(example.scenes) + 1),
        "numbers": range(1, len(example.scenes) + 1),
        "says": _(example.scenes[number - 1].says),
        "shown": drawn(slug, example.name, number, language),
        "all": [{"name": one.name, "title": _(one.title), "is_shown": one is example} for one in found],
    }


def _number(said: str | None) -> int:
    return int(said) if said is not None and said.isascii() and said.isdecimal() and len(said) < 4 else 1


@lru_cache(maxsize=256)
def drawn(slug: str, name: str, number: int, language: str) -> SafeString:
    """Return the game's board at a step of an example as HTML, in the language, which is the active one."""
    example = next(one for one in examples(slug, language) if one.name == name)
    moment = list(moments(example, get_game(slug)))[number - 1]
    template: Any = engines["jinja"].get_template("games/lobby/example.jinja")
    return SafeString(template.render({"t": table_of(slug, example, moment), "key": "", "csrf_token": ""}))


def table_of(slug: str, example: Example, moment: Moment) -> Table:
    """Return the table of seat 0 at a moment of an example, against bots; no row of it is in the database."""
    game = get_game(slug)
    match = Match(
        pk=MATCH,
        game_slug=slug,
        rules_version=game.rules_version,
        options=game.full_options(example.seats, example.options),
        size=example.seats,
        status=Match.Status.RUNNING,
        turns=len(moment.turns),
        state=game.dump(moment.state),
    )
    seats = [Seat(match=match, number=number, bot=game.levels[0]) for number in range(example.seats)]
    seats[0].user, seats[0].bot, seats[0].ask = User(pk=MATCH, username=_("You")), "", 1
    turns = [
        Turn(match=match, number=number, seat=seat, by=Turn.By.PERSON, move=move, draws=draws, events=events, at=0)
        for seat, (number, move, draws, events) in moment.turns
    ]
    log = turns[-max(moment.fresh, game.turns_in_log) :]
    return table_for(match, seats, seats[0], log, state=moment.state)
