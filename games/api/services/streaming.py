"""What streams have told, compared with how things are; what differs becomes events (spec: streams.md)."""

from collections.abc import Collection, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import F, Max
from django.db.models.functions import Greatest

from accounts.models import User
from config.lib import clock
from config.lib.sockets import ring
from config.lib.steps import STEP
from games.api.models import ApiToken, Scope, Stream, StreamEvent
from games.api.services import tokens
from games.api.services.concerns import changed, concerns, over
from games.api.services.tokens import stream_group
from games.models import ChatLine
from games.services.chat import mentions

KEPT = timedelta(hours=24)  # of what is over, and of a stream without a connection
MOST_OVER = 1000  # events of one stream about what is over
TRIM_EVERY = 200  # events between two looks whether there are more
SLACK = timedelta(seconds=60)  # within which whatever was begun has been stored, whatever its number

Kind = StreamEvent.Kind
NAMED = 2  # the mark of a line of chat that names the member


@dataclass(frozen=True)
class Taken:
    """A stream as a connection takes it: it has told up to `number`; whoever came with less than all reads anew."""

    number: int
    reset: bool
    line: int
    since: datetime  # of matches that ended before, nothing is told


def take(token_id: int, holder: str, after: int | None) -> Taken | None:
    """Have this connection hold the token's stream, in place of an earlier one; None if the token has gone."""
    with transaction.atomic():
        if not ApiToken.objects.select_for_update(no_key=True).filter(pk=token_id).exists():
            return None
        now = clock.now()
        stream = Stream.objects.filter(pk=token_id).first()
        since = max(stream.seen_at, now - KEPT) - SLACK if stream is not None else now
        if stream is None:
            last = ChatLine.objects.aggregate(last=Max("pk"))["last"] or 0
            begin = clock.now_ms()
            stream = Stream(token_id=token_id, number=begin, kept_from=begin, line=last)
        stream.holder, stream.seen_at = holder, now
        stream.save()
    ring((stream_group(token_id), {"type": "stream.replaced", "holder": holder}))
    reset = after is None or not stream.kept_from <= after <= stream.number
    return Taken(stream.number, reset, stream.line, since)


@dataclass(frozen=True)
class Standing:
    """Whether a token may still be told anything: how its stream stands, and whose it is."""

    number: int
    holder: str
    user: User
    is_over: bool
    may_read: bool


def standing(token_ids: Collection[int]) -> dict[int, Standing]:
    """Return how these streams stand, by token; not those whose token or member is no more."""
    found = Stream.objects.filter(pk__in=token_ids, token__user__is_active=True).select_related("token__user")
    return {
        one.pk: Standing(one.number, one.holder, one.token.user, tokens.is_over(one.token), reads(one.token.scopes))
        for one in found
    }


def reads(scopes: Collection[str]) -> bool:
    """Return whether a token of these scopes may read."""
    return Scope.READ in scopes or Scope.BOT in scopes


@dataclass
class Look:
    """What is to be looked at: of these streams everything, or these matches alone; ended ones and lines since when."""

    token_ids: list[int]
    since: datetime
    line: int
    matches: list[int] = field(default_factory=list)  # none: all

    def rows(self, statement: "Statement") -> list[tuple[Any, ...]]:
        """Return what a statement finds for these streams and matches."""
        if self.matches and not statement.match:
            return []
        of, given = f"stream.token_id IN ({_marks(self.token_ids)})", list[Any](self.token_ids)
        if self.matches:
            of += f" AND {statement.match} IN ({_marks(self.matches)})"
            given += self.matches
        adapted = {"since": connection.ops.adapt_datetimefield_value(self.since), "line": self.line}
        with connection.cursor() as cursor:
            cursor.execute(statement.text.replace("{of}", of), given + [adapted[name] for name in statement.given])
            return list(cursor.fetchall())


def _marks(values: Sized) -> str:
    return ", ".join(["%s"] * len(values))


class Statement(NamedTuple):
    """A comparison: what it is about, where its match's number stands ("" without one), its text, its values."""

    kind: str
    match: str
    text: str
    given: tuple[str, ...] = ()


_OF = "FROM api_stream stream JOIN api_apitoken token ON token.id = stream.token_id"
_TOLD = "LEFT JOIN api_streamevent told ON told.stream_id = stream.token_id AND told.kind ="

# Matches that were told of, and are another version now; 0 is that of one where the member has no seat any more.
_CHANGED = f"""
    SELECT stream.token_id, told.subject, CASE WHEN seat.id IS NULL THEN 0 ELSE game.version END,
        seat.id IS NULL OR game.status = 'ended'
    {_OF} JOIN api_streamevent told ON told.stream_id = stream.token_id AND told.kind = 'match'
    LEFT JOIN games_match game ON game.id = told.subject
    LEFT JOIN games_seat seat ON seat.match_id = told.subject AND seat.user_id = token.user_id
    WHERE {{of}} AND told.mark <> CASE WHEN seat.id IS NULL THEN 0 ELSE game.version END"""
# Matches that were not told of yet: those that go on have no ranks.
_NEW = f"""
    SELECT stream.token_id, seat.match_id, game.version, FALSE
    {_OF} JOIN games_seat seat ON seat.user_id = token.user_id AND seat.rank IS NULL
    JOIN games_match game ON game.id = seat.match_id AND game.status <> 'ended'
    {_TOLD} 'match' AND told.subject = seat.match_id
    WHERE {{of}} AND told.id IS NULL"""
# These begin with the few that are new (CROSS JOIN: SQLite takes them in this order), not with all of a member's seats.
_ENDED = f"""
    SELECT stream.token_id, seat.match_id, game.version, TRUE
    FROM games_match game CROSS JOIN games_seat seat CROSS JOIN api_apitoken token CROSS JOIN api_stream stream
    {_TOLD} 'match' AND told.subject = seat.match_id
    WHERE seat.match_id = game.id AND token.user_id = seat.user_id AND stream.token_id = token.id
    AND {{of}} AND told.id IS NULL AND game.status = 'ended' AND NOT game.archived AND game.ended_at > %s"""  # noqa: S608 (nothing of it is given)
_SAID = f"""
    SELECT stream.token_id, line.id, 1, TRUE
    FROM games_chatline line CROSS JOIN games_seat seat CROSS JOIN api_apitoken token CROSS JOIN api_stream stream
    {_TOLD} 'line' AND told.subject = line.id
    WHERE seat.match_id = line.match_id AND token.user_id = seat.user_id AND stream.token_id = token.id
    AND {{of}} AND told.id IS NULL AND line.id > stream.line AND line.id > %s"""  # noqa: S608 (likewise)
_INVITED = f"""
    SELECT stream.token_id, invitation.match_id, 1, FALSE
    {_OF} JOIN games_invitation invitation ON invitation.user_id = token.user_id AND NOT invitation.declined
    JOIN games_match game ON game.id = invitation.match_id AND game.status = 'open'
    {_TOLD} 'invitation' AND told.subject = invitation.match_id
    WHERE {{of}} AND (told.id IS NULL OR told.mark = 0)"""
_INVITED_NO_MORE = f"""
    SELECT stream.token_id, told.subject, 0, TRUE
    {_OF} JOIN api_streamevent told ON told.stream_id = stream.token_id AND told.kind = 'invitation' AND told.mark <> 0
    WHERE {{of}} AND NOT EXISTS (
        SELECT 1 FROM games_invitation invitation JOIN games_match game ON game.id = invitation.match_id
        WHERE invitation.match_id = told.subject AND invitation.user_id = token.user_id
        AND NOT invitation.declined AND game.status = 'open')"""  # noqa: S608 (likewise)
_NAMED = f"""
    SELECT stream.token_id, notice.ask, {NAMED}, TRUE
    {_OF} JOIN games_notice notice ON notice.user_id = token.user_id AND notice.kind = 'mentioned' AND notice.unread
    {_TOLD} 'line' AND told.subject = notice.ask
    WHERE {{of}} AND told.id IS NULL AND notice.ask > stream.line AND notice.ask > %s"""

STATEMENTS = (
    Statement(Kind.INVITATION, "told.subject", _INVITED_NO_MORE),
    Statement(Kind.INVITATION, "invitation.match_id", _INVITED),
    Statement(Kind.MATCH, "told.subject", _CHANGED),
    Statement(Kind.MATCH, "seat.match_id", _NEW),
    Statement(Kind.MATCH, "seat.match_id", _ENDED, ("since",)),
    Statement(Kind.LINE, "line.match_id", _SAID, ("line",)),
    Statement(Kind.LINE, "notice.match_id", _NAMED, ("line",)),
)


@cache
def _of_concerns() -> list[Statement]:
    """Return the comparisons of what other apps have streams tell."""
    return [Statement(one.kind, "", text(one)) for one in concerns().values() for text in (over, changed)]


Subject = tuple[str, int]
Found = dict[int, dict[Subject, tuple[int, bool]]]
"""What differs, by token, then by subject: the mark to tell, and whether it is over."""


def differences(look: Look) -> Found:
    """Return what these streams have not told as it is now; of lines of chat those that the member may read."""
    found: Found = {}
    for statement in (*STATEMENTS, *_of_concerns()):
        for token_id, subject, mark, is_over in look.rows(statement):
            of_one, about = found.setdefault(token_id, {}), (statement.kind, subject)
            of_one[about] = max(of_one.get(about, (0, False))[0], mark), bool(is_over)
    for token_id, of_one in list(found.items()):
        lines = {subject for kind, subject in of_one if kind == Kind.LINE}
        for subject in lines - _readable(token_id, lines) if lines else ():
            del of_one[Kind.LINE, subject]
        if not of_one:
            del found[token_id]
    return found


def _readable(token_id: int, lines: set[int]) -> set[int]:
    reader = User.objects.filter(api_tokens=token_id).first()
    if reader is None:
        return set()
    return set(mentions.open_to(reader).filter(pk__in=lines).values_list("pk", flat=True))


def write(look: Look, *, sure: bool = False) -> dict[int, list[StreamEvent]]:
    """Write events for what differs; return them by token. `sure`: something does, most likely.

    Two processes may do so for one stream: its row is locked, and what the other wrote differs no more.
    """
    if not sure:
        look.token_ids = sorted(differences(look))
    if not look.token_ids:
        return {}
    with transaction.atomic():
        rows = Stream.objects.select_for_update(no_key=True).filter(pk__in=look.token_ids).order_by("pk")
        streams = {stream.pk: stream for stream in rows}
        look.token_ids = list(streams)
        found = differences(look) if streams else {}
        written = {token_id: _events(streams[token_id], subjects) for token_id, subjects in found.items()}
        _save([streams[token_id] for token_id in written], [event for events in written.values() for event in events])
    return written


# Raw SQL, once for each event: of one, Django's bulk methods take longer than all else (decision 0003).
_SAVE_EVENT = """
    INSERT INTO api_streamevent (stream_id, kind, subject, number, mark, "over", at) VALUES (%s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (stream_id, kind, subject)
    DO UPDATE SET number = excluded.number, mark = excluded.mark, "over" = excluded."over", at = excluded.at"""
_SAVE_STREAM = "UPDATE api_stream SET number = %s, kept_from = %s, line = %s WHERE token_id = %s"


def _save(streams: Sequence[Stream], events: Sequence[StreamEvent]) -> None:
    adapt = connection.ops.adapt_datetimefield_value
    with connection.cursor() as cursor:
        cursor.executemany(
            _SAVE_EVENT,
            [
                (one.stream_id, str(one.kind), one.subject, one.number, one.mark, one.over, adapt(one.at))
                for one in events
            ],
        )
        cursor.executemany(_SAVE_STREAM, [(one.number, one.kept_from, one.line, one.pk) for one in streams])


def _events(stream: Stream, subjects: Mapping[Subject, tuple[int, bool]]) -> list[StreamEvent]:
    """Return the events of one stream, numbered, matches before what is said at them; of lines the last ones alone."""
    order: list[str] = [Kind.INVITATION, Kind.MATCH, *concerns(), Kind.LINE]
    in_order = sorted(subjects, key=lambda subject: (order.index(subject[0]), subject[1]))
    lines = [subject for subject in in_order if subject[0] == Kind.LINE]
    if too_many := lines[:-MOST_OVER]:
        stream.number += 1
        stream.kept_from, stream.line = stream.number, too_many[-1][1]  # whoever goes on reads anew
        in_order = [subject for subject in in_order if subject not in set(too_many)]
    begin, at, events = stream.number, clock.now(), []
    for kind, subject in in_order:
        stream.number += 1
        mark, is_over = subjects[kind, subject]
        event = StreamEvent(stream=stream, kind=kind, subject=subject, number=stream.number, mark=mark, over=is_over)
        event.at = at
        events.append(event)
    if begin // TRIM_EVERY != stream.number // TRIM_EVERY:
        _trim(stream)
    return events


def _trim(stream: Stream) -> None:
    """Delete the oldest events about what is over, if there are too many; the stream's row is locked, and saved."""
    ended = StreamEvent.objects.filter(stream=stream, over=True).order_by("-number")
    last = ended.values_list("number", flat=True)[MOST_OVER : MOST_OVER + 1].first()
    if last is not None:
        stream.kept_from = max(stream.kept_from, last)
        gone = ended.filter(number__lte=last)
        lines = gone.filter(kind=Kind.LINE).aggregate(last=Max("subject"))["last"]
        stream.line = max(stream.line, lines or 0)  # else they would be told again
        gone.delete()


def settle(token_ids: Collection[int], line: int) -> int:
    """Note that these streams have a connection, and which lines of chat need not be looked at again; return that.

    Numbers are given out before lines are stored: the last minute's are looked at again.
    """
    old = ChatLine.objects.filter(pk__gt=line, at__lt=clock.now() - SLACK).aggregate(last=Max("pk"))["last"]
    settled: int = max(line, old or 0)
    Stream.objects.filter(pk__in=token_ids).update(line=Greatest(F("line"), settled), seen_at=clock.now())
    return settled


def current_matches(token_id: int, most: int) -> list[int]:
    """Return the matches of a stream that go on: those that changed last, up to `most`."""
    rows = StreamEvent.objects.filter(stream=token_id, kind=Kind.MATCH, over=False).order_by("-number")
    return list(rows.values_list("subject", flat=True)[:most])


def after(token_id: int, number: int, *, current_until: int, most: int) -> list[StreamEvent]:
    """Return the next events after a number; up to `current_until` of what is not over alone."""
    events = StreamEvent.objects.filter(stream=token_id, number__gt=number)
    if number < current_until:
        events = events.exclude(over=True, number__lte=current_until)
    return list(events.order_by("number")[:most])


def forget_old() -> int:
    """Delete streams without a connection for a day, and events about what has been over for as long; return how many.

    Of matches that go on the last event stays: it says which version was told.
    """
    before = clock.now() - KEPT
    gone = 0
    for stream_id in Stream.objects.filter(seen_at__lt=before).values_list("pk", flat=True)[:STEP]:
        gone += Stream.objects.filter(pk=stream_id, seen_at__lt=before).delete()[0]
    old = StreamEvent.objects.filter(over=True, at__lt=before)
    for stream_id in old.order_by().values_list("stream_id", flat=True).distinct()[:STEP]:
        gone += _forget(stream_id, before)
    return gone


def _forget(stream_id: int, before: datetime) -> int:
    with transaction.atomic():
        stream = Stream.objects.select_for_update(no_key=True).filter(pk=stream_id).first()
        if stream is None:
            return 0
        old = StreamEvent.objects.filter(stream=stream, over=True, at__lt=before)
        last = old.aggregate(last=Max("number"))["last"]
        if last is not None and last > stream.kept_from:
            Stream.objects.filter(pk=stream_id).update(kept_from=last)
        return old.delete()[0]
