"""A member's bots: accounts without password, address or session, which play by the API alone.

What a bot may and may not: spec: bots.md.
"""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts import names
from accounts.models import User
from accounts.services.membership import NameTaken, name_is_taken
from accounts.services.relationships import take_over_blocks

MOST = 3  # bots of one member


class NoBot(Exception):
    """No bot was made; the words say why."""


def make(*, owner: User, name: str) -> User:
    """Make a bot of this member, called so with "-bot" behind it. NoBot, NameTaken.

    The owner's row is locked: two requests at once make no bot too many, and a block of this moment is not missed.
    """
    try:
        whole = names.bot_name(name)
    except ValidationError as error:
        raise NoBot(" ".join(error.messages)) from error
    try:
        with transaction.atomic():
            member = User.objects.select_for_update().get(pk=owner.pk)
            if not member.is_confirmed or member.is_bot or not member.is_active:
                raise NoBot(_("Bots are for members with a confirmed e-mail address. Confirm yours in your settings."))
            if member.bots.count() >= MOST:
                raise NoBot(_("You have as many bots as you may. Close one first."))
            if name_is_taken(whole):
                raise NameTaken(whole)
            bot = User(username=whole, owner=member, language=member.language, vacation_by_itself=False)
            bot.set_unusable_password()
            bot.save()
            take_over_blocks(bot, member)
    except IntegrityError as error:
        raise NameTaken(whole) from error
    return bot


def own(owner: User, bot_id: int) -> User | None:
    """Return this bot of a member; None for what is none of theirs."""
    return User.objects.filter(owner=owner, pk=bot_id).first()
