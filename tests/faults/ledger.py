"""What was intended and what was acknowledged, synced to disk; and what the database made of it."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from games.management.commands.check_matches import problems
from games.models import Match, PlayedKey, Turn
from games.queries.play import seats_of
from games.record import state_at

Mark = tuple[int, int, str]  # match, seat, key


class Ledger:
    """A file of lines, each synced before the driver goes on."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("a")
        self.intended: dict[Mark, Any] = {}
        self.acknowledged: set[Mark] = set()
        self.refused: set[Mark] = set()

    def intend(self, mark: Mark, move: Any) -> None:
        self.intended[mark] = move
        self._write("intended", mark, move)

    def acknowledge(self, mark: Mark) -> None:
        self.acknowledged.add(mark)
        self._write("acknowledged", mark)

    def refuse(self, mark: Mark) -> None:
        self.refused.add(mark)
        self._write("refused", mark)

    def _write(self, *words: Any) -> None:
        self.file.write(json.dumps(words) + "\n")
        self.file.flush()
        os.fdatasync(self.file.fileno())

    def differences(self) -> list[str]:
        """Return in words where the database, at rest, is not what the ledger says."""
        stored = stored_moves()
        moves, count = dict(stored), Counter(mark for mark, _move in stored)
        found = [f"acknowledged, stored {count[mark]} times: {mark}" for mark in self.acknowledged if count[mark] != 1]
        found += [f"refused, yet stored: {mark}" for mark in self.refused if count[mark]]
        found += [
            f"neither acknowledged nor refused: {m}" for m in self.intended.keys() - self.acknowledged - self.refused
        ]
        for mark, move in moves.items():
            if self.intended.get(mark) != move:
                found.append(f"stored, not intended: {mark} {move}")
        return found + torn_matches()


def stored_moves() -> list[tuple[Mark, Any]]:
    """Return the moves that persons made, each with its mark; the key is None if it was a day ago."""
    keys = {(match, number): key for match, number, key in PlayedKey.objects.values_list("match", "number", "key")}
    rows = Turn.objects.filter(by=Turn.By.PERSON).values_list("match_id", "number", "seat", "move")
    return [((match, seat, keys.get((match, number))), move) for match, number, seat, move in rows]


def torn_matches() -> list[str]:
    """Return in words which matches have gaps in their turns, or another state than a replay leads to."""
    found = []
    for match in Match.objects.exclude(status=Match.Status.OPEN).order_by("pk"):
        numbers = list(match.log.order_by("number").values_list("number", flat=True))
        if numbers != list(range(1, match.turns + 1)):
            found.append(f"match {match.pk}: {match.turns} turns, numbered {numbers}")
        elif match.game.dump(state_at(match, seats_of(match), match.turns)) != bytes(match.state):
            found.append(f"match {match.pk}: a replay leads to another state")
        if match.status == Match.Status.ENDED:
            found += [f"match {match.pk}: {problem}" for problem in problems(match)]
    return found
