"""Reads for a member's profile: matches, record against the viewer, reply times, reliability."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import quantiles

from django.core.cache import cache
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import Follow, User
from accounts.queries import blocked_ids
from games.models import Match, Seat, Turn
from games.queries import turns
from games.queries.play import Person, listed, visible_to
from games.queries.rated import least_moves
from games.rules import games, get_game
from games.time_controls import TIME_CONTROLS

RESULTS = ("won", "lost", "called-off", "voided")
STATES = ("running", "ended")
LOOKED_AT = 50  # finished matches, for reliability
MOST_KNOWN = 60  # names that are proposed to whoever invites
TIMED = 20  # matches, for reply times
FEWEST_REPLIES = 8
KEPT = 300  # seconds that reply times are cached, as they read thousands of turns

_LIVE = [slug for slug, pace in TIME_CONTROLS.items() if pace.is_live]
_OTHERS = Seat.objects.filter(match=OuterRef("match"), user__isnull=False).exclude(pk=OuterRef("pk"))
_BETWEEN_PEOPLE = Exists(_OTHERS.exclude(user_id__in=User.objects.filter(owner__isnull=False).values("pk")))
_FINISHED = (Match.Ending.PLAYED, Match.Ending.RESIGNED, Match.Ending.TIMED_OUT)


def matches_of(
    member: User, viewer: Person, *, game_slug: str = "", result: str = "", state: str = ""
) -> QuerySet[Match]:
    """Return the member's matches, past and present, that the viewer may see, latest first.

    `result` is one of RESULTS ("lost" is any rank below the first), `state` one of STATES; empty for all.
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
        ranked = own.filter(substituted=False, **({"rank": 1} if result == "won" else {"rank__gt": 1}))
        found = found.filter(voided_at=None, pk__in=ranked)
    order = (F("ended_at").desc(nulls_first=True), "-moved_at", "-pk")
    return listed(found).select_related("tally").order_by(*order)


def known_names(user: Person) -> list[str]:
    """Return the names of members whom this one may want to play with: followed, then met lately; nobody blocked."""
    if user.pk is None:
        return []
    followed = Follow.objects.filter(follower_id=user.pk).order_by("followed__username").values_list("followed_id")
    own = Seat.objects.filter(user_id=user.pk, match__started_at__isnull=False).order_by("-match_id")
    last = list(own.values_list("match_id", flat=True)[:LOOKED_AT])
    met = Seat.objects.filter(match__in=last, user__isnull=False).order_by("-match_id").values_list("user_id")
    numbers = list(dict.fromkeys(number for (number,) in (*followed[:MOST_KNOWN], *met)))
    people = User.objects.filter(pk__in=numbers, is_active=True, is_guest=False).exclude(pk=user.pk)
    names = dict(people.exclude(blocked_ids(user.pk, "pk")).values_list("pk", "username"))
    return [names[number] for number in numbers if number in names][:MOST_KNOWN]


def is_new_to(user: Person, game_slug: str) -> bool:
    """Return whether this person never had a seat in a match of the game."""
    return user.pk is None or not Seat.objects.filter(user_id=user.pk, match__game_slug=game_slug).exists()


def who_plays() -> QuerySet[Seat, int | None]:
    """Return the ids of the people who sit in a running match; for accounts (WHO_PLAYS)."""
    sitting = Seat.objects.filter(user__isnull=False, bot="", match__status=Match.Status.RUNNING)
    return sitting.order_by().values_list("user_id", flat=True)


def who_plays_with_others() -> QuerySet[Seat, int | None]:
    """Return the ids of the people who sit in a running match beside other people; for accounts (WHO_IS_AWAITED)."""
    others = Seat.objects.filter(match=OuterRef("match"), user__isnull=False, bot="").exclude(user=OuterRef("user"))
    return who_plays().filter(Exists(others))


@dataclass(frozen=True)
class Duel:
    """The viewer's record against a member in one game."""

    game_slug: str
    won: int
    lost: int
    tied: int


def _contests() -> Q:
    """Return the condition that a seat's match is not cooperative."""
    contests = Q()
    for slug in games():
        if together := get_game(slug).together:
            options = {f"match__options__{name}": value for name, value in together.items()}
            contests &= ~Q(match__game_slug=slug, **options)
    return contests


def record_between(viewer: User, member: User) -> list[Duel]:
    """Return the viewer's record against the member in each game, from matches that count."""
    ranked = Seat.objects.filter(rank__isnull=False, substituted=False)
    other = ranked.filter(match=OuterRef("match"), user=member).values("rank")
    own = ranked.filter(_contests(), user=viewer, match__sandbox="", match__status=Match.Status.ENDED)
    both = own.filter(match__voided_at=None).annotate(other=Subquery(other[:1])).filter(other__isnull=False)
    counted = (
        both.order_by("match__game_slug")
        .values_list("match__game_slug")
        .annotate(
            won=Count("pk", filter=Q(rank__lt=F("other"))),
            lost=Count("pk", filter=Q(rank__gt=F("other"))),
            tied=Count("pk", filter=Q(rank=F("other"))),
        )
    )
    return [Duel(*row) for row in counted]


_UNREAD = [f"match__{name}" for name in ("state", "setup_draws", "outcome", "figures_before", "prepared")]  # large


@dataclass(frozen=True)
class Reliability:
    """Of the last finished matches against people, how many the member played without a time-out."""

    kept: int
    matches: int

    @property
    def share(self) -> float:
        return self.kept / self.matches


def ended_matches(member: User, *, most: int | None = None) -> int:
    """Return how many matches against people the member has finished; no more than `most` are counted."""
    seats = Seat.objects.filter(_BETWEEN_PEOPLE, user=member, substituted=False, match__ending__in=_FINISHED)
    return seats.filter(match__voided_at=None, match__sandbox="")[:most].count()


def reliability(member: User) -> Reliability | None:
    """Return the reliability over the last 50 finished matches against people; None before the first.

    Whoever gave a rated match up before it could count did not finish it.
    A match left to a substitute is among them; one played as a substitute is not, unless that was left too.
    """
    sat = Seat.objects.filter(Q(substituted=False) | Q(absent=True), user=member).order_by().values("pk")
    left = Seat.objects.filter(absentee=member).order_by().values("pk")
    against_people = Seat.objects.filter(_BETWEEN_PEOPLE, pk__in=sat.union(left))
    seats = against_people.filter(match__ending__in=_FINISHED, match__voided_at=None, match__sandbox="")
    last = list(seats.select_related("match").defer(*_UNREAD).order_by("-match__ended_at", "-match")[:LOOKED_AT])
    early = _given_up_early(last)
    kept = sum(not (seat.run_outs or seat.absent or seat.substituted or seat.pk in early) for seat in last)
    return Reliability(kept, len(last)) if last else None


def _given_up_early(seats: Sequence[Seat]) -> set[int]:
    """Return the ids of those of these seats whose person resigned from a rated match before it could count."""
    left = [seat for seat in seats if seat.left and seat.match.rated and seat.match.ending == Match.Ending.RESIGNED]
    made = turns.moves_made([seat.match_id for seat in left])
    return {seat.pk for seat in left if made.get(seat.match_id, {}).get(seat.number, 0) < least_moves(seat.match)}


def reply_quartiles(member: User) -> tuple[int, int, int] | None:
    """Return the quartiles of the member's reply times (ms); None for few replies.

    A reply is the first move, by hand, after another seat's (or the start), in recent correspondence matches
    that have ended: in running ones it may be secret who moved by hand.
    """
    name = f"replies:{member.pk}"
    known = cache.get(name)
    if known is None:
        known = _replies(member)
        cache.set(name, known, KEPT)
    if len(known) < FEWEST_REPLIES:
        return None
    first, half, last = map(round, quantiles(known, n=4, method="inclusive"))
    return first, half, last


def _replies(member: User) -> list[int]:
    ended = Seat.objects.filter(match__started_at__isnull=False, match__status=Match.Status.ENDED, match__sandbox="")
    slow = ended.filter(user=member).exclude(match__pace_slug__in=_LIVE).order_by("-match__moved_at")
    mine = dict(slow.values_list("match_id", "number")[:TIMED])
    starts = dict(Match.objects.filter(pk__in=mine).values_list("pk", "started_at"))
    found: list[int] = []
    made = turns.times_of(mine)
    for match_id, number in mine.items():
        started = starts[match_id]
        found += reply_times(made[match_id], number, round(started.timestamp() * 1000) if started else 0)
    return found


def reply_times(turns: Sequence[tuple[int | None, str, int]], number: int, start: int) -> Iterable[int]:
    """Return the reply times (ms) of a seat, from a match's turns as (seat, by, at) and its start."""
    before: int | None = None
    since, replies = start, []
    for seat, by, at in turns:
        if seat == number and before != number and by == Turn.By.PERSON:
            replies.append(max(0, at - since))
        before, since = seat, at
    return replies
