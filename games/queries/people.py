"""What is read of a member for their profile: matches, record against somebody, replies, reliability."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import quantiles

from django.core.cache import cache
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from games.models import Match, Seat, Turn
from games.queries.play import Person, listed, visible_to
from games.rules import games, get_game
from games.time_controls import TIME_CONTROLS

RESULTS = ("won", "lost", "called-off", "voided")
STATES = ("running", "ended")
LOOKED_AT = 50  # finished matches, for reliability
TIMED = 20  # matches, for reply times
FEWEST_REPLIES = 8
KEPT = 300  # seconds that reply times are kept, as they take a look at thousands of turns

_LIVE = [slug for slug, pace in TIME_CONTROLS.items() if pace.is_live]
_BETWEEN_PEOPLE = Exists(
    Seat.objects.filter(match=OuterRef("match"), user__isnull=False).exclude(pk=OuterRef("pk"))
)
_FINISHED = (Match.Ending.PLAYED, Match.Ending.RESIGNED, Match.Ending.TIMED_OUT)


def matches_of(
    member: User, viewer: Person, *, game_slug: str = "", result: str = "", state: str = ""
) -> QuerySet[Match]:
    """Return the matches in which the member sits or sat and that the viewer may see, the latest first.

    `result` is one of RESULTS ("lost" is every rank below the first), `state` one of STATES; empty for all.
    """
    own = Seat.objects.filter(user=member).values("match_id")
    found = visible_to(viewer).filter(pk__in=own, status__in=STATES)
    found = found.exclude(ending__in=[Match.Ending.CLOSED, Match.Ending.LAPSED])
    if game_slug:
        found = found.filter(game_slug=game_slug)
    if state:
        found = found.filter(status=state)
    if result == "called-off":
        found = found.filter(ending=Match.Ending.CALLED_OFF, voided_at=None)
    elif result == "voided":
        found = found.filter(voided_at__isnull=False)
    elif result:
        found = found.filter(
            voided_at=None, pk__in=own.filter(rank=1) if result == "won" else own.filter(rank__gt=1)
        )
    return (
        listed(found)
        .select_related("tally")
        .order_by(F("ended_at").desc(nulls_first=True), "-moved_at", "-pk")
    )


@dataclass(frozen=True)
class Duel:
    """How two members fared against each other in a game, counted for the one who looks."""

    game_slug: str
    won: int
    lost: int
    tied: int


def _contests() -> Q:
    """Return the condition that the match of a seat is none in which all play together."""
    contests = Q()
    for slug in games():
        if together := get_game(slug).together:
            options = {f"match__options__{name}": value for name, value in together.items()}
            contests &= ~Q(match__game_slug=slug, **options)
    return contests


def record_between(viewer: User, member: User) -> list[Duel]:
    """Return how the viewer fared against the member in each game: who ranked higher.

    Matches in which all play together are no contest, voided ones count for nothing.
    """
    other = Seat.objects.filter(match=OuterRef("match"), user=member, rank__isnull=False).values("rank")
    own = Seat.objects.filter(_contests(), user=viewer, rank__isnull=False, match__status=Match.Status.ENDED)
    own = own.filter(match__voided_at=None)
    counted = (
        own.annotate(other=Subquery(other[:1]))
        .filter(other__isnull=False)
        .order_by("match__game_slug")
        .values_list("match__game_slug")
        .annotate(
            won=Count("pk", filter=Q(rank__lt=F("other"))),
            lost=Count("pk", filter=Q(rank__gt=F("other"))),
            tied=Count("pk", filter=Q(rank=F("other"))),
        )
    )
    return [Duel(*row) for row in counted]


@dataclass(frozen=True)
class Reliability:
    """Of the last finished matches against people, how many the member played without running out of time."""

    kept: int
    matches: int

    @property
    def percent(self) -> int:
        return round(100 * self.kept / self.matches)


def reliability(member: User) -> Reliability | None:
    """Return the reliability over the last 50 finished matches against people; None before the first."""
    seats = Seat.objects.filter(
        _BETWEEN_PEOPLE, user=member, match__ending__in=_FINISHED, match__voided_at=None
    )
    last = list(seats.order_by("-match__ended_at", "-match").values_list("run_outs", "absent")[:LOOKED_AT])
    kept = sum(not run_outs and not absent for run_outs, absent in last)
    return Reliability(kept, len(last)) if last else None


def reply_quartiles(member: User) -> tuple[int, int, int] | None:
    """Return in which times (ms) a quarter, half and three quarters of the replies came; None for few.

    A reply is the first move since somebody else's (or since the start), by the member's own hand, in one of
    their last matches by correspondence that have ended: whether an answer came by hand is a secret of some
    that run.
    """
    name = f"replies:{member.pk}"
    known = cache.get(name)
    if known is None:
        known = _replies(member)
        cache.set(name, known, KEPT)
    if len(known) < FEWEST_REPLIES:
        return None
    first, half, last = quantiles(known, n=4, method="inclusive")
    return round(first), round(half), round(last)


def _replies(member: User) -> list[int]:
    seats = Seat.objects.filter(
        user=member, match__started_at__isnull=False, match__status=Match.Status.ENDED
    )
    by_letter = seats.exclude(match__pace_slug__in=_LIVE).order_by("-match__moved_at")
    mine = dict(by_letter.values_list("match_id", "number")[:TIMED])
    starts = dict(Match.objects.filter(pk__in=mine).values_list("pk", "started_at"))
    turns = Turn.objects.filter(match_id__in=mine).order_by("match_id", "number")
    found: list[int] = []
    rows = list(turns.values_list("match_id", "seat", "by", "at"))
    for match_id, number in mine.items():
        own = [(seat, by, at) for match, seat, by, at in rows if match == match_id]
        started = starts[match_id]
        found += reply_times(own, number, round(started.timestamp() * 1000) if started else 0)
    return found


def reply_times(turns: Sequence[tuple[int | None, str, int]], number: int, start: int) -> Iterable[int]:
    """Return how long (ms) each reply of a seat took, of a match's turns as (seat, by, at) and its start."""
    before: int | None = None
    since, replies = start, []
    for seat, by, at in turns:
        if seat == number and before != number and by == Turn.By.PERSON:
            replies.append(max(0, at - since))
        before, since = seat, at
    return replies
