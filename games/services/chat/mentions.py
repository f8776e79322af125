"""What a person has not read yet in the chats: lines, and mentions; and marking them as read."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.queries import blocked_among, blocked_ids
from games.models import ChatLine, Invitation, Kind, Match, Muted, Notice, Seat
from games.queries.play import Person, shared_with
from games.rules import name_of
from games.services.mail.notices import note

_SPOKEN_SINCE = """SELECT id FROM games_seat WHERE user_id = %%s AND match_id IN (%s) AND EXISTS (
    SELECT 1 FROM games_chatline AS line WHERE line.match_id = games_seat.match_id AND line.id > chat_seen)"""
MOST_LOOKED_AT = 100  # of which the latest of each match is shown


@dataclass(frozen=True)
class UnreadMention:
    """The latest unread mention of a person at a match."""

    line: int
    name: str
    match_id: int
    game: str


def open_to(reader: Person) -> QuerySet[ChatLine]:
    """Return the lines in all chats that this person may and wants to read now.

    Not hidden ones, nor those of people they muted or a block separates from them; the players' chat only
    where they sit, sat or are invited, the watchers' elsewhere, or after the end.
    """
    if reader.pk is None:
        return ChatLine.objects.none()
    seated = Exists(Seat.objects.filter(match=OuterRef("match"), user_id=reader.pk))
    invited = Exists(Invitation.objects.filter(match=OuterRef("match"), user_id=reader.pk, declined=False))
    playing = seated | (invited & Q(match__status=Match.Status.OPEN))
    among_players = Q(playing, channel=ChatLine.Channel.PLAYERS)
    among_watchers = Q(~playing | Q(match__status=Match.Status.ENDED), channel=ChatLine.Channel.WATCHERS)
    muted = Muted.objects.filter(user_id=reader.pk, person=OuterRef("user"))
    said = ChatLine.objects.filter(among_players | among_watchers, hidden=False, user__isnull=False)
    asked = invited & ~Q(match__access=Match.Access.CLUB)
    visible = shared_with(reader, "match__") | seated | asked  # `queries.play.visible_to`
    said = said.filter(visible, ~Exists(muted))
    return said.exclude(blocked_ids(reader.pk, "user_id"))


def is_unread_mention(notice: Notice) -> bool:
    """Return whether this notice's line can still be read by its reader, and is unread."""
    return notice.unread and open_to(notice.user).filter(pk=notice.ask, match=notice.match_id).exists()


def mention_lines(reader: Person, notices: Iterable[Notice]) -> list[ChatLine]:
    """Return the lines of these notices of mentions, oldest first, as far as their reader may read them."""
    numbers = [notice.ask for notice in notices]
    return list(open_to(reader).filter(pk__in=numbers).select_related("user").order_by("pk"))


def unread(reader: Person, most: int) -> list[UnreadMention]:
    """Return the person's unread mentions: the latest of each match, up to `most`."""
    if reader.pk is None:
        return []
    notices = Notice.objects.filter(user_id=reader.pk, unread=True)
    if not notices.exists():  # nearly always: what is open to them need not be asked
        return []
    numbers = notices.values("ask")
    columns = ("pk", "user__username", "match_id", "match__game_slug")
    found = open_to(reader).filter(pk__in=numbers).order_by("-pk").values_list(*columns)[:MOST_LOOKED_AT]
    newest: dict[int, UnreadMention] = {}
    for line, name, match_id, slug in found:
        newest.setdefault(match_id, UnreadMention(line, name, match_id, name_of(slug)))
    return list(newest.values())[:most]


def with_news(reader: Person, match_ids: Iterable[int]) -> set[int]:
    """Return those of these matches in whose players' chat the person has lines to read.

    Which are open to them is asked only where any line has come since they looked: nearly always nowhere.
    """
    asked = list(match_ids)
    if reader.pk is None or not asked:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(_SPOKEN_SINCE % ", ".join(["%s"] * len(asked)), [reader.pk, *asked])
        numbers = [number for (number,) in cursor.fetchall()]
    if not numbers:
        return set()
    fresh = open_to(reader).filter(match=OuterRef("match"), channel=ChatLine.Channel.PLAYERS)
    fresh = fresh.filter(pk__gt=OuterRef("chat_seen")).exclude(user_id=reader.pk)
    return set(Seat.objects.filter(Exists(fresh), pk__in=numbers).values_list("match_id", flat=True))


def note_talk(match: Match, line: ChatLine, *, apart: Iterable[int]) -> None:
    """Note a line among the players for those who want to hear of talk, once until they have read it.

    Not for these people, nor for who muted or is kept apart from its writer.
    """
    told = Notice.objects.filter(match=match, kind=Kind.SAID, user=OuterRef("user"), ask__gt=OuterRef("chat_seen"))
    deaf = Muted.objects.filter(person=line.user).values("user")
    seats = Seat.objects.filter(match=match, user__chat_mails=True).exclude(user__in=apart)
    seats = seats.exclude(Exists(told)).exclude(user__in=deaf)
    hearers = {number for number in seats.values_list("user_id", flat=True) if number}
    note(match, Kind.SAID, sorted(hearers - blocked_among(line.user_id or 0, hearers)), ask=line.pk)


def mark_read(*, user_id: int, match_id: int, last: int) -> None:
    """Mark a match's chat as read up to line `last`; mentions up to there are not mailed any more."""
    is_line = Exists(ChatLine.objects.filter(pk=last, match_id=match_id))
    own = Seat.objects.filter(is_line, user_id=user_id, match_id=match_id, chat_seen__lt=last)
    if own.exists():
        own.update(chat_seen=last)
    calls = Notice.objects.filter(user_id=user_id, match_id=match_id, unread=True, ask__lte=last)
    if not calls.exists():  # nearly always: nothing is written
        return
    with transaction.atomic():
        calls.filter(mail__isnull=True).delete()
        calls.update(unread=False)
