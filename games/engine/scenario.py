"""Scenarios: parts of a match with prepared draws, written in YAML, and the expected results."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from games.engine.base import Game
from games.engine.chance import ChanceMismatch, ScriptedChance
from games.engine.codec import plain
from games.engine.errors import IllegalMove
from games.engine.record import Find

MISSING = object()


def run_file(path: Path, find: Find) -> list[str]:
    """The differences from the scenario in that file, as sentences; [] if there are none."""
    try:
        return run_scenario(yaml.safe_load(path.read_text(encoding="utf-8")), find)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        return [f"cannot be read: {error}"]


def run_scenario(scenario: Any, find: Find) -> list[str]:
    """The differences from the scenario, as sentences; [] if there are none."""
    try:
        return list(_Run(scenario, find).differences())
    except (LookupError, TypeError, AttributeError) as error:
        return [f"not a scenario: {type(error).__name__} {error}"]


class _Run:
    """One scenario being played."""

    def __init__(self, scenario: dict[str, Any], find: Find) -> None:
        self.game: Game[Any] = find(scenario["game"], scenario.get("rules_version"))
        self.seats: int = scenario["seats"]
        self.options: object = {} if scenario.get("options") is None else scenario["options"]
        self.steps: list[dict[str, Any]] = scenario["steps"]
        self.chance = ScriptedChance(scenario.get("chance", []))
        self.all_used: bool = scenario.get("chance_used", "all") == "all"
        self.state: Any = None

    def differences(self) -> Iterator[str]:
        """The differences, step by step; a step that cannot be played is the last."""
        where = "setup"
        try:
            self.state = self.game.setup(seats=self.seats, options=self.options, chance=self.chance)
            for number, step in enumerate(self.steps, 1):
                where = f"step {number}"
                yield from (f"{where}: {difference}" for difference in self._step(step))
        except IllegalMove as error:
            yield f"{where}: refused as {error.code}: {error}"
        except ChanceMismatch as error:
            yield f"{where}: {error}"
        except ValueError as error:
            if self.steps != [{"setup_error": True}]:
                yield f"{where}: {error}"
        else:
            if self.all_used and self.chance.left:
                yield f"draws not used: {self.chance.left}"

    def _step(self, step: dict[str, Any]) -> Iterator[str]:
        if "setup_error" in step:
            yield "the setup was not refused"
        elif "default" in step:
            seat = step["default"]
            yield from self._made(step | {"seat": seat, "move": self.game.default_move(self.state, seat)})
        elif "view" in step:
            yield from _look(self.game.view(self.state, step["view"]), step)
        elif "prompt" in step:
            yield from _look(self.game.prompt(self.state, step["prompt"]), step)
        elif "ordered" in step:
            view = self.game.view(self.state, step["ordered"])
            given = self.game.ordered_move(view, step["orders"])
            yield from _compare("the ordered move", step["move"], given)
        else:
            yield from self._made(step)

    def _made(self, step: dict[str, Any]) -> Iterator[str]:
        """Make the step's move, or check that it is refused as the step expects."""
        if "error" in step:
            yield from self._refused(step)
        else:
            self._apply(step)

    def _apply(self, step: dict[str, Any]) -> None:
        seat, move, at = step["seat"], step["move"], step.get("at", 0)
        self.state, _ = self.game.apply(self.state, seat, move, self.chance, at)

    def _refused(self, step: dict[str, Any]) -> Iterator[str]:
        try:
            self._apply(step)
        except IllegalMove as error:
            yield from _compare("the refusal", step["error"], error.code)
        else:
            yield f"not refused; expected {step['error']}"


def _look(data: Any, step: dict[str, Any]) -> Iterator[str]:
    """The differences from the step's `expect` (by dotted paths, or the whole) and `absent`."""
    data = plain(data)
    expected = step.get("expect", {})
    if not isinstance(expected, dict):
        yield from _compare("the whole", expected, data)
        return
    for path, wanted in expected.items():
        yield from _compare(path, wanted, _at(data, path))
    for path in step.get("absent", []):
        if (found := _at(data, path)) is not MISSING:
            yield f"{path} is there: {found!r}"


def _at(data: Any, path: str) -> Any:
    for key in str(path).split("."):
        if isinstance(data, dict) and key in data:
            data = data[key]
        elif isinstance(data, list) and key.isdecimal() and int(key) < len(data):
            data = data[int(key)]
        else:
            return MISSING
    return data


def _compare(what: str, wanted: Any, found: Any) -> Iterator[str]:
    """Equal as JSON, where true is not 1."""
    if found is MISSING:
        yield f"{what} is missing, expected {wanted!r}"
    elif json.dumps(wanted, sort_keys=True) != json.dumps(found, sort_keys=True):
        yield f"{what} is {found!r}, expected {wanted!r}"
