"""A member's calendar quarter: the matches that ended in it, with whom, with which luck, and what they brought."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, QuerySet

from accounts.models import User
from accounts.queries import blocked_ids
from games.models import Match, Seat
from games.queries.dice import Luck, luck_in
from games.queries.play import Person, shared_with
from games.rules import games, get_game

LOOKED_AT = 3_000  # of a member's matches, the latest begun
MOST = 1_000  # of a season's, the latest
PARTNERS = 6


class Season(NamedTuple):
    """A calendar quarter in UTC, by its first day."""

    first: date

    @classmethod
    def of(cls, day: date) -> "Season":
        """Return the season of a day."""
        return cls(date(day.year, (day.month - 1) // 3 * 3 + 1, 1))

    @property
    def after(self) -> "Season":
        """The next season."""
        return Season.of(self.first + timedelta(days=100))

    @property
    def before(self) -> "Season":
        """The season before."""
        return Season.of(self.first - timedelta(days=1))

    @property
    def last(self) -> date:
        """The last day."""
        return self.after.first - timedelta(days=1)

    @property
    def start(self) -> datetime:
        """The instant at which it begins."""
        return datetime.combine(self.first, time(), UTC)

    @property
    def end(self) -> datetime:
        """The instant at which the next one begins."""
        return self.after.start

    @property
    def weeks(self) -> list[date]:
        """The first day of each of its weeks, which are counted from its first day; the last one may be short."""
        return [self.first + timedelta(days=days) for days in range(0, (self.after.first - self.first).days, 7)]


class Own(NamedTuple):
    """A member's part in a match that ended."""

    match_id: int
    game_slug: str
    number: int
    rank: int | None
    score: int | None
    ended_at: datetime
    ending: str
    is_contest: bool
    counts: bool

    @property
    def result(self) -> str:
        """One of RESULTS."""
        if not self.counts:
            return "voided"
        if self.ending == Match.Ending.CALLED_OFF or self.rank is None:
            return "called_off"
        if not self.is_contest:
            return "together"
        return "won" if self.rank == 1 else "lost"


RESULTS = ("won", "lost", "together", "called_off", "voided")


def shown_to(viewer: Person, member: User) -> QuerySet[Seat]:
    """Return the member's seats in ended matches that the viewer may see, but lessons: of the latest 3 000."""
    all_own = Seat.objects.filter(user=member)
    beyond = all_own.order_by("-match_id").values_list("match_id", flat=True)[LOOKED_AT : LOOKED_AT + 1].first()
    own = all_own.filter(match_id__gt=beyond or 0, match__ended_at__isnull=False, match__prepared__isnull=True)
    own = own.filter(match__started_at__isnull=False)
    if viewer.pk == member.pk:
        return own
    shared = shared_with(viewer, "match__")
    beside = Seat.objects.filter(match=OuterRef("match"), user_id=viewer.pk or 0)
    return own.filter(shared | Exists(beside) if viewer.pk else shared)


def first_of(seats: QuerySet[Seat]) -> Season | None:
    """Return the season in which the first match of these seats was opened."""
    opened = seats.order_by("match_id").values_list("match__created_at", flat=True).first()
    return Season.of(opened.astimezone(UTC).date()) if opened else None


def matches_of(seats: QuerySet[Seat], season: Season) -> list[Own]:
    """Return the member's part in those of these matches that ended in a season, the earliest first: the last 1 000."""
    within = seats.filter(match__ended_at__gte=season.start, match__ended_at__lt=season.end)
    columns = ("match_id", "match__game_slug", "number", "rank", "score", "match__ended_at", "match__ending")
    more = ("match__options", "match__voided_at", "substituted")
    rows = within.order_by("-match__ended_at", "-match_id").values_list(*columns, *more)[:MOST]
    return [_own(*row) for row in reversed(rows)]


def _own(match_id: int, slug: str, number: int, rank: int | None, score: int | None, *match: Any) -> Own:
    ended_at, ending, options, voided_at, substituted = match
    is_contest, counts = not _is_together(slug, options), voided_at is None and not substituted
    return Own(match_id, slug, number, rank, score, ended_at, ending, is_contest, counts)


def _is_together(slug: str, options: dict[str, object]) -> bool:
    return slug in games() and get_game(slug).is_cooperative(options)


def by_game(own: Sequence[Own]) -> list[tuple[str, int, int]]:
    """Return each game that was played, how often, and how often it was won, the most played first."""
    played = Counter(one.game_slug for one in own)
    won = Counter(one.game_slug for one in own if one.result == "won")
    return [(slug, number, won[slug]) for slug, number in sorted(played.items(), key=lambda item: (-item[1], item[0]))]


def by_week(own: Sequence[Own], season: Season) -> list[int]:
    """Return how many matches ended in each week of the season."""
    counts = [0] * len(season.weeks)
    for one in own:
        counts[(one.ended_at.astimezone(UTC).date() - season.first).days // 7] += 1
    return counts


def longest_row(own: Sequence[Own]) -> int:
    """Return how many contests in a row were won at most; 0 without a win."""
    longest = row = 0
    for one in own:
        if one.result in ("won", "lost"):
            row = row + 1 if one.result == "won" else 0
            longest = max(longest, row)
    return longest


def partners_of(own: Sequence[Own], member: User, viewer: Person) -> list[tuple[User, int]]:
    """Return whom the member played with most in these matches, and how often; nobody blocked by or for the viewer."""
    beside = Seat.objects.filter(match_id__in=[one.match_id for one in own], user__isnull=False)
    others = beside.filter(user__is_active=True, user__is_guest=False).exclude(user=member)
    if viewer.pk is not None:
        others = others.exclude(blocked_ids(viewer.pk, "user_id"))
    counted = others.order_by().values_list("user_id").annotate(n=Count("pk")).order_by("-n", "user_id")[:PARTNERS]
    numbers = dict(counted)
    people = User.objects.in_bulk(numbers)
    return [(people[number], times) for number, times in numbers.items()]


def season_luck(own: Sequence[Own]) -> Luck | None:
    """Return the luck with six-sided dice in these matches; None without rolls."""
    return luck_in({one.match_id: one.number for one in own})


def highest(own: Sequence[Own]) -> list[Own]:
    """Return for each game the match that was played to its end with the highest score, in the order of games."""
    best: dict[str, Own] = {}
    for one in own:
        before = best.get(one.game_slug)
        is_played = one.counts and one.ending == Match.Ending.PLAYED and one.score is not None
        if is_played and (before is None or (one.score or 0) > (before.score or 0)):
            best[one.game_slug] = one
    return [best[slug] for slug in games() if slug in best]


def in_bulk(own: Collection[Own]) -> dict[int, Match]:
    """Return these matches by number."""
    return Match.objects.in_bulk([one.match_id for one in own])
