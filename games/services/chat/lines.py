"""What is said at a match: who may write where, and whom a person does not want to read."""

import re

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names import normalise
from accounts.queries import blocked_among
from config.lib.texts import clean_text
from games import broadcast
from games.models import LONGEST_LINE, ChatLine, Kind, Match, Muted, Seat
from games.services import hooks
from games.services.chat import mentions
from games.services.mail.notices import note
from games.services.refusals import CannotWrite, Invalid

BLANK = "\u00ad\u115f\u1160\u2800\u3164\uffa0"  # looks like nothing, and is no space by name
MENTION = re.compile(r"(?<![\w@.-])@([\w-]{3,24})")


def channel_of(seats: list[Seat], user_id: int | None) -> ChatLine.Channel:
    """Return where this person talks: who sits or sat there among the players, else with the watchers."""
    seated = user_id is not None and any(seat.user_id == user_id for seat in seats)
    return ChatLine.Channel.PLAYERS if seated else ChatLine.Channel.WATCHERS


def say(*, match: Match, seats: list[Seat], user: User, text: str) -> ChatLine:
    """Write a line at a match that this person may see; ring its pages, ring and note who is mentioned.

    BadTable for nothing, or for too much; CannotWrite as `check_writer` says.
    """
    text = clean_text(text)
    if not text.strip(BLANK):
        raise Invalid(_("Write something first."))
    if len(text) > LONGEST_LINE:
        raise Invalid(_("A line has at most 1,000 characters; nothing was sent."))
    check_writer(match=match, seats=seats, user=user)
    channel = channel_of(seats, user.pk)
    with transaction.atomic():
        line = ChatLine.objects.create(match=match, channel=channel, user=user, text=text)
        mentioned = set(people_of(match, seats, channel, text).values()) - {user.pk}
        deaf = Muted.objects.filter(person=user, user_id__in=mentioned).values_list("user_id", flat=True)
        called = sorted(mentioned - set(deaf) - blocked_among(user.pk, mentioned))
        note(match, Kind.MENTIONED, called, ask=line.pk)
        mentions.read(user_id=user.pk, match_id=match.pk, last=line.pk)  # who answers has read
        broadcast.chat_changed(match.pk, mentioned=called)
    return line


def check_writer(*, match: Match, seats: list[Seat], user: User) -> None:
    """Refuse (CannotWrite) who may not write at a match: guests, the unconfirmed, whom ON_WRITING refuses.

    Between two who are kept apart by a block no line passes. At a table of more, either may write to the
    others; where nobody would be left to read it, and at matches that one only watches, neither may.
    """
    if user.is_guest:
        raise CannotWrite(_("Guests read along. Sign up to write; your matches stay yours."))
    if not user.is_confirmed:
        raise CannotWrite(_("Confirm your e-mail address to write here: the mail we sent you has the link."))
    others = {seat.user_id for seat in seats if seat.user_id} - {user.pk}
    apart = blocked_among(user.pk, others)
    if apart and channel_of(seats, user.pk) == ChatLine.Channel.WATCHERS:
        raise CannotWrite(_("You and somebody who plays here are kept apart: you cannot write to them."))
    if apart and apart == others:
        raise CannotWrite(_("You and your opponent are kept apart: you cannot write to each other."))
    hooks.writing(match, user)


def people_of(match: Match, seats: list[Seat], channel: str, text: str) -> dict[str, int]:
    """Return the people whom a text mentions, by their name in small letters.

    Only who takes part can be mentioned: players among players; among watchers those who wrote there.
    """
    names = {normalise(name).casefold() for name in MENTION.findall(text)}
    if not names:
        return {}
    if channel == ChatLine.Channel.PLAYERS:
        known = [(seat.username or "", seat.user_id) for seat in seats if seat.user_id]
    else:
        wrote = ChatLine.objects.filter(match=match, channel=channel, user__isnull=False)
        known = list(wrote.values_list("user__username", "user_id").distinct())
    return {name.casefold(): number for name, number in known if number and name.casefold() in names}


def mute(*, user: User, line: ChatLine, wish: bool) -> None:
    """Keep from now on, or no longer keep, the lines of this line's writer from this person's eyes."""
    if line.user_id is None or line.user_id == user.pk:
        raise Invalid(_("There is nobody to mute here."))
    if wish:
        Muted.objects.get_or_create(user=user, person_id=line.user_id)
    else:
        Muted.objects.filter(user=user, person_id=line.user_id).delete()


def muted_by(user: User) -> QuerySet[Muted]:
    """Return whom this member has muted, by name."""
    return Muted.objects.filter(user=user).select_related("person").order_by("person__username")


def hear(*, user: User, name: str) -> bool:
    """Let this member read again what somebody of that name writes; return whether they were muted."""
    return bool(Muted.objects.filter(user=user, person__username=name.replace("\0", "")).delete()[0])
