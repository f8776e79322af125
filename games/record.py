"""The record of a match, and its state at any step, rebuilt from it."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings

from games.engine import FORMAT, commit, replay
from games.models import Imported, Match, Seat
from games.queries import turns
from games.rules import get_game


def record_of(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return the record (spec: engine.md, The record), without seed and secrets before the end."""
    whole = _whole_record(match, seats)
    if match.status == Match.Status.ENDED:
        return whole
    closed = [reseed | {"seed": None} for reseed in whole["reseeds"]]
    secret: dict[str, Any] = {"moves": [], "setup_draws": [], "prepared": []} if match.game.secret else {}
    return whole | {"seed": None, "nonces": [], "reseeds": closed} | secret


def _whole_record(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    first, *later = match.seeds
    prepared = {} if match.prepared is None else {"prepared": match.prepared}
    return (
        prepared
        | _origin(match)
        | {
            "format": FORMAT,
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
            "reseeds": [{"after": after, "commitment": commit(seed), "seed": seed.hex()} for after, seed in later],
        }
    )


def _origin(match: Match) -> dict[str, Any]:
    """Return of a sandbox with which record and step it began; nothing of any other match."""
    if not match.sandbox:
        return {}
    origin = Imported.objects.select_related("source").get(match=match)
    source = origin.source
    shown = f"{settings.SITE_URL}/matches/{source.pk}/" if source is not None and source.is_public else None
    return {"sandbox": {"record": origin.digest, "match": shown, "step": origin.step}}


def state_at(match: Match, seats: Sequence[Seat], step: int) -> Any:
    """Return the state after turn `step` (0: after the setup), rebuilt from the recorded draws."""
    record = _whole_record(match, seats)
    record["moves"] = record["moves"][:step]
    return replay(record | {"outcome": None}, get_game)
