"""The secrets from which a match's dice follow (spec: chance.md)."""

import secrets
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from django.db import models

from games.engine import FORMAT, FORMER, LINKS, Opening, commit, entry_of, link, mix, mix_sealed, number_of


def new_seed() -> bytes:
    """Return 32 random bytes."""
    return secrets.token_bytes(32)


class Part(Protocol):
    """What a seat contributes."""

    nonce: str
    seal: str


class Seeded(models.Model):
    """The part of a match that its dice follow from."""

    draws = models.PositiveIntegerField(default=0)  # how many of the present seed
    server_seed = models.BinaryField(default=new_seed)  # the present one
    earlier_seeds = models.JSONField(default=list)  # of a restored match: [{"until": turns, "seed": hex}]
    chain_root = models.BinaryField(null=True)  # all seeds follow from it; null: each is drawn, as in earlier matches
    promise = models.CharField(max_length=32, null=True)  # by which its creator knew the commitment beforehand
    openings = models.JSONField(null=True)  # sealed nonces that were opened: [[after how many turns, seat, nonce]]

    started_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    @property
    def commitment(self) -> str:
        """The first commitment to the dice, of when the table was opened: SHA-256 of that seed, in hex."""
        return commit(self.seeds[0][1])

    @property
    def record_format(self) -> str:
        """The format of its record, which is that with which it began."""
        return FORMER if self.chain_root is None else FORMAT

    def seed_now(self, seats: Sequence[Part]) -> bytes:
        """The seed from which the next draws follow, `draws` of which are made already."""
        nonces = [seat.nonce for seat in seats]
        if self.chain_root is None:
            return mix(bytes(self.server_seed), nonces)
        return mix_sealed(bytes(self.server_seed), nonces, [seat.seal for seat in seats], self.opened)

    @property
    def opened(self) -> list[Opening]:
        """The sealed nonces that were opened, in their order."""
        return [Opening(*one) for one in self.openings or ()]

    def entry(self, seats: Sequence[Part]) -> str:
        """The fingerprint of all that was fixed when it began; empty in the former format, and before it begins."""
        if self.chain_root is None or not self.started_at:
            return ""
        return entry_of(commit(self.seeds[0][1]), [seat.nonce for seat in seats], [seat.seal for seat in seats])

    def next_seed(self) -> bytes | None:
        """The seed after the present one; None once the chain is used up."""
        if self.chain_root is None:
            return new_seed()
        following = number_of(bytes(self.chain_root), bytes(self.server_seed)) + 1
        return link(bytes(self.chain_root), following) if following < LINKS else None

    @property
    def seeds(self) -> list[tuple[int, bytes]]:
        """The server's seeds, each with the turn after which it is drawn from; one, unless restored."""
        known = [(spent["until"], bytes.fromhex(spent["seed"])) for spent in self.earlier_seeds]
        starts = [0, *(until for until, _seed in known)]
        return list(zip(starts, [*(seed for _until, seed in known), bytes(self.server_seed)], strict=True))

    @property
    def commitments(self) -> list[tuple[int, str]]:
        """The public promises about the dice, each with the turn after which it holds: SHA-256, in hex.

        All seeds of a chain are promised by the first, and the promise of a later one would be the seed before.
        """
        first = self.seeds[0][1]
        later = [] if self.chain_root is not None else [(after, commit(seed)) for after, seed in self.seeds[1:]]
        return [(0, commit(first)), *later]

    @property
    def restored(self) -> list[tuple[int, int]]:
        """After which turns it was restored, each with how many seeds of its chain on it went from there."""
        if self.chain_root is None or not self.earlier_seeds:
            return [(after, 1) for after, _seed in self.seeds[1:]]
        numbers = [(after, number_of(bytes(self.chain_root), seed)) for after, seed in self.seeds]
        return [(after, number - before) for (_first, before), (after, number) in pairwise(numbers)]
