"""Who sits where: giving a seat to a member, and matches whose members sit down all at once."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.models import User
from games.clocks import MS
from games.models import Match, Seat
from games.rules import get_game
from games.services.lobby import promises
from games.services.lobby.closing import start_if_full
from games.services.lobby.terms import checked_options


def sit(seat: Seat, user: User, nonce: str = "", seal: str = "") -> None:
    """Give a seat to a member, with their part of the dice if they have one: what the site drew would be none."""
    seat.user, seat.nonce, seat.seal = user, nonce[:64], seal[:64]


def seat_together(
    *,
    members: Sequence[User],
    game_slug: str,
    options: dict[str, Any],
    pace: str,
    rated: bool,
    access: str,
    club_id: int | None = None,
) -> Match:
    """Start a match of members whom a tournament brings together, in this order of seats. Invalid.

    `club_id` is the club whose members may watch, if `access` says so.
    """
    game = get_game(game_slug)
    wishes = checked_options(game_slug, len(members), options, ())
    with transaction.atomic():
        match = promises.create(
            game_slug=game_slug,
            rules_version=game.rules_version,
            options=wishes,
            size=len(members),
            access=access,
            club_id=club_id,
            pace_slug=pace,
            rated=rated,
        )
        seats = [Seat(match=match, number=n, bank=match.pace.bank // MS) for n in range(len(members))]
        for seat, member in zip(seats, members, strict=True):
            sit(seat, member)
        Seat.objects.bulk_create(seats)
        start_if_full(match, seats)
    return match
