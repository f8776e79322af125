"""The dice of a match from its secrets, as docs/spec/chance.md has them; nothing here is the site's."""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from json import dumps
from math import isqrt

FORMER, PRESENT = "club-y/1", "club-y/2"
LINKS = 64
STEPS = 65536  # of each of the four parts of a scatter


def canonical(data: object) -> bytes:
    """Return data as canonical JSON."""
    return dumps(data, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()


def fingerprint(data: bytes) -> str:
    """Return the SHA-256 in hexadecimal."""
    return sha256(data).hexdigest()


def after_links(seed: bytes, links: int) -> bytes:
    """Return the seed so many links before this one in its chain."""
    return seed if links == 0 else after_links(sha256(seed).digest(), links - 1)


def keyed(key: bytes, message: bytes) -> bytes:
    """Return the HMAC-SHA-256."""
    return hmac.new(key, message, sha256).digest()


def start_seed(form: str, server: bytes, nonces: Sequence[str], seals: Sequence[str]) -> bytes:
    """Return the seed of a match's first draws."""
    return keyed(server, canonical(list(nonces) if form == FORMER else [list(nonces), list(seals)]))


class Dice:
    """Draws from a seed, one after another; each method is one draw. It is a source of chance for the rules."""

    def __init__(self, seed: bytes) -> None:
        self._seed, self._draw = seed, -1
        self._block, self._pool = 0, b""

    def roll(self, n: int, sides: int = 6) -> list[int]:
        """Return n numbers from 1 to `sides`."""
        self._begin()
        return [self._below(sides) + 1 for _ in range(n)]

    def shuffle(self, n: int) -> list[int]:
        """Return a permutation of range(n)."""
        self._begin()
        deck = list(range(n))
        for top in reversed(range(1, n)):
            other = self._below(top + 1)
            deck[top], deck[other] = deck[other], deck[top]
        return deck

    def scatter(self, spread: int) -> list[int]:
        """Return two bell-shaped numbers of this standard deviation."""
        self._begin()
        return [self._bell(spread), self._bell(spread)]

    def _begin(self) -> None:
        self._draw += 1
        self._block, self._pool = 0, b""

    def _word(self) -> int:
        if not self._pool:
            self._pool = keyed(self._seed, self._draw.to_bytes(8, "big") + self._block.to_bytes(8, "big"))
            self._block += 1
        word, self._pool = self._pool[:4], self._pool[4:]
        return int.from_bytes(word, "big")

    def _below(self, limit: int) -> int:
        while True:
            word = self._word()
            if word < 2**32 // limit * limit:
                return word % limit

    def _bell(self, spread: int) -> int:
        centred = sum(self._below(STEPS) for _ in range(4)) - 2 * (STEPS - 1)
        top, bottom = isqrt((12 * spread**2 - 1) * 2**64), isqrt(4 * (STEPS**2 - 1) * 2**64)
        return (2 * centred * top + bottom) // (2 * bottom)
