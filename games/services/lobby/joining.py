"""Whether an open table takes a member, and why not."""

from collections.abc import Callable, Sequence
from typing import Any

from accounts.models import User
from games.models import Match, Seat
from games.services import hooks
from games.services.lobby import member_bots
from games.services.people import blocks
from games.services.play.locking import Person
from games.services.refusals import Refused, Unconfirmed

WhyNot = Callable[[Match, Sequence[Seat]], str]  # "" if it does


def refuse_joining(match: Match, user: User, seats: Sequence[Seat]) -> None:
    """Refuse whom a table does not take: Unconfirmed, NoBots, OwnBots, BlockedByOther, or what the hooks raise."""
    hooks.check_sitting_down(user)
    _refuse_here(match, user, seats)


def _refuse_here(match: Match, user: User, seats: Sequence[Seat]) -> None:
    if match.rated and not user.is_confirmed:
        raise Unconfirmed
    member_bots.refuse_unfit(match, user, seats)
    blocks.refuse_blocked(user, seats)
    hooks.check_joining(match, user)


def why_not(match: Match, user: Person, seats: Sequence[Seat]) -> str:
    """Return in words why a table does not take this member; empty if it does, and for visitors and guests."""
    return why_not_each(user)(match, seats)


def why_not_each(user: Person) -> WhyNot:
    """Return `why_not` for many tables: what keeps the member from all of them is asked once."""
    if not isinstance(user, User) or user.is_guest:
        return lambda match, seats: ""
    never = _said(hooks.check_sitting_down, user)
    return lambda match, seats: never or _said(_refuse_here, match, user, seats)


def _said(check: Callable[..., None], *arguments: Any) -> str:
    try:
        check(*arguments)
    except Refused as refusal:
        return str(refusal)
    return ""
