"""One round of a web server's streams, in a thread: who may still be told, what there is to tell, and it drawn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import structlog
from django.db import DatabaseError

from accounts.models import User
from games.api.models import StreamEvent
from games.api.services import streaming
from games.api.services.streaming import Kind, Look, Standing
from games.api.streams.drawing import Drawing, Frame, Manner

AT_ONCE = 60  # events that are drawn in one round
OF_ONE = 20  # of them, of one stream
HEARD = 100  # matches whose rings one stream hears

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Reader:
    """A stream as it stands when a round begins."""

    token_id: int
    holder: str
    manner: Manner
    sent: int  # the last event that was sent
    current_until: int = 0  # of events up to this one, what is over is not sent: the program reads anew
    takes_more: bool = True  # it has read what was sent
    begins: bool = False  # nothing was compared for it yet


@dataclass
class Outcome:
    """What a round brought one stream: why it ends, or what to send; which matches it is to hear of."""

    end: str = ""
    frames: list[Frame] = field(default_factory=list)
    hears: list[int] = field(default_factory=list)
    over: list[int] = field(default_factory=list)  # and of which no longer
    sent: int = 0  # up to which event all is sent by these
    is_behind: bool = False  # there is more to send


def go_round(readers: Sequence[Reader], looks: Iterable[tuple[Look, bool]]) -> list[Outcome]:
    """Compare what `looks` name (and whether something differs, most likely), and draw what is to be sent."""
    standing = streaming.standing([reader.token_id for reader in readers])
    ends = [why_not(reader, standing.get(reader.token_id)) for reader in readers]
    good = {reader.token_id for reader, end in zip(readers, ends, strict=True) if not end}
    written: dict[int, list[StreamEvent]] = {}
    for look, sure in looks:
        look.token_ids = sorted(good.intersection(look.token_ids))
        for token_id, events in streaming.write(look, sure=sure).items():
            written.setdefault(token_id, []).extend(events)
    batches = _batches(readers, ends, standing, written)
    drawing, outcomes = Drawing(), []
    for reader, end in zip(readers, ends, strict=True):
        outcome, batch = Outcome(end, sent=reader.sent), batches.get(reader.token_id)
        if batch is not None:
            outcome.is_behind = batch.is_behind
            _draw(outcome, drawing, reader, standing[reader.token_id].user, batch)
        if reader.begins and not end:
            outcome.hears = streaming.current_matches(reader.token_id, HEARD)
        elif fresh := written.get(reader.token_id):
            outcome.hears = [event.subject for event in fresh if event.kind == Kind.MATCH and not event.over][:HEARD]
            outcome.over = [event.subject for event in fresh if event.kind == Kind.MATCH and event.over]
        outcomes.append(outcome)
    return outcomes


def _draw(outcome: Outcome, drawing: Drawing, reader: Reader, user: User, batch: "Batch") -> None:
    try:
        outcome.frames, outcome.sent = drawing.frames(user, reader.manner, batch.events), batch.until
    except DatabaseError:
        raise
    except Exception:  # of one stream: the others are told
        log.exception("a stream could not be told")
        outcome.end = "come_again"


def why_not(reader: Reader, standing: Standing | None) -> str:
    """Return the code of why this connection may be told nothing more; empty if it may."""
    if standing is None:
        return "token_unknown"
    if standing.is_over:
        return "token_ended"
    if not standing.may_read:
        return "scope_missing"
    return "replaced" if standing.holder != reader.holder else ""


@dataclass
class Batch:
    """The next events of a stream; with them all is sent up to `until`."""

    events: list[StreamEvent]
    until: int
    is_behind: bool


def _batches(
    readers: Sequence[Reader],
    ends: Sequence[str],
    standing: dict[int, Standing],
    written: dict[int, list[StreamEvent]],
) -> dict[int, Batch]:
    """Return the next events of each stream to which not all was sent, by token."""
    found: dict[int, Batch] = {}
    left = AT_ONCE
    for reader, end in zip(readers, ends, strict=True):
        token_id = reader.token_id
        if end:
            continue
        fresh, before = written.get(token_id, []), standing[token_id].number
        number = fresh[-1].number if fresh else before
        if number <= reader.sent:
            continue
        most = min(left, OF_ONE) if reader.takes_more else 0
        if not most:
            found[token_id] = Batch([], reader.sent, is_behind=True)
            continue
        if before == reader.sent and len(fresh) <= most:  # as nearly always: all before was sent
            events = fresh
        else:
            events = streaming.after(token_id, reader.sent, current_until=reader.current_until, most=most)
        is_behind = len(events) == most
        last = events[-1].number if events else 0
        found[token_id] = Batch(events, last if is_behind else max(last, number), is_behind)
        left -= len(events)
    return found
