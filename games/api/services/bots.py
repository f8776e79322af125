"""What an owner does about a bot: makes it, gives it tokens, closes it."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import bots
from accounts.services.closing import close_account
from accounts.services.membership import NameTaken
from games.api.models import ApiToken, Scope
from games.api.services import tokens
from games.models import Match, Seat
from games.services.refusals import Invalid


def make(*, owner: User, name: str) -> User:
    """Make a bot of this member. Invalid."""
    try:
        return bots.make(owner=owner, name=name)
    except bots.NoBot as refusal:
        raise Invalid(str(refusal)) from refusal
    except NameTaken as refusal:
        raise Invalid(_("This name is taken, or too similar to one that is.")) from refusal


def new_token(*, owner: User, bot_id: int, name: str, writes: bool) -> tuple[ApiToken, str]:
    """Make a token of a member's bot, by which it writes in chats only if so. Invalid, also for another's bot."""
    bot = _own(owner, bot_id)
    scopes = [Scope.BOT, *([Scope.MESSAGE] if writes else [])]
    return tokens.issue(user=bot, name=name, scopes=scopes, ends_at=None)


def end_token(*, owner: User, bot_id: int, token_id: int) -> bool:
    """End a token of a member's bot; return whether there was one. Invalid for another's bot."""
    return tokens.end(user=_own(owner, bot_id), token_id=token_id)


def close(*, owner: User, bot_id: int) -> None:
    """Close a member's bot: its seats go on as those of closed accounts do. Invalid for another's, or a stopped one."""
    bot = _own(owner, bot_id)
    if not bot.is_active:  # or one more could take its place, under its name
        raise Invalid(_("This bot was stopped by a moderator: it stays one of yours, and is not closed."))
    close_account(user_id=bot.pk)


def lines(owner: User) -> list[dict[str, Any]]:
    """Return what its owner's page shows of each bot: how many matches it has, and its tokens."""
    own = list(owner.bots.order_by("pk"))
    sits = Seat.objects.filter(user__in=own, bot="").exclude(match__status=Match.Status.ENDED)
    seated = list(sits.values_list("user_id", flat=True))
    return [{"bot": bot, "matches": seated.count(bot.pk), "tokens": tokens.own(bot)} for bot in own]


def bot_data(user: User) -> dict[str, Iterable[Any]]:
    """Return a member's bots for the file of their data; a hook of accounts (DATA_EXPORTS)."""
    return {
        "bots": [
            {
                "name": line["bot"].username,
                "made_at": line["bot"].date_joined.isoformat(timespec="seconds"),
                "tokens": [_told(token) for token in line["tokens"]],
            }
            for line in lines(user)
        ]
    }


def _told(token: ApiToken) -> dict[str, Any]:
    used = token.used_at.isoformat(timespec="seconds") if token.used_at else None
    made = token.created_at.isoformat(timespec="seconds")
    return {"name": token.name, "scopes": token.scopes, "made_at": made, "used_at": used}


def _own(owner: User, bot_id: int) -> User:
    bot = bots.own(owner, bot_id)
    if bot is None:
        raise Invalid(_("You have no such bot, or not any more."))
    return bot
