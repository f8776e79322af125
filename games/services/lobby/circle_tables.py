"""Tables that nobody opened: all seats are free, and a circle's members are invited to them."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import broadcast
from games.clocks import MS
from games.models import Match, Seat
from games.rules import get_game
from games.services.lobby import inviting, promises
from games.services.refusals import Invalid
from games.time_controls import LIVE, TIME_CONTROLS


def open_for(
    members: Sequence[User], *, game_slug: str, options: dict[str, Any], size: int, pace: str, rated: bool
) -> Match:
    """Open a table with free seats alone, to which these members are invited; the first who come fill it. Invalid.

    It has no creator: whoever sits there may do what one may, and it stays open when all have left it.
    """
    game = get_game(game_slug)
    try:
        wishes = game.full_options(size, options)
    except ValueError as error:
        raise Invalid(_("%(game)s cannot be played with these options.") % {"game": game.name}) from error
    if pace not in TIME_CONTROLS:
        raise Invalid(_("Choose a time to think from the list."))
    with transaction.atomic():
        match = promises.create(
            game_slug=game_slug,
            rules_version=game.rules_version,
            options=wishes,
            size=size,
            access=Match.Access.INVITATION,
            pace_slug=LIVE if game.is_live(wishes) else pace,
            rated=rated and not game.is_cooperative(wishes),
        )
        Seat.objects.bulk_create(Seat(match=match, number=n, bank=match.pace.bank // MS) for n in range(size))
        inviting.ask_all(match, members)
        broadcast.lobby_changed()
    return match
