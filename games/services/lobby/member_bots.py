"""Bots of members at tables: which take them, what they may, and how many matches they play at once."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from config.lib import sql
from games.models import Match, Seat
from games.queries.rated import answering
from games.services.refusals import BotsCannot, Refused

MOST_AT_ONCE = 20  # matches, begun or not, of one bot
MOST_OF_OWNER = 40  # and of all bots of one member
MOST_OPEN = 5  # tables of one bot
LOCK = 22  # of what an owner's bots have at once, among PostgreSQL's advisory locks


MAY = frozenset(
    {
        "move",
        "notes",
        "orders",
        "resign",
        "call-off",
        "pause",
        "undo",
        "take-back",
        "come-back",
        "join",
        "leave",
        "here",
        "open-dice",
    }
    | {"decline", "start", "new-match", "accept-challenge", "rematch", "say", "mute", "hear", "notices", "read-calls"}
)
"""The pages' names of what a bot may do by the API; whatever else there is, or comes to be, is for people."""


class NoBots(Refused):
    """The table takes no bots of members."""

    status = 403
    sentence = gettext_lazy("This table takes no bots of members.")


class OwnBots(Refused):
    """A rated table at which somebody would meet their own bot, or two bots their owner's other one."""

    status = 403
    sentence = gettext_lazy("At a rated table nobody sits with a bot of their own, nor two bots of one member.")


class BotBusy(Refused):
    sentence = gettext_lazy("This bot, or all bots of its owner together, have as many matches as they may at once.")


def refuse_bots(user: User) -> None:
    """Refuse (BotsCannot) a bot what is for people."""
    if user.is_bot:
        raise BotsCannot


def check_program(user: User, page: str) -> None:
    """Refuse (BotsCannot) what a program does for a bot if it is for people; a hook of the API (API_CHECKS)."""
    if page not in MAY:
        refuse_bots(user)


def refuse_unfit(match: Match, user: User, seats: Sequence[Seat]) -> None:
    """Refuse a bot where none are taken (NoBots), and anybody who would meet their own at a rated table (OwnBots)."""
    if user.is_bot and not match.takes_bots:
        raise NoBots
    if match.rated and match.takes_bots:
        people = [user.pk, *(seat.user_id for seat in seats if seat.user_id and seat.user_id != user.pk)]
        if not are_apart(people):
            raise OwnBots


def are_apart(people: Sequence[int]) -> bool:
    """Return whether nobody of these is a bot of another, and no two are bots of one member."""
    return len(set(answering(people).values())) == len(people)


def take_place(user: User) -> None:
    """Refuse (BotBusy) a bot that has as many matches as it may; those of its owner count one after the other.

    In the transaction that seats it, after the match was locked and before any person is.
    """
    if not user.is_bot:
        return
    sql.hold(LOCK, user.owner_id or 0)
    seated = Seat.objects.filter(user__owner=user.owner_id, rank__isnull=True, bot="")
    numbers = list(seated.exclude(match__status=Match.Status.ENDED).values_list("user_id", flat=True))
    if len(numbers) >= MOST_OF_OWNER or numbers.count(user.pk) >= MOST_AT_ONCE:
        raise BotBusy


def obstacles(match: Match, host: User, guests: Iterable[User]) -> dict[int, str]:
    """Return why bots among these cannot be asked to a table, a sentence by id: none are taken, or it is the host's."""
    bots = [one for one in guests if one.is_bot]
    if not match.takes_bots:
        words = _("%(name)s is a bot, and this table takes no bots of members.")
        return {one.pk: words % {"name": one.username} for one in bots}
    words = _("%(name)s is your own bot: nobody plays rated matches with their own. Choose “Casual”.")
    return {one.pk: words % {"name": one.username} for one in bots if match.rated and one.owner_id == host.pk}
