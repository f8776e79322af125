"""The contract between the games and whatever plays them: the site, a bot, a test, a replay."""
# ruff: noqa: F401 (what the rest of the code may import of the engine)

from games.engine.base import (
    FEW,
    OPENING_MOVES,
    PASS,
    PASS_ALWAYS,
    Bot,
    Entry,
    Event,
    Game,
    Options,
    Orders,
    Outcome,
    Reason,
    Turned,
    View,
    put,
)
from games.engine.catalogue import Catalogue, Value
from games.engine.chance import (
    Chance,
    ChanceMismatch,
    Draw,
    PreparedChance,
    RecordedChance,
    ScriptedChance,
    SeededChance,
)
from games.engine.codec import MoveCodec, StateCodec, plain
from games.engine.errors import IllegalMove, UnknownRules, gettext_noop
from games.engine.example import Example, Moment, Play, Scene, moments
from games.engine.lesson import LEARNER, Lesson, Step
from games.engine.outcomes import ranked
from games.engine.prompt import Move, Prompt, few_moves, fits, permits, sample_move
from games.engine.record import (
    FORMAT,
    Record,
    RecordError,
    Verdict,
    commit,
    mix,
    replay,
    replay_steps,
    replayed,
    rolls,
    verify,
)
from games.engine.scenario import run_file, run_scenario
