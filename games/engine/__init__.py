"""The contract between the games and whatever plays them: a site, a bot, a test, a replay."""

from games.engine.base import PASS, Bot, Entry, Event, Game, Options, Orders, Outcome, Turned, View, ranked
from games.engine.catalogue import Catalogue, Value
from games.engine.chance import (
    Chance,
    ChanceMismatch,
    Draw,
    RecordedChance,
    ScriptedChance,
    SeededChance,
)
from games.engine.codec import MoveCodec, StateCodec, plain
from games.engine.errors import IllegalMove, gettext_noop
from games.engine.prompt import Move, Prompt, fits, permits, sample_move
from games.engine.record import (
    FORMAT,
    Record,
    RecordError,
    Verdict,
    commit,
    mix,
    replay,
    replay_steps,
    rolls,
    verify,
)
from games.engine.scenario import run_file, run_scenario

__all__ = [
    "FORMAT",
    "PASS",
    "Bot",
    "Catalogue",
    "Chance",
    "ChanceMismatch",
    "Draw",
    "Entry",
    "Event",
    "Game",
    "IllegalMove",
    "Move",
    "MoveCodec",
    "Options",
    "Orders",
    "Outcome",
    "Prompt",
    "Record",
    "RecordError",
    "RecordedChance",
    "ScriptedChance",
    "SeededChance",
    "StateCodec",
    "Turned",
    "Value",
    "Verdict",
    "View",
    "commit",
    "fits",
    "gettext_noop",
    "mix",
    "permits",
    "plain",
    "ranked",
    "replay",
    "replay_steps",
    "rolls",
    "run_file",
    "run_scenario",
    "sample_move",
    "verify",
]
