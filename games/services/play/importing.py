"""How a sandbox begins: with the moves of a record and the draws that stand there, which count as prepared ones.

Below them the sandbox's own seed is drawn from as in any match, so that what follows can be checked as everywhere.
"""

import json
import zlib
from typing import Any

from games.models import Imported, Turn
from games.services.play.match_transaction import MatchTransaction


class Unfit(Exception):
    """A stored record is not what was checked before: a fault of the site."""


def packed(setup_draws: list[Any], moves: list[dict[str, Any]]) -> bytes:
    """Return the draws of the setup and these moves of a record, compressed."""
    return zlib.compress(json.dumps({"setup_draws": setup_draws, "moves": moves}, separators=(",", ":")).encode(), 9)


def begin(playing: MatchTransaction) -> None:
    """Set the match up and make the moves of its record; then ask on. They were checked when it was opened. Unfit."""
    origin = Imported.objects.get(match=playing.match)
    told = json.loads(zlib.decompress(bytes(origin.body)))
    match, game = playing.match, playing.game
    playing.chance.take()
    playing.chance = type(playing.chance)(playing.prepared)
    playing.prepared.prepare(told["setup_draws"])
    playing.state = game.setup(seats=match.size, options=match.options, chance=playing.chance)
    match.setup_draws = _taken(playing, told["setup_draws"], 0)
    for move in told["moves"]:
        before = playing.state
        playing.prepared.prepare(move["draws"])
        playing.state, events = game.apply(before, move["seat"], move["move"], playing.chance, now=move["at"])
        match.turns += 1
        draws = _taken(playing, move["draws"], match.turns)
        about = {"seat": move["seat"], "by": Turn.By.RECORD, "move": move["move"], "at": move["at"]}
        playing.fresh.append(Turn(match=match, number=match.turns, draws=draws, events=events, **about))
        playing.note_figures(game.figures(before), game.opens_paragraph(events))
    playing.prepared.prepare(())
    playing.ask_first()
    Imported.objects.filter(match=match).update(body=b"")


def _taken(playing: MatchTransaction, recorded: list[Any], turn: int) -> list[Any]:
    """Return the draws of a move, and note that they are prepared ones: all those that were recorded, no others."""
    draws = playing.chance.take()
    if draws != recorded or len(playing.prepared.used) != len(recorded):
        raise Unfit(f"move {turn}")
    playing.match.prepared = [*(playing.match.prepared or ()), *([turn, place] for place in playing.prepared.used)]
    return draws
