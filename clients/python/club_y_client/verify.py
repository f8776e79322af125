"""Checks the record of a match that is over: promises, draws, moves, outcome and signature (docs/spec/chance.md)."""

import argparse
import json
import sys
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from club_y_client import own_part
from club_y_client.dice import FORMER, LINKS, PRESENT, Dice, after_links, canonical, fingerprint, keyed, start_seed

SIGNED_AS = b"club-y-record\n"
Record = dict[str, Any]


class Fault(Exception):
    """The first thing that is not right."""


class Unable(Exception):
    """The record could not be checked: nothing is said against it."""


def add_to(commands: Any) -> None:
    """Add the command `verify` to those of the client."""
    parser = commands.add_parser("verify", help="check the record of a match")
    parser.add_argument("record", type=Path, metavar="RECORD.json")
    parser.add_argument("--commitment", action="append", default=[], metavar="HEX", help="noted during the match")
    parser.add_argument("--entry", default="", metavar="HEX", help="noted likewise: the fingerprint of the start")
    parser.add_argument("--parts", type=Path, metavar="FILE", help="what this computer noted, if not the usual file")
    parser.add_argument("--key", default="", metavar="KEY", help="the site's public key")
    parser.add_argument("--rules", type=Path, metavar="FOLDER", help="a checkout that has the rules")
    parser.set_defaults(run=_run)


def _run(chosen: argparse.Namespace) -> int:
    try:
        record = json.loads(chosen.record.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        print(f"{chosen.record} cannot be read: {error}", file=sys.stderr)
        return 2
    try:
        noted = own_part.OwnParts(chosen.parts).noted(record)
        if noted.commitments:
            print("compared with what was noted on this computer during the match")
        commitments = chosen.commitment or noted.commitments
        entries = [chosen.entry] if chosen.entry else noted.entries or [""]
        for line in verify(record, commitments=commitments, entry=entries[0], key=chosen.key, at=chosen.rules):
            print(line)
        if entries[1:]:
            raise Fault("different starts of this match were noted on this computer")
    except own_part.Other:
        print(
            "not sound: what was drawn on this computer, and with which you sat down, is not in the record",
            file=sys.stderr,
        )
        return 1
    except Fault as fault:
        print(f"not sound: {fault}", file=sys.stderr)
        return 1
    except Unable as error:
        print(f"not checked: {error}", file=sys.stderr)
        return 2
    return 0


def verify(
    record: Any, *, commitments: Sequence[str] = (), entry: str = "", key: str = "", at: Path | None = None
) -> Iterator[str]:
    """Yield what a record says of its secrets, and that it is sound. Fault at what is not right first, Unable.

    `commitments` and `entry` are what was noted during the match, `key` the site's, `at` a folder that has the rules.
    """
    try:
        yield from _verified(record, [one.strip().lower() for one in commitments], entry.strip().lower(), key, at)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise Fault(f"this is no whole record: {type(error).__name__}: {error}") from error


def _verified(record: Record, commitments: list[str], entry: str, key: str, at: Path | None) -> Iterator[str]:
    if record["format"] not in (FORMER, PRESENT):
        raise Fault(f"unknown format {record['format']!r}")
    if not record.get("seed"):
        raise Fault("the record has no seed: the match has not ended")
    yield from _check_promises(record, commitments)
    if record["format"] == PRESENT:
        yield from _check_seals(record, entry)
    prepared = _replay(record, _rules(record, at))
    yield f"{prepared} draws were prepared for a lesson" if prepared else "no draw was prepared"
    yield _check_signature(record, key)
    yield "sound: draws, moves and outcome are what the secrets and the rules dictate"
    if record["format"] == FORMER:
        yield "In club-y/1 the site chose a fresh seed at each restore, and might know all nonces when it drew its own."


def _check_promises(record: Record, noted: list[str]) -> Iterator[str]:
    before, last = bytes.fromhex(record["seed"]), -1
    told = [record["commitment"]]
    yield f"commitment {told[0]}"
    if fingerprint(before) != told[0]:
        raise Fault("the commitment does not fit the seed")
    for reseed in record["reseeds"]:
        seed, after = bytes.fromhex(reseed["seed"]), reseed["after"]
        yield f"restored after move {after}: seed {reseed['seed']}"
        if not last < after < len(record["moves"]):
            raise Fault(f"a reseed after move {after} is out of place")
        if record["format"] == FORMER:
            told.append(reseed["commitment"])
            if fingerprint(seed) != reseed["commitment"] or seed == before:
                raise Fault(f"the reseed after move {after} does not fit its commitment")
        elif not 1 <= reseed["times"] < LINKS or after_links(seed, reseed["times"]) != before:
            raise Fault(f"the reseed after move {after} is not the next of the chain")
        before, last = seed, after
    if noted and not set(told) <= set(noted):
        raise Fault("a commitment is not what was noted")
    if len(record["nonces"]) != record["seats"]:
        raise Fault("there is not one nonce a seat")


def _check_seals(record: Record, noted: str) -> Iterator[str]:
    nonces, seals, moves = record["nonces"], record["seals"], record["moves"]
    for seat, (nonce, sealed) in enumerate(zip(nonces, seals, strict=True)):
        yield f"seat {seat}: nonce {nonce or '-'}, seal {sealed or '-'}"
    start = fingerprint(canonical([record["commitment"], nonces, seals]))
    if record["entry"] != start or noted not in ("", start):
        raise Fault("the fingerprint of the start does not fit")
    yield f"fingerprint of the start {start}"
    last, opened = 0, set()
    for one in record["openings"]:
        after, seat = one["after"], one["seat"]
        yield f"seat {seat} opened {one['nonce']} after move {after}"
        if seat in opened or seat not in range(record["seats"]) or not last <= after <= len(moves):
            raise Fault(f"the opening of seat {seat} is out of place")
        if any(move["seat"] == seat for move in moves[:after]):
            raise Fault(f"seat {seat} opened its nonce after its first move")
        if any(seals) and fingerprint(one["nonce"].encode()) != seals[seat]:
            raise Fault(f"seat {seat} opened another nonce than it had sealed")
        last = after
        opened.add(seat)


def _seed(record: Record, after: int) -> bytes:
    """Return the seed of the draws after move `after`; -1: of the setup."""
    server = record["seed"]
    for reseed in record["reseeds"]:
        server = reseed["seed"] if reseed["after"] <= after else server
    seed = start_seed(record["format"], bytes.fromhex(server), record["nonces"], record.get("seals", []))
    for one in record.get("openings", []):
        seed = keyed(seed, canonical([one["seat"], one["nonce"]])) if one["after"] <= after else seed
    return seed


class Watched:
    """Dice that are compared with what a record tells of them, draw by draw; what was prepared is taken from it."""

    def __init__(self, record: Record) -> None:
        self._record, self.prepared = record, 0
        self._marked = {tuple(one) for one in record.get("prepared", [])}
        self.sow(-1)

    def sow(self, after: int) -> None:
        """Draw from the seed of after this move."""
        self._dice = Dice(_seed(self._record, after))

    def expect(self, move: int, draws: list[list[int]], kinds: list[str] | None) -> None:
        """Compare the next draws with these, of a move (0: the setup)."""
        self._move, self._draws, self._kinds, self._next = move, draws, kinds, 0

    def finish(self) -> None:
        """Fault if there are more draws than the rules asked for."""
        if self._next != len(self._draws) or (self._kinds is not None and self._next != len(self._kinds)):
            raise Fault(f"move {self._move} has draws that nobody asked for")

    def roll(self, n: int, sides: int = 6) -> list[int]:
        return self._compared(self._dice.roll(n, sides), f"roll {n} {sides}")

    def shuffle(self, n: int) -> list[int]:
        return self._compared(self._dice.shuffle(n), f"shuffle {n}")

    def scatter(self, spread: int) -> list[int]:
        return self._compared(self._dice.scatter(spread), f"scatter {spread}")

    def _compared(self, dictated: list[int], kind: str) -> list[int]:
        place, self._next = self._next, self._next + 1
        where = f"draw {place + 1} of move {self._move}"
        if place >= len(self._draws):
            raise Fault(f"{where} is missing")
        told = self._draws[place]
        if self._kinds is not None and self._kinds[place : place + 1] != [kind]:
            raise Fault(f"{where} is a {kind}, which the record does not say")
        if (self._move, place) in self._marked:
            self.prepared += 1
            return list(told)
        if told != dictated:
            raise Fault(f"{where} is {told}, the seed dictates {dictated}")
        return dictated


def _replay(record: Record, game: Any) -> int:
    """Play the record by the rules; return how many draws were prepared."""
    chance = Watched(record)
    chance.expect(0, record["setup_draws"], record.get("setup_kinds"))
    state = game.setup(seats=record["seats"], options=record["options"], chance=chance)
    chance.finish()
    fresh = {one["after"] for one in [*record["reseeds"], *record.get("openings", [])]}
    for number, move in enumerate(record["moves"], 1):
        if move["n"] != number:
            raise Fault(f"move {number} is numbered {move['n']}")
        if number - 1 in fresh:
            chance.sow(number - 1)
        chance.expect(number, move["draws"], move.get("kinds"))
        try:
            state, _events = game.apply(state, move["seat"], move["move"], chance, move["at"])
        except Fault:
            raise
        except Exception as error:
            raise Fault(f"move {number} is not allowed: {error}") from error
        chance.finish()
    if game.outcome(state) != record["outcome"]:
        raise Fault("the outcome is not what was played")
    return chance.prepared


def _rules(record: Record, at: Path | None) -> Any:
    """Return the rules of a record's game; Unable where there are none at all, Fault where they do not know it."""
    found = next((folder for folder in _folders(at) if (folder / "games" / "engine").is_dir()), None)
    if found is not None and str(found) not in sys.path:
        sys.path.insert(0, str(found))
    try:
        get_game: Callable[[str, int], Any] = import_module("games.rules").get_game
    except ImportError as error:
        raise Unable(f"the rules are not here: name a checkout by --rules ({error})") from error
    try:
        return get_game(record["game"], record["rules_version"])
    except Exception as error:
        raise Fault(str(error)) from error


def _folders(at: Path | None) -> Iterator[Path]:
    if at is not None:
        yield at
    yield from Path(__file__).resolve().parents


def _check_signature(record: Record, key: str) -> str:
    signature = record.get("signature")
    if signature is None:
        if key or record["format"] == PRESENT:
            raise Fault("nobody signed this record")
        return "signed by nobody: a changed time would go unnoticed"
    if key not in ("", signature["key"]):
        raise Fault(f"the record is signed by {signature['key']}, not by {key}")
    plain = {name: value for name, value in record.items() if name != "signature"}
    try:
        Ed25519PublicKey.from_public_bytes(_bytes(signature["key"])).verify(
            _bytes(signature["value"]), SIGNED_AS + canonical(plain)
        )
    except InvalidSignature:
        raise Fault("the signature does not fit: something was changed") from None
    return f"signed by {signature['key']}" + ("" if key else ": compare it with the keys of the site")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
