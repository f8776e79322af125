"""Who is called by name in a talk and has not read it: what of it is told, and taken back by reading."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.queries import blocked_ids
from games.models import ChatLine, Match, Muted, Notice, Seat
from games.queries.play import Person, visible_to
from games.rules import get_game

MOST_LOOKED_AT = 100  # calls of which the newest of each match is shown


@dataclass(frozen=True)
class Call:
    """The last line that calls somebody at a match who has not read it."""

    line: int
    name: str
    match_id: int
    game: str


def open_to(reader: Person) -> QuerySet[ChatLine]:
    """Return the lines that this person may and wants to read now, in all talks.

    Not those that were hidden, nor of whom they muted or are kept apart from by a block; of the players'
    talk only where they sit or sat, of the watchers' where they do not, or after the end.
    """
    if reader.pk is None:
        return ChatLine.objects.none()
    seated = Exists(Seat.objects.filter(match=OuterRef("match"), user_id=reader.pk))
    among_players = Q(seated, channel=ChatLine.Channel.PLAYERS)
    among_watchers = Q(~seated | Q(match__status=Match.Status.ENDED), channel=ChatLine.Channel.WATCHERS)
    muted = Muted.objects.filter(user_id=reader.pk, person=OuterRef("user"))
    said = ChatLine.objects.filter(among_players | among_watchers, hidden=False, user__isnull=False)
    said = said.filter(~Exists(muted), match__in=visible_to(reader).values("pk"))
    return said.exclude(blocked_ids(reader.pk, "user_id"))


def still_calls(notice: Notice) -> bool:
    """Return whether the line of this notice is there to be read by whom it calls, and was not read yet."""
    return notice.unread and open_to(notice.user).filter(pk=notice.ask, match=notice.match_id).exists()


def lines_of(reader: Person, notices: Iterable[Notice]) -> list[ChatLine]:
    """Return the lines, oldest first, of these notices of mentions, as far as their reader may read them."""
    numbers = [notice.ask for notice in notices]
    return list(open_to(reader).filter(pk__in=numbers).select_related("user").order_by("pk"))


def unread(reader: Person, most: int) -> list[Call]:
    """Return who calls this person and was not read: the newest call of each match, up to `most`."""
    if reader.pk is None:
        return []
    numbers = Notice.objects.filter(user_id=reader.pk, unread=True).values("ask")
    columns = ("pk", "user__username", "match_id", "match__game_slug")
    found = open_to(reader).filter(pk__in=numbers).order_by("-pk").values_list(*columns)[:MOST_LOOKED_AT]
    newest: dict[int, Call] = {}
    for line, name, match_id, slug in found:
        newest.setdefault(match_id, Call(line, name, match_id, get_game(slug).name))
    return list(newest.values())[:most]


def read(*, user_id: int, match_id: int, last: int) -> None:
    """Take back what called this person at a match up to line number `last`, as they have it before them.

    What a mail has told, or is about to, stays as a record, and is no longer true: it is not sent any more.
    A page says it when it is looked at, as it does of turns: what is fetched alone may never be seen.
    """
    calls = Notice.objects.filter(user_id=user_id, match_id=match_id, unread=True, ask__lte=last)
    if not calls.exists():  # as nearly always: then nothing is written
        return
    with transaction.atomic():
        calls.filter(mail__isnull=True).delete()
        calls.update(unread=False)
