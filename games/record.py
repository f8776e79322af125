"""The record of a match, and its state at any step, rebuilt from it."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django.conf import settings

from config.lib import signatures
from games.engine import RecordError, canonical, commit, replay, replayed
from games.models import Imported, Match, Seat
from games.queries import turns
from games.rules import get_game

SIGNED_AS = b"club-y-record\n"
"""What stands before a record that is signed: the signature is good for nothing else."""


def record_of(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return the record (spec: engine.md, The record), without seed and secrets before the end."""
    whole = _whole_record(match, seats)
    if match.status == Match.Status.ENDED:
        return whole
    closed = [reseed | {"seed": None} for reseed in whole["reseeds"]]
    secret: dict[str, Any] = {"moves": [], "setup_draws": [], "prepared": []} if match.game.secret else {}
    own: dict[str, Any] = {} if match.chain_root is None else {"seals": [], "openings": []}
    return whole | {"seed": None, "nonces": [], "reseeds": closed} | own | secret


def public_record(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return the record of an ended match as it is published: with the kind of each draw, and signed by the site.

    Where its rules are gone, or it cannot be played on by them, nothing says of which kind the later draws are.
    """
    record, kinds = record_of(match, seats), []
    with suppress(RecordError):
        for step in replayed(record, get_game):
            kinds.append(step.kinds)
    if kinds:
        record["setup_kinds"] = kinds[0]
    for move, told in zip(record["moves"], kinds[1:], strict=False):
        move["kinds"] = told
    return signed(record)


def signed(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with the site's signature in place of any that it has (spec: chance.md, Signature)."""
    plain = {name: value for name, value in record.items() if name != "signature"}
    return plain | {"signature": signatures.sign(message_of(plain))}


def message_of(record: dict[str, Any]) -> bytes:
    """Return what the signature of a record is of."""
    return SIGNED_AS + canonical({name: value for name, value in record.items() if name != "signature"})


def _whole_record(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    first = match.seeds[0]
    prepared = {} if match.prepared is None else {"prepared": match.prepared}
    return (
        prepared
        | _origin(match)
        | {
            "format": match.record_format,
            "game": match.game_slug,
            "rules_version": match.rules_version,
            "seats": match.size,
            "options": match.options,
            "commitment": commit(first[1]),
            "seed": first[1].hex(),
            "nonces": [seat.nonce for seat in seats],
            "setup_draws": match.setup_draws,
            "moves": [
                {"n": turn.number, "seat": turn.seat, "move": turn.move, "draws": turn.draws, "at": turn.at}
                for turn in turns.of_match(match.pk)
            ],
            "outcome": match.outcome,
            "voided": match.voided_at is not None,
            "match": f"{settings.SITE_URL}/matches/{match.pk}/",
        }
        | _sealed(match, seats)
    )


def _origin(match: Match) -> dict[str, Any]:
    """Return of a sandbox with which record and step it began; nothing of any other match."""
    if not match.sandbox:
        return {}
    origin = Imported.objects.select_related("source").get(match=match)
    source = origin.source
    shown = f"{settings.SITE_URL}/matches/{source.pk}/" if source is not None and source.is_public else None
    return {"sandbox": {"record": origin.digest, "match": shown, "step": origin.step}}


def _sealed(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return what a record has by its format: of the chain and what was sealed, or of fresh seeds."""
    later = match.seeds[1:]
    if match.chain_root is None:
        return {"reseeds": [{"after": after, "commitment": commit(seed), "seed": seed.hex()} for after, seed in later]}
    restored = zip(match.restored, later, strict=True)
    return {
        "entry": match.entry(seats) or None,
        "seals": [seat.seal for seat in seats],
        "openings": [one._asdict() for one in match.opened],
        "reseeds": [
            {"after": after, "times": times, "seed": seed.hex()} for (after, times), (_after, seed) in restored
        ],
    }


def state_at(match: Match, seats: Sequence[Seat], step: int) -> Any:
    """Return the state after turn `step` (0: after the setup), rebuilt from the recorded draws."""
    record = _whole_record(match, seats)
    record["moves"] = record["moves"][:step]
    return replay(record | {"outcome": None}, get_game)
