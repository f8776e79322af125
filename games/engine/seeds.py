"""From which secrets a match's dice follow: the site's chain, the players' nonces, and the seed made of them.

spec: chance.md. Nothing here knows a game.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

LINKS = 64
"""How many seeds a chain has: the first, and one for each time that a match may be restored."""


class Opening(NamedTuple):
    """A sealed nonce that a seat opened after move `after`: later draws follow from it, too."""

    after: int
    seat: int
    nonce: str


def canonical(data: Any) -> bytes:
    """The one way to write down data: ASCII JSON, keys in order, no space (spec: chance.md, Canonical JSON)."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def commit(server: bytes) -> str:
    """The commitment, public from the start: the SHA-256 of the server's part in hexadecimal."""
    return hashlib.sha256(server).hexdigest()


def seal(nonce: str) -> str:
    """What a player shows of a nonce that is opened later: the SHA-256 of its characters, in hexadecimal."""
    return hashlib.sha256(nonce.encode()).hexdigest()


def link(root: bytes, number: int) -> bytes:
    """The seed `number` of the chain of a root: each is the SHA-256 of the next. IndexError beyond the last."""
    if not 0 <= number < LINKS:
        raise IndexError(f"a chain has {LINKS} seeds")
    return hashed(root, LINKS - number)


def number_of(root: bytes, seed: bytes) -> int:
    """Which seed of the root's chain this is, from 0. ValueError if it is none."""
    for number in range(LINKS - 1, -1, -1):
        root = hashlib.sha256(root).digest()
        if root == seed:
            return number
    raise ValueError("not a seed of this chain")


def hashed(seed: bytes, times: int) -> bytes:
    """The SHA-256 of the SHA-256, so many times."""
    for _ in range(times):
        seed = hashlib.sha256(seed).digest()
    return seed


def mix(server: bytes, nonces: Sequence[str]) -> bytes:
    """The seed of a match of `club-y/1`: the server's part, mixed with what each seat contributed.

    HMAC-SHA-256, its key the server's part, its message the list as compact ASCII JSON.
    """
    return hmac.digest(server, canonical(list(nonces)), "sha256")


def mix_sealed(server: bytes, nonces: Sequence[str], seals: Sequence[str], opened: Sequence[Opening] = ()) -> bytes:
    """The seed of a match of `club-y/2`, after these openings: the former, with the seals, then with each opening."""
    seed = hmac.digest(server, canonical([list(nonces), list(seals)]), "sha256")
    for one in opened:
        seed = hmac.digest(seed, canonical([one.seat, one.nonce]), "sha256")
    return seed


def entry_of(commitment: str, nonces: Sequence[str], seals: Sequence[str]) -> str:
    """The fingerprint of all that is fixed when a match begins, shown from then on: SHA-256, in hexadecimal."""
    return hashlib.sha256(canonical([commitment, list(nonces), list(seals)])).hexdigest()


def opened_until(openings: Sequence[Opening], after: int) -> Iterator[Opening]:
    """The openings from which the draws of the move after move `after` follow."""
    return (one for one in openings if one.after <= after)
