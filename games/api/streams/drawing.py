"""What the frames of a stream say: drawn for its member when they are sent, by what they may see then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any

import structlog
from django.db import DatabaseError
from django.utils import timezone, translation

from accounts.models import User
from config.lib import time_zones
from games.api.coding import encoded
from games.api.models import StreamEvent
from games.api.services import concerns
from games.api.services.streaming import NAMED
from games.api.shown import table_of
from games.clocks import to_ms
from games.models import ChatLine, Match, Seat, Turn
from games.queries import play
from games.queries.turns import last_turns
from games.services.chat import mentions
from games.table import Table, headline, table_for
from games.viewing import Viewing

log = structlog.get_logger(__name__)

Kind = StreamEvent.Kind
OF_MATCH = (
    *("id", "game", "status", "ending", "voided", "version", "history", "turns", "you", "playing", "ask"),
    *("ready_by", "paused"),
)
OF_SEAT = ("number", "name", "kind", "to_move", "rank", "score")


@dataclass(frozen=True)
class Manner:
    """How a program wants to be told: in which language (empty: the member's), with tables or without."""

    language: str = ""
    tables: bool = False


@dataclass(frozen=True)
class Frame:
    """An event as it is sent."""

    number: int
    text: str


class Drawing:
    """What is drawn at one moment, for several streams: each match is read once."""

    def __init__(self) -> None:
        self._matches: dict[int, tuple[Match, list[Seat], list[Turn]] | None] = {}
        self._concerns: dict[tuple[str, int], dict[str, Any]] = {}  # of the stream that is drawn

    def frames(self, user: User, manner: Manner, events: Sequence[StreamEvent]) -> list[Frame]:
        """Return the frames that tell this member of these events."""
        numbers = [event.subject for event in events if event.kind == Kind.LINE]
        told = ChatLine.objects.filter(pk__in=numbers)
        matches = dict(told.values_list("pk", "match_id")) if numbers else {}
        heard = mentions.open_to(user).filter(pk__in=numbers).select_related("user") if numbers else []
        lines = {line.pk: line for line in heard}
        self._concerns = concerns.drawn(user, [(event.kind, event.subject) for event in events])
        zone = time_zones.zone(user.time_zone) or timezone.get_default_timezone()
        with translation.override(manner.language or user.language), timezone.override(zone):
            return [self._frame(user, manner, event, matches, lines) for event in events]

    def _frame(
        self,
        user: User,
        manner: Manner,
        event: StreamEvent,
        matches: Mapping[int, int | None],
        lines: dict[int, ChatLine],
    ) -> Frame:
        said: dict[str, Any] = {"number": event.number, "at": to_ms(event.at)}
        if event.kind == Kind.LINE:
            line = lines.get(event.subject)
            kind = "mention" if event.mark == NAMED else "chat"
            said |= {"type": kind, "match": matches.get(event.subject), "line": line_of(line) if line else None}
        elif event.kind in concerns.concerns():
            now = self._concerns.get((event.kind, event.subject))
            said |= {"type": event.kind, "about": event.subject, "over": event.over, "now": now}
        elif not event.mark:
            is_match = event.kind == Kind.MATCH
            said |= {"type": "gone" if is_match else "invitation_over", "match": event.subject}
        else:
            state, table = self._seen(user, event.subject, manner)
            kind = "invitation" if event.kind == Kind.INVITATION else type_of(state)
            said |= {"type": kind, "match": event.subject, "state": state}
            said |= {"table": table} if manner.tables else {}
        return Frame(event.number, encoded(said).decode())

    def _seen(self, user: User, match_id: int, manner: Manner) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
        """Return state and table of a match as this member sees them now; None of one that they may not see."""
        try:
            if (found := self._found(match_id)) is None:
                return None, None
            match, seats, turns = found
            viewing = Viewing(user, match, seats)
            if not viewing.is_shown:
                return None, None
            state = state_of(viewing, turns)
            return state, table_of(viewing) if manner.tables else None
        except DatabaseError:
            raise
        except Exception:  # of one match, whose rules are not known here: the others are told
            log.exception("a match could not be told", match=match_id)
            return None, None

    def _found(self, match_id: int) -> tuple[Match, list[Seat], list[Turn]] | None:
        if match_id not in self._matches:
            try:
                match, seats = play.match_and_seats(match_id)
                self._matches[match_id] = match, seats, last_turns(match, most=1)
            except Match.DoesNotExist:
                self._matches[match_id] = None
        return self._matches[match_id]


def type_of(state: dict[str, Any] | None) -> str:
    """Return the type of an event about one's match: by what it asks of the member now."""
    if state is None:
        return "match"
    if state["ask"] is not None:
        return "turn"
    return "readiness" if state["ready_by"] is not None else "match"


def state_of(viewing: Viewing, turns: list[Turn]) -> dict[str, Any]:
    """Return what a stream tells of a match, of what this member sees of it; `turns` is the last one."""
    match, viewer = viewing.match, viewing.viewer
    table = table_for(match, viewing.seats, viewer, turns)
    return {
        **{name: table[name] for name in OF_MATCH},
        "rated": match.rated,
        "deadline": table["seats"][viewer.number]["deadline"] if viewer is not None else None,
        "headline": unescape(headline(table)),
        "seats": [{name: seat[name] for name in OF_SEAT} for seat in table["seats"]],
        "proposals": proposals(table),
        "last": _last(table),
    }


def proposals(table: Table) -> list[str]:
    """Return what others propose to the member, and they have not answered: pause, call_off."""
    if not table["playing"]:
        return []
    own = table["seats"][table["you"]]
    others = [seat for seat in table["seats"] if not seat["you"]]
    found = []
    if any(seat["wants_pause"] for seat in others) and table["can_pause"] and not _answered(own, "pause"):
        found.append("pause")
    if any(seat["wants_call_off"] for seat in others) and not _answered(own, "call_off"):
        found.append("call_off")
    return found


def _answered(own: dict[str, Any], what: str) -> bool:
    return bool(own[f"wants_{what}"]) or what in own["declines"]


def _last(table: Table) -> dict[str, Any] | None:
    if not table["log"]:
        return None
    entry = table["log"][-1]
    return {"n": entry["n"], "seat": entry["seat"], "by": entry["by"], "at": entry["iso"]}


def line_of(line: ChatLine) -> dict[str, Any]:
    """Return what is told of a line of chat that the member may read."""
    return {
        "id": line.pk,
        "match": line.match_id,
        "channel": line.channel,
        "name": line.user.username if line.user else "",
        "text": line.text,
        "at": line.at.isoformat(timespec="seconds"),
    }
