"""The chat of a match, and what all chats share: who may write, what mentions do, and muting."""

import re
from collections.abc import Iterator

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names import normalise
from accounts.queries import blocked_among
from config.lib import sql
from config.lib.formats import number
from config.lib.texts import clean_text
from games import broadcast
from games.models import LONGEST_LINE, ChatLine, Kind, Match, Muted, Seat
from games.queries.play import has_players_chat
from games.services import hooks
from games.services.chat import mentions
from games.services.mail.notices import note
from games.services.refusals import CannotWrite, Invalid

BLANK = "\u00ad\u115f\u1160\u2800\u3164\uffa0"  # invisible, but not white space
MENTION = re.compile(r"(?<![\w@.-])@([\w-]{3,24})")
CALL = re.compile(r"(?<![\w@./-])@([\w-]{3,24})")  # not in an address, even one that is written without https
_LINK = re.compile(r"https?://[^\s<>\"“”«»]+", re.I)
_AFTER = ".,;:!?)]}'’"  # ends a sentence, not an address


def channel_of(match: Match, seats: list[Seat], user_id: int | None) -> ChatLine.Channel:
    """Return the person's channel: the players' for who plays, played or is invited, else the watchers'."""
    among = has_players_chat(match, seats, user_id)
    return ChatLine.Channel.PLAYERS if among else ChatLine.Channel.WATCHERS


def say(*, match: Match, seats: list[Seat], user: User, text: str) -> ChatLine:
    """Write a line at a match that this person may see; notify who is mentioned.

    Invalid, CannotWrite; User.DoesNotExist when the account was closed at this moment.
    """
    text = checked(text)
    check_writer(match=match, seats=seats, user=user)
    channel = channel_of(match, seats, user.pk)
    with transaction.atomic():
        if not sql.kept(User, [user.pk]):  # before their seat, as who closes the account has it
            raise User.DoesNotExist
        line = ChatLine.objects.create(match=match, channel=channel, user=user, text=text)
        mentioned = set(mentioned_people(match, seats, channel, text).values()) - {user.pk}
        deaf = Muted.objects.filter(person=user, user_id__in=mentioned).values_list("user_id", flat=True)
        called = sorted(mentioned - set(deaf) - blocked_among(user.pk, mentioned))
        note(match, Kind.MENTIONED, called, ask=line.pk)
        if channel == ChatLine.Channel.PLAYERS:
            mentions.note_talk(match, line, apart={user.pk, *called})
        mentions.mark_read(user_id=user.pk, match_id=match.pk, last=line.pk)  # who writes has read
        broadcast.chat_changed(match.pk, mentioned=called)
    return line


def checked(text: str) -> str:
    """Return a line as it is stored. Invalid when it is empty or too long."""
    text = clean_text(text)
    if not text.strip(BLANK):
        raise Invalid(_("Write something first."))
    if len(text) > LONGEST_LINE:
        most = number(LONGEST_LINE)
        raise Invalid(_("A line has at most %(most)s characters; nothing was sent.") % {"most": most})
    return text


def check_writer(*, match: Match, seats: list[Seat], user: User) -> None:
    """Refuse (CannotWrite) guests, the unconfirmed, and whom ON_WRITING refuses.

    So it does a watcher blocked by or from a player, and a player when that holds for all others.
    """
    check_known(user)
    players = {seat.user_id for seat in seats if seat.user_id}
    others = players - {user.pk}
    apart = blocked_among(user.pk, others)
    if apart and user.pk not in players:
        raise CannotWrite(_("You and somebody who plays here are kept apart: you cannot write to them."))
    if apart and apart == others:
        raise CannotWrite(_("You and your opponent are kept apart: you cannot write to each other."))
    hooks.check_writing(match, user)


def check_known(user: User) -> None:
    """Refuse (CannotWrite) guests and the unconfirmed."""
    if user.is_guest:
        raise CannotWrite(_("Guests can only read. Sign up to write; your matches stay yours."))
    if not user.is_confirmed:
        raise CannotWrite(_("Confirm your e-mail address to write here: the mail we sent you has the link."))


def parts_of(text: str) -> Iterator[tuple[str, bool]]:
    """Return the parts of a text in order, each with whether it is a link."""
    place = 0
    for link in _LINK.finditer(text):
        address = link.group().rstrip(_AFTER)
        yield text[place : link.start()], False
        yield address, True
        place = link.start() + len(address)
    yield text[place:], False


def called_in(text: str) -> set[str]:
    """Return the lower-case names that a text calls by @, outside of links."""
    words = "\n".join(part for part, is_link in parts_of(text) if not is_link)
    return {normalise(name).casefold() for name in CALL.findall(words)}


def mentioned_people(match: Match, seats: list[Seat], channel: str, text: str) -> dict[str, int]:
    """Return by lower-case name the participants of the channel whom a text mentions."""
    names = called_in(text)
    if not names:
        return {}
    if channel == ChatLine.Channel.PLAYERS:
        known = [(seat.username or "", seat.user_id) for seat in seats if seat.user_id]
        known += match.invitations.filter(declined=False).values_list("user__username", "user_id")
    else:
        wrote = ChatLine.objects.filter(match=match, channel=channel, user__isnull=False)
        known = list(wrote.values_list("user__username", "user_id").distinct())
    return {name.casefold(): number for name, number in known if number and name.casefold() in names}


def mute(*, user: User, line: ChatLine, wish: bool) -> None:
    """Mute this line's writer for this person, or undo that."""
    if line.user_id is None or line.user_id == user.pk:
        raise Invalid(_("There is nobody to mute here."))
    if wish:
        with transaction.atomic():
            if not sql.kept(User, [line.user_id]):
                raise Invalid(_("There is nobody to mute here."))
            Muted.objects.get_or_create(user=user, person_id=line.user_id)
    else:
        Muted.objects.filter(user=user, person_id=line.user_id).delete()


def muted_by(user: User) -> QuerySet[Muted]:
    """Return whom this member has muted, ordered by name."""
    return Muted.objects.filter(user=user).select_related("person").order_by("person__username")


def unmute(*, user: User, name: str) -> bool:
    """Unmute the person of that name; return whether they were muted."""
    return bool(Muted.objects.filter(user=user, person__username=name.replace("\0", "")).delete()[0])
