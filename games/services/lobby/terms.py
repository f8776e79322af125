"""What a new table may be like: its options, its pace, the ratings it takes, and how many one may have."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from games.rules import get_game
from games.services.lobby.closing import may_have_more
from games.services.refusals import Invalid, TooManyTables
from games.time_controls import TIME_CONTROLS

MOST_RATING = 9_999


def check_terms(pace: str, rating_range: tuple[int | None, int | None]) -> None:
    """Refuse (Invalid) a time to think that there is not, and a range of ratings that nobody has."""
    if pace not in TIME_CONTROLS:
        raise Invalid(_("Choose a time to think from the list."))
    lowest, highest = rating_range
    if not 0 <= (lowest or 0) <= (MOST_RATING if highest is None else highest) <= MOST_RATING:
        raise Invalid(_("Nobody has a rating in that range."))


def refuse_many(creator: User) -> None:
    """Refuse (TooManyTables) a further open table: anybody makes accounts without a confirmed address, one by one."""
    if may_have_more(creator):
        return
    if not creator.is_confirmed:
        raise TooManyTables(_("Confirm your e-mail address to open more tables, or wait until one fills."))
    raise TooManyTables


def checked_options(game_slug: str, size: int, options: dict[str, Any], bots: Sequence[str]) -> dict[str, Any]:
    """Return all options of a table that is possible with so many seats and these bots."""
    game = get_game(game_slug)
    if not game.min_seats <= size <= game.max_seats:
        raise Invalid(
            _("%(game)s is for %(least)d to %(most)d players.")
            % {"game": game.name, "least": game.min_seats, "most": game.max_seats}
        )
    if len(bots) >= size or any(level not in game.levels for level in bots):
        raise Invalid(_("Those bots do not fit this table."))
    try:
        return game.full_options(size, options)
    except ValueError as error:
        raise Invalid(_("%(game)s cannot be played with these options.") % {"game": game.name}) from error
