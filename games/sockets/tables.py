"""The tables that sockets send: each drawn for its own reader, once for all readers who see the same."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any

import msgspec
import structlog
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import SuspiciousOperation
from django.db import close_old_connections, connection
from django.http import QueryDict
from django.utils import timezone, translation

from accounts.models import User
from accounts.services import sessions
from config.lib import clock, metrics, rate_limits, time_zones, tracing
from games.forms.play import Unreadable, read_move
from games.models import Match
from games.queries import play
from games.services import hooks
from games.services.play import moves
from games.services.refusals import Refused, TooOften
from games.viewing import Viewing

ROUTE = "/ws/"
LEVEL = 1  # of compression: the next ones save a tenth, and take twice as long

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class Reader:
    """Who looks at a table on an open page: in which session and language, and which version the page shows."""

    user: Any
    session_key: str | None
    language: str
    since: int | None = None
    zipped: bool = False
    version: int = 0

    @property
    def zone(self) -> tzinfo:
        """Return the person's time zone, or the site's. Who changes it has the socket opened anew."""
        return time_zones.zone(getattr(self.user, "time_zone", "")) or timezone.get_default_timezone()


@dataclass(frozen=True)
class Frame:
    """What is sent to a page; `version` is that of the table which it shows then, None if it may see none."""

    version: int | None
    text: str | bytes = ""


HIDDEN = Frame(None)


@dataclass(frozen=True)
class Sent:
    """A move as it came over a socket: the page's number for it, the form's fields, when it was received (ms)."""

    number: int
    form: str
    received: int


class LoggedOut(Exception):
    """The session in which a socket was opened has ended."""


@dataclass
class Answer:
    """The answer to a move, and what the other pages of the match here are sent, in their order."""

    frame: Frame
    others: list[Frame | None] = field(default_factory=list)


def for_readers(match_id: int, readers: Sequence[Reader]) -> list[Frame | None]:
    """Return for each reader the frame with the table as it is now; None for whom it is shown already."""
    try:
        match, seats = play.match_and_seats(match_id)
    except Match.DoesNotExist:
        return [HIDDEN for _reader in readers]
    return Drawing(match, seats).frames(readers)  # turns up to the match's own number change no more


def answer_move(reader: Reader, match_id: int, sent: Sent, others: Sequence[Reader]) -> Answer:
    """Make a move that came over a socket; return its answer and what other pages of the match are sent.

    LoggedOut. Whatever else goes wrong is logged and answered without a table: the page posts it then, with its key.
    """
    start = clock.steady_seconds()
    tracing.begin(route=ROUTE)
    try:
        try:
            status, answer = _answer(reader, match_id, sent, others)
        except LoggedOut:
            raise
        except Exception:
            log.exception("a move over a socket failed")
            close_old_connections()
            status = 500
            answer = Answer(Frame(reader.version, _encoded(reader, answer=sent.number, status=status)))
        took = clock.steady_seconds() - start
        metrics.request_answered(route=ROUTE, method="POST", status=status, seconds=took)
        log.info("request", method="POST", route=ROUTE, status=status, ms=round(took * 1000, 1))
        return answer
    finally:
        tracing.end()


def _answer(reader: Reader, match_id: int, sent: Sent, others: Sequence[Reader]) -> tuple[int, Answer]:
    if not is_logged_in(reader.user, reader.session_key):
        raise LoggedOut
    post: QueryDict = QueryDict()
    with translation.override(reader.language):
        try:
            post = _fields(sent.form)
            if not rate_limits.allows_post_of(reader.user.pk):
                raise TooOften
            asked = read_move(post)
            playing = moves.submit_move(
                match_id=match_id,
                user=reader.user,
                ask=asked.ask,
                key=asked.key,
                move=asked.move,
                received=sent.received,
                advised=asked.advised,
                confirmed=asked.confirmed,
            )
        except Match.DoesNotExist:
            return 404, Answer(HIDDEN)
        except Refused as refusal:
            return refusal.status, _refused(reader, match_id, sent.number, post, refusal)
        drawing = Drawing(playing.match, playing.seats)
        reader.since = asked.since
        frame = drawing.answer(reader, number=sent.number, status=200)
    return 200, Answer(frame, drawing.frames(others))


def _fields(form: str) -> QueryDict:
    """Return the fields of a form; Unreadable when there are too many."""
    try:
        return QueryDict(form)
    except SuspiciousOperation as error:
        raise Unreadable from error


def is_logged_in(user: Any, session_key: str | None) -> bool:
    """Return whether the session and its person are good: a written-out read, on the path of a move."""
    if session_key is None:
        return True  # a visitor, who has no seat
    with connection.cursor() as cursor:
        now = connection.ops.adapt_datetimefield_value(clock.now())
        cursor.execute(_GOOD, [user.pk, session_key, now])
        return cursor.fetchone() is not None


_GOOD = """
    SELECT 1 FROM django_session JOIN accounts_user ON accounts_user.id = %s AND accounts_user.is_active
    WHERE session_key = %s AND expire_date > %s"""


def _refused(reader: Reader, match_id: int, number: int, post: QueryDict, refusal: Refused) -> Answer:
    drawing = Drawing(*play.match_and_seats(match_id))
    if not Viewing(reader.user, drawing.match, drawing.seats).is_shown:
        return Answer(HIDDEN)
    if isinstance(refusal, Unreadable):
        refusal = refusal.in_words_of(drawing.match.game)
    return Answer(drawing.answer(reader, number=number, status=refusal.status, refusal=refusal, post=post))


def _may_look(reader: Reader, match: Match) -> bool:
    """Return whether the reader may see a private match of others, by the rights and the session as they are now."""
    person = User.objects.filter(pk=reader.user.pk, is_active=True).first()
    if person is None:
        return False
    session = SessionStore(reader.session_key)
    return not sessions.is_over(session, person) and hooks.may_watch(match, person, session)


class Drawing:
    """A match at one moment, drawn for readers; what they share is made once."""

    def __init__(self, match: Match, seats: list[Any]) -> None:
        self.match, self.seats = match, seats
        self._turns: Any = None
        self._tables: dict[tuple[Any, ...], tuple[str, int | None]] = {}
        self._frames: dict[tuple[Any, ...], str | bytes] = {}

    def frames(self, readers: Sequence[Reader]) -> list[Frame | None]:
        """Return for each reader the frame with the table; None for whom it is shown already."""
        return [self._frame(reader) if reader.version < self.match.version else None for reader in readers]

    def _frame(self, reader: Reader) -> Frame:
        match = self.match
        viewing = Viewing(reader.user, match, self.seats)
        if not viewing.is_shown and not _may_look(reader, match):
            return HIDDEN
        if match.status == Match.Status.OPEN:  # its page changes as a whole, and is fetched
            return Frame(match.version, _encoded(None, version=match.version))
        key, html = self._table(reader, viewing)
        if (*key, reader.zipped) not in self._frames:
            self._frames[*key, reader.zipped] = _encoded(reader, version=match.version, table=html)
        return Frame(match.version, self._frames[*key, reader.zipped])

    def _table(self, reader: Reader, viewing: Viewing) -> tuple[tuple[Any, ...], str]:
        zone = reader.zone
        since = reader.since if viewing.viewer else None
        key = (viewing.viewer and viewing.viewer.number, reader.language, zone, since)
        if key not in self._tables:
            with translation.override(reader.language), timezone.override(zone):
                table = viewing.table(since, turns=self._last_turns(viewing))
                self._tables[key] = viewing.fragment(table), table["since"]
        html, reader.since = self._tables[key]
        return key, html

    def _last_turns(self, viewing: Viewing) -> Any:
        if self._turns is None:
            self._turns = viewing.last_turns()
        return self._turns

    def answer(
        self, reader: Reader, *, number: int, status: int, refusal: Refused | None = None, post: QueryDict | None = None
    ) -> Frame:
        """Return the answer to a move of this reader, with the refusal if it was refused."""
        viewing = Viewing(reader.user, self.match, self.seats)
        if refusal is None or post is None:
            html = self._table(reader, viewing)[1]
        else:
            viewing.refuse(refusal, post)
            with timezone.override(reader.zone):
                html = viewing.fragment(viewing.table(reader.since, turns=self._last_turns(viewing)), str(refusal))
        version = self.match.version
        return Frame(version, _encoded(reader, answer=number, status=status, version=version, table=html))


def _encoded(reader: Reader | None, **said: Any) -> str | bytes:
    """Return a frame's JSON: as text, or compressed for a page that can read that."""
    if "table" in said:
        said["table"] += ""  # no subclass of str
    body = msgspec.json.encode(said)
    if reader is None or not reader.zipped or "table" not in said:
        return body.decode()
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()
