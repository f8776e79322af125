"""Guests at tables with people: a visitor who has a table's link sits down under a name that they type."""

from collections.abc import Callable, Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names import is_guests, looks_of
from accounts.services.guests import TooManyGuests, plain_name
from games.models import Seat
from games.services.lobby import opening
from games.services.play.locking import lock_match
from games.services.refusals import GuestsCannot, Invalid, TooFast


def sit_down(*, match_id: int, name: str, named: Callable[[str], User], nonce: str, token: str, seal: str = "") -> User:
    """Seat a guest under this name, if nobody at the table has one that looks like it; return them.

    `named` makes the guest of a name. GuestsCannot, Invalid, TooFast, and what `opening.join` refuses.
    """
    with transaction.atomic():
        match, seats = lock_match(match_id)
        opening.refuse_late(match, seats)
        if not match.takes_guests:
            raise GuestsCannot
        try:
            guest = named(name)
        except ValidationError as error:
            raise Invalid(" ".join(error.messages)) from error
        except TooManyGuests as error:
            raise TooFast from error
        _refuse_namesake(guest, seats)
        opening.join(match_id=match_id, user=guest, nonce=nonce, seal=seal, token=token)
    return guest


def _refuse_namesake(guest: User, seats: Sequence[Seat]) -> None:
    """Refuse a guest whom another guest at the table has the name of, but for a number."""
    others = [seat.username for seat in seats if seat.username and seat.user_id != guest.pk]
    taken = [looks_of(plain_name(name)) for name in others if is_guests(name)]
    if any(looks_of(plain_name(guest.username)) & looks for looks in taken):
        raise Invalid(_("Somebody at this table has that name. Please choose another."))
