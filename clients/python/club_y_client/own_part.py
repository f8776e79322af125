"""One's own part of the dice (docs/spec/chance.md): drawn and kept on this computer, opened once the match runs."""

import json
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from club_y_client.dice import fingerprint

FILE = "CLUB_Y_DICE"  # in the environment: another file than the usual one
DIGITS = 16  # bytes of a number


class Part(NamedTuple):
    """A part: for which commitment it was drawn, and its two numbers, the second to be opened later.

    `at` is the match, once one sits there; `entry` the fingerprint of its start, once that was seen.
    """

    commitment: str
    nonce: str
    further: str
    at: str = ""
    entry: str = ""

    @property
    def sent(self) -> dict[str, str]:
        """What is sent when one sits down."""
        return {"nonce": self.nonce, "seal": _seal(self.further) if self.further else ""}


class Noted(NamedTuple):
    """What was noted of a match: the commitments and the fingerprints of its start, as `verify` takes them."""

    commitments: list[str]
    entries: list[str]


class Other(Exception):
    """One sat down at the match of a record with a part drawn here, and it is not in it."""


def usual_file() -> Path:
    """Return the file in which parts are kept if no other is named."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(os.environ.get(FILE) or Path(state) / "club-y/dice.jsonl")


class OwnParts:
    """The parts that were drawn on this computer, in a file to which a line is added for each step of each.

    Several programs may share it. What cannot be kept is neither sealed nor opened.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or usual_file()

    def draw(self, commitment: str) -> Part:
        """Return a fresh part for this commitment."""
        part = Part(commitment, secrets.token_hex(DIGITS), secrets.token_hex(DIGITS))
        return part if self._keep(part) else part._replace(further="")

    def sit(self, part: Part, at: str) -> None:
        """Note that one sits at a match with this part."""
        if part.further:
            self._keep(part._replace(at=at))

    def leave(self, at: str) -> None:
        """Note that one has left a match before it began."""
        for part in self._latest():
            if part.at == at:
                self._keep(part._replace(at=""))

    def to_open(self, dice: dict[str, Any], at: str) -> str:
        """Return what is to be opened now, by the `dice` of a table, whose start is noted first; empty if nothing is.

        A seat that sealed nothing, where it may open something, opens a fresh number.
        """
        if not (dice.get("opens") and dice["entry"]):
            return ""
        known = next((part for part in self._latest() if part.nonce and part.nonce == dice["nonce"]), None)
        if known is None and not dice["seal"]:
            known = Part(dice["commitment"], dice["nonce"], secrets.token_hex(DIGITS))
        if known is None or known.entry not in ("", dice["entry"]):
            return ""
        if dice["seal"] not in ("", _seal(known.further)):
            return ""
        return known.further if self._keep(known._replace(at=at, entry=dice["entry"])) else ""

    def noted(self, record: Any) -> Noted:
        """Return what was noted of the match of this record; Other if none of one's parts is in it."""
        try:
            sent, commitment = list(zip(record["nonces"], record["seals"], strict=True)), record["commitment"]
        except (KeyError, TypeError, ValueError):
            return Noted([], [])  # of no record, or one of the former format
        latest = self._latest()
        of_match = [part for part in latest if part.at and part.commitment == commitment]
        own = [part for part in latest if tuple(part.sent.values()) in sent or (part in of_match and not part.nonce)]
        if of_match and not own:
            raise Other
        return Noted(sorted({part.commitment for part in own}), sorted({part.entry for part in own} - {""}))

    def _latest(self) -> list[Part]:
        """Return each part as it was kept last."""
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []
        found: dict[tuple[str, str], Part] = {}
        for line in lines:
            with suppress(ValueError, TypeError):  # of one that was cut off by a crash
                part = Part(**json.loads(line))
                found[part.commitment, part.nonce or part.further] = part
        return list(found.values())

    def _keep(self, part: Part) -> bool:
        """Add a line, as a whole and on the disk; it begins with its newline, so that one cut off spoils no other."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(handle, "wb", buffering=0) as file:
                file.write(f"\n{json.dumps(part._asdict())}".encode())
                os.fsync(file.fileno())
        except OSError:
            return False
        return True


def _seal(further: str) -> str:
    return fingerprint(further.encode())
