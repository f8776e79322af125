"""What pages show of a match's dice: what is promised, the reader's own part, and how to check it all."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from config.lib import signatures
from games.check_words import CHECK_WORDS
from games.models import Match, Seat
from games.services.play.dice import may_open


def opens(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> bool:
    """Return whether the viewer may open a nonce now: against bots alone the one with which they sat down came last."""
    people = sum(seat.user_id is not None for seat in seats)
    return viewer is not None and people > 1 and may_open(match, seats, viewer)


def dice_shown(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> dict[str, Any]:
    """Return what the templates of the match's dice need; with the way to open a nonce of the viewer's, if any."""
    return {
        "commitments": match.commitments,
        "entry": match.entry(seats),
        "restored": [after for after, _times in match.restored] if match.chain_root is not None else [],
        "former": match.chain_root is None,
        "opens_dice": reverse("open-dice", args=[match.pk]) if opens(match, seats, viewer) else "",
        "prepared": sorted({turn for turn, _draw in match.prepared or ()}),
        "record_keys": " ".join(signatures.public_keys()),
        "check_words": CHECK_WORDS,
    }
