"""The scheme of the dice: every example of docs/spec/chance.md, by the engine and by the client that shares nothing."""

import json
import re
from pathlib import Path

import pytest
from club_y_client import dice
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from config.lib import signatures
from games.engine import (
    LINKS,
    Opening,
    SeededChance,
    canonical,
    commit,
    entry_of,
    hashed,
    link,
    mix,
    mix_sealed,
    number_of,
    seal,
)
from games.record import SIGNED_AS

SPEC = Path(__file__).resolve().parents[2].joinpath("docs/spec/chance.md").read_text()
ROOT = bytes(range(32))
NONCES, SEALS = ["a1", "b2", ""], [seal("c3"), seal("d4"), ""]
OPENED = [Opening(0, 1, "d4"), Opening(3, 0, "c3")]


def told(name: str) -> str:
    """What the page says of this name, in one of its examples."""
    return re.search(rf"^{re.escape(name)} {{2,}}(.+)$", SPEC, re.M)[1]


def test_the_chain():
    assert told("root") == ROOT.hex()
    for number in (0, 1, 2, 63):
        assert told(f"S{number}") == link(ROOT, number).hex()
        assert number_of(ROOT, link(ROOT, number)) == number
        assert dice.after_links(link(ROOT, number), number) == link(ROOT, 0)
    assert told("commitment") == commit(link(ROOT, 0)) == dice.fingerprint(link(ROOT, 0))
    assert hashed(link(ROOT, 5), 5) == link(ROOT, 0)
    for beyond in (-1, LINKS):
        with pytest.raises(IndexError):
            link(ROOT, beyond)
    with pytest.raises(ValueError, match="chain"):
        number_of(ROOT, bytes(32))


def test_the_seeds():
    first = link(ROOT, 0)
    assert (told('seal of "c3"'), told('seal of "d4"')) == tuple(SEALS[:2])
    assert told("fingerprint of the start") == entry_of(commit(first), NONCES, SEALS)
    keys = [mix_sealed(first, NONCES, SEALS, OPENED[:n]) for n in range(3)]
    assert told("K at the start") == keys[0].hex() == dice.start_seed("club-y/2", first, NONCES, SEALS).hex()
    assert told('K when seat 1 has opened "d4"') == keys[1].hex()
    assert told('K when seat 0 has opened "c3"') == keys[2].hex()
    assert told("K after a restore then (S1)") == mix_sealed(link(ROOT, 1), NONCES, SEALS, OPENED).hex()
    former = mix(first, NONCES)
    assert f"K is `{former.hex()}`" in SPEC
    assert former == dice.start_seed("club-y/1", first, NONCES, [])


def test_the_draws():
    seed = bytes.fromhex(told("K at the start"))
    for chance in (SeededChance(seed), dice.Dice(seed)):
        for kind in ("roll 5 6", "shuffle 10", "scatter 300", "roll 3 20", "scatter 1"):
            name, *sizes = kind.split()
            drawn = getattr(chance, name)(*map(int, sizes))
            assert told(kind) == " ".join(map(str, drawn)), kind


def test_the_client_draws_as_the_engine():
    for number in range(50):
        seed = number.to_bytes(32, "big")
        one, other = SeededChance(seed), dice.Dice(seed)
        for sides in (1, 2, 6, 7, 1000, 2**31 + 1):
            assert one.roll(4, sides) == other.roll(4, sides)
        for n in (0, 1, 2, 52, 400):
            assert one.shuffle(n) == other.shuffle(n)
        for spread in (1, 2, 77, 1000):
            assert one.scatter(spread) == other.scatter(spread)


def test_canonical_json():
    lines = SPEC.split("## Canonical JSON")[1].split("```")[1].strip().splitlines()
    meant = {"é": "\u007f", "a": [1, None, True, '"\\\n😀']}
    assert canonical(meant).decode() == lines[1]
    assert json.loads(lines[1]) == meant
    assert dice.canonical(meant) == canonical(meant)
    with pytest.raises(ValueError, match="JSON"):
        canonical([float("nan")])


def test_the_signature(settings):
    key, record = Ed25519PrivateKey.from_private_bytes(ROOT), json.loads(told("record"))
    settings.RECORD_KEYS = [signatures._encoded(ROOT), "public:" + "B" * 43]
    made = signatures.sign(SIGNED_AS + canonical(record))
    assert made == {"key": told("key"), "value": told("value")}
    assert signatures.public_keys() == [told("key"), "B" * 43]
    assert signatures.is_signed(SIGNED_AS + canonical(record), **made)
    assert not signatures.is_signed(SIGNED_AS + canonical(record | {"seats": 3}), **made)
    assert not signatures.is_signed(canonical(record), **made)
    assert not signatures.is_signed(b"", made["key"], "x")
    assert not signatures.is_signed(b"", "ü", made["value"])
    assert key.public_key().public_bytes_raw() == signatures._decoded(told("key"))
