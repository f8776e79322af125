"""Who plays in the arena: a level of the site's bots, a Python function, or a program that speaks JSON lines."""

import contextlib
import importlib
import json
import os
import queue
import shlex
import shutil
import subprocess
import threading
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from games.engine import Bot, Game, Move, View

SECONDS = 10.0  # for one decision of a program
SPOKEN = 500  # characters of what a program says, in words of a fault


class Failed(Exception):
    """A player gave no move; the words say why."""


class Player(Protocol):
    """Somebody who plays matches one after the other."""

    def choose(self, view: View, rng: Random) -> Move:
        """Return a move. Failed, or whatever the player's own code raises."""

    def close(self) -> None:
        """End what was started for it."""


class House:
    """A bot of the site, by its level."""

    def __init__(self, game: Game[Any], level: str) -> None:
        self._bot: Bot = game.bot(level)

    def choose(self, view: View, rng: Random) -> Move:
        return self._bot.choose(view, rng)

    def close(self) -> None:
        """Do nothing."""


class Function:
    """A function `choose(view) -> move`, named `module:function`, that can be imported from where the arena runs."""

    def __init__(self, path: str) -> None:
        module, _colon, name = path.partition(":")
        self._choose: Callable[[View], Move] = getattr(importlib.import_module(module), name)

    def choose(self, view: View, rng: Random) -> Move:
        return self._choose(json.loads(json.dumps(view)))  # its own: it may do with it what it likes

    def close(self) -> None:
        """Do nothing."""


class Program:
    """A shell command that gets a view as a line of JSON, and answers each with a move as a line of JSON.

    It is started at its first decision, and again after one that it failed to make in time.
    """

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        self.command, self.seconds = command, seconds
        self._running: subprocess.Popen[str] | None = None
        self._said: queue.Queue[str] = queue.Queue()

    def choose(self, view: View, rng: Random) -> Move:
        """Return its answer. Failed when it ends, is silent for too long, or says what is no JSON object."""
        running = self._running or self._start()
        assert running.stdin is not None
        try:
            running.stdin.write(json.dumps(view) + "\n")
            running.stdin.flush()
            line = self._said.get(timeout=self.seconds)
        except queue.Empty:
            self.close()
            raise Failed(f"no answer within {self.seconds:g} s") from None
        except OSError as error:
            self.close()
            raise Failed("it has ended") from error
        try:
            move = json.loads(line)
        except ValueError:
            move = None
        if not isinstance(move, dict):
            self.close()
            raise Failed(f"no move: {line.strip()[:SPOKEN]!r}" if line else "it has ended")
        return move

    def _start(self) -> "subprocess.Popen[str]":
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        running = subprocess.Popen(shlex.split(self.command), start_new_session=True, **pipes)
        self._running, self._said = running, queue.Queue()
        threading.Thread(target=_listen, args=(running, self._said), daemon=True).start()
        return running

    def close(self) -> None:
        """End the program, if it was started."""
        running, self._running = self._running, None
        if running is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(running.pid, 9)
        running.wait()
        for pipe in (running.stdin, running.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _listen(running: "subprocess.Popen[str]", said: "queue.Queue[str]") -> None:
    """Pass on what the program says, and an empty line when it has ended."""
    assert running.stdout is not None
    with contextlib.suppress(ValueError):  # closed by us
        for line in running.stdout:
            said.put(line)
    said.put("")


def made(game: Game[Any], word: str, seconds: float = SECONDS) -> Player:
    """Return the player that a word of the command line names.

    ImportError, AttributeError for no such function, ValueError for what is no command either.
    """
    if word in game.levels:
        return House(game, word)
    module, colon, name = word.partition(":")
    if colon and name.isidentifier() and all(part.isidentifier() for part in module.split(".")):
        return Function(word)
    parts = shlex.split(word)
    if not parts or shutil.which(parts[0]) is None:
        raise ValueError(f"{word}: no level of {game.name}, no function and no command")
    return Program(word, seconds)
