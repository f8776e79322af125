"""Records that somebody brings: read, verified and replayed within bounds, before anything is made of them.

What comes may be anything: a file of another kind, a record that was changed, one made to take for ever. So its size is
bounded before it is read, the number of its moves before it is replayed, and the time while it is.
"""

import hashlib
import json
import time
from collections import deque
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import gettext as _

from config.lib import clock
from games.engine import Game, RecordError, UnknownRules, replayed, verify
from games.rules import get_game
from games.services.refusals import Invalid

MOST_BYTES = 512 * 1024  # of a record as JSON; the largest of this site have some 200 KB
MOST_MOVES = 3000
MOST_SECONDS = 4.0  # for all that is done with one
LONGEST_PROBLEM = 200
LATEST = 24 * 60 * 60 * 1000  # ms after now that a move may bear: clocks differ


class Sound(NamedTuple):
    """A record that was verified: by which rules, what it holds, and its hash."""

    record: dict[str, Any]
    game: Game[Any]
    size: int
    options: dict[str, Any]
    moves: list[dict[str, Any]]
    digest: str

    @property
    def last(self) -> int:
        """The last step from which one may go on: before the last move."""
        return len(self.moves) - 1


class _TooLong(RecordError):
    """It takes too long to replay."""


class _Bounded:
    """Rules that stop when the time is over, so that whoever replays by them does."""

    def __init__(self, game: Game[Any], end: float) -> None:
        self._game, self._end = game, end

    def setup(self, **about: Any) -> Any:
        """Return what the game's own does. RecordError when the time is over."""
        self._look()
        return self._game.setup(**about)

    def apply(self, *about: Any, **more: Any) -> Any:
        """Return what the game's own does. RecordError when the time is over."""
        self._look()
        return self._game.apply(*about, **more)

    def _look(self) -> None:
        if time.monotonic() > self._end:
            raise _TooLong("it takes too long to replay")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


def read(text: bytes | str) -> object:
    """Return a record as it was sent. Invalid if that is too much, or no JSON."""
    body = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if len(body) > MOST_BYTES:
        raise Invalid(_("This is too large to be a record."))
    try:
        return msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid(_("This is no record: it is not valid JSON.")) from error


def digest_of(record: object) -> str:
    """Return the SHA-256 of a record in hexadecimal: of its JSON in UTF-8, names in order, without spaces."""
    text = json.dumps(record, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def checked(record: object) -> Sound:
    """Return a record that is sound from its setup to its outcome. Invalid, in words, for any other."""
    end = time.monotonic() + MOST_SECONDS
    moves = record.get("moves") if isinstance(record, dict) else None
    if not isinstance(record, dict) or not isinstance(moves, list):
        raise Invalid(_("This is no record of a match."))
    if not 0 < len(moves) <= MOST_MOVES:
        raise Invalid(_("A record with so many moves cannot be played on from."))
    try:
        verdict, digest = verify(record, _finder(end)), digest_of(record)
    except Exception as error:  # whatever it is made of, it is not sound
        raise Invalid(_("This is no record of a match.")) from error
    if not verdict.sound:
        words = _("This record is not sound, so nothing is begun from it: %(why)s")
        raise Invalid(words % {"why": verdict.problem[:LONGEST_PROBLEM]})
    _check_times(moves)
    game = get_game(record["game"], record.get("rules_version", 1))
    size = record["seats"]
    options = game.full_options(size, record.get("options", {}))
    kept = [{name: move.get(name) for name in ("seat", "move", "draws")} | {"at": move.get("at", 0)} for move in moves]
    return Sound(record, game, size, options, kept, digest)


def _finder(end: float) -> Any:
    def find(slug: str, version: int | None) -> Any:
        try:
            return _Bounded(get_game(slug, version), end)
        except (UnknownRules, TypeError) as error:
            raise UnknownRules(slug, version) from error

    return find


def _check_times(moves: list[dict[str, Any]]) -> None:
    before, latest = 0, clock.now_ms() + LATEST
    for move in moves:
        at = move.get("at", 0)
        if not before <= at <= latest:
            raise Invalid(_("The times of the moves in this record cannot be right."))
        before = at


def check_step(sound: Sound, step: int) -> list[int]:
    """Return which seats are asked after move `step` (0: the setup). Invalid where nobody can play on."""
    if not 0 <= step <= sound.last:
        raise Invalid(_("Choose a move from 0 to %(last)d.") % {"last": sound.last})
    if sound.game.is_live(sound.options):
        raise Invalid(_("A match against the game’s own clock cannot be played on."))
    end = time.monotonic() + MOST_SECONDS
    record = sound.record | {"moves": sound.record["moves"][:step], "outcome": None}
    try:
        [last] = deque(replayed(record, _finder(end)), 1)
    except RecordError as error:
        raise Invalid(_("This record takes too long to replay.")) from error
    asked = list(sound.game.to_move(last.state))
    if not asked or sound.game.deadline(last.state) is not None or sound.game.outcome(last.state) is not None:
        raise Invalid(_("Nobody is to move there: choose another move."))
    return asked
