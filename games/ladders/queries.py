"""Reads of ladders: which games have one, who stands where, challenges under way, and what changed."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import blake2b

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.clocks import MS, Times, at_ms, times_of, to_ms
from games.ladders.models import Challenge, Change, Climber, Ladder
from games.models import Match
from games.queries.play import Person
from games.rules import games, get_game

SEATS = 2
UNDER_WAY = (Challenge.State.OPEN, Challenge.State.RUNNING)
PER_PAGE = 50
CHANGES_SHOWN = 50


def has_ladder(game_slug: str) -> bool:
    """Return whether two can play this game against each other, with its usual options and by correspondence."""
    if game_slug not in games():
        return False
    game = get_game(game_slug)
    if not game.min_seats <= SEATS <= game.max_seats:
        return False
    try:
        usual = game.full_options(SEATS, {})
    except ValueError:
        return False
    return not game.is_cooperative(usual) and not game.is_live(usual)


def ladder_of(game_slug: str) -> Ladder | None:
    """Return the ladder of a game; None while nobody has joined it."""
    return Ladder.objects.filter(game_slug=game_slug).first()


def called(climber: Climber) -> str:
    """Return the name of who stands or stood here, in words once they closed their account."""
    return climber.user.username if climber.user else _("former member")


def standing(ladder: Ladder | None) -> QuerySet[Climber]:
    """Return who stands on a ladder, with their accounts, from the top."""
    return Climber.objects.filter(ladder=ladder, place__isnull=False).select_related("user").order_by("place")


def climber_of(ladder: Ladder | None, person: Person) -> Climber | None:
    """Return the person's row on a ladder, also after they left; None without one."""
    if ladder is None or person.pk is None:
        return None
    return Climber.objects.filter(ladder=ladder, user_id=person.pk).select_related("ladder", "user").first()


def places_of(person: User) -> list[Climber]:
    """Return where somebody stands, on every ladder."""
    rows = Climber.objects.filter(user=person, place__isnull=False).select_related("ladder")
    by_game = {row.ladder.game_slug: row for row in rows}
    return [by_game[slug] for slug in games() if slug in by_game and has_ladder(slug)]


def under_way(climbers: Iterable[int]) -> dict[int, int]:
    """Return how many running matches and open challenges these climbers have, by id."""
    numbers = set(climbers)
    found = dict.fromkeys(numbers, 0)
    for side in ("challenger", "challenged"):
        rows = Challenge.objects.filter(**{f"{side}__in": numbers}, state__in=UNDER_WAY).values(side)
        for row in rows.annotate(many=Count("pk")).order_by():
            found[row[side]] += row["many"]
    return found


def matches_under_way(climbers: Iterable[int]) -> dict[int, list[int]]:
    """Return the running ladder matches of these climbers, by id."""
    numbers = set(climbers)
    found: dict[int, list[int]] = {number: [] for number in numbers}
    rows = Challenge.objects.filter(state=Challenge.State.RUNNING)
    both = rows.filter(Q(challenger__in=numbers) | Q(challenged__in=numbers)).order_by("pk")
    for challenger, challenged, match in both.values_list("challenger", "challenged", "match"):
        for side in {challenger, challenged} & numbers:
            found[side].append(match)
    return found


def is_playing(climber: Climber) -> bool:
    """Return whether a ladder match of theirs runs."""
    own = Q(challenger=climber) | Q(challenged=climber)
    return Challenge.objects.filter(own, state=Challenge.State.RUNNING).exists()


def between(one: Climber, other: Climber) -> QuerySet[Challenge]:
    """Return the challenges of these two, whoever made them."""
    pair = (one.pk, other.pk)
    return Challenge.objects.filter(challenger__in=pair, challenged__in=pair)


def last_of(challenger: Climber, others: Iterable[int]) -> dict[int, datetime]:
    """Return when this climber last challenged these others, by id, if ever."""
    rows = Challenge.objects.filter(challenger=challenger, challenged__in=set(others)).order_by("made_at")
    return dict(rows.values_list("challenged", "made_at"))


def open_challenges(ladder: Ladder, climber: Climber) -> list[Challenge]:
    """Return the open challenges to and of a climber, the most urgent first."""
    rows = Challenge.objects.filter(Q(challenger=climber) | Q(challenged=climber), ladder=ladder)
    return list(_with_people(rows.filter(state=Challenge.State.OPEN)).order_by("answer_by", "pk"))


def challenges_to(person: User) -> list[Challenge]:
    """Return the challenges that wait for this member's answer, on every ladder, the most urgent first."""
    rows = Challenge.objects.filter(challenged__user=person, state=Challenge.State.OPEN)
    return list(_with_people(rows).order_by("answer_by", "pk"))


def challenge_of(match: Match) -> Challenge | None:
    """Return the challenge of which this match was begun; None of any other match."""
    return _with_people(Challenge.objects.filter(match=match)).first()


def _with_people(rows: QuerySet[Challenge]) -> QuerySet[Challenge]:
    return rows.select_related("ladder", "challenger__user", "challenged__user")


def history(ladder: Ladder | None) -> list[Change]:
    """Return the last changes of a ladder, the newest first."""
    rows = Change.objects.filter(ladder=ladder).select_related("climber__user", "other__user", "challenge")
    return list(rows.order_by("-pk")[:CHANGES_SHOWN])


def mark_of(ladder: Ladder | None) -> str:
    """Return what is another as soon as the page of a ladder shows something else: a place, a challenge, a pause."""
    if ladder is None:
        return "none"
    last = Change.objects.filter(ladder=ladder).order_by("-pk").values_list("pk", flat=True).first()
    open_ = Challenge.objects.filter(ladder=ladder, state__in=UNDER_WAY).order_by("pk").values_list("pk", "state")
    paused = Climber.objects.filter(ladder=ladder, paused_at__isnull=False).order_by("pk").values_list("pk", flat=True)
    return blake2b(repr((last, list(open_), list(paused))).encode(), digest_size=8).hexdigest()


def ends_at(challenge: Challenge) -> datetime:
    """Return when the time to answer is over, days off added."""
    return at_ms(_runs_out(_times(challenge.challenged), challenge.made_at, challenge.answer_by))


def lapses_at(challenge: Challenge) -> datetime:
    """Return when an unanswered challenge may be judged: as `ends_at`, and not in quiet hours or just after."""
    times = _times(challenge.challenged)
    return at_ms(times.judged(_runs_out(times, challenge.made_at, challenge.answer_by)))


def idle_until(climber: Climber, span: timedelta) -> datetime:
    """Return when somebody will have been idle for so long, if they go on: days off do not count."""
    return at_ms(_runs_out(_times(climber), climber.idle_since, climber.idle_since + span))


def _times(climber: Climber) -> Times:
    return times_of(climber.user) if climber.user else Times()


def _runs_out(times: Times, since: datetime, until: datetime) -> int:
    return times.runs_out(to_ms(since), (until - since) // MS)


def declines_freely(climber: Climber, now: datetime, once_in: timedelta) -> bool:
    """Return whether a decline costs no place: they made no use of it for so long."""
    return climber.declined_at is None or now - climber.declined_at >= once_in


def apart() -> QuerySet[Challenge]:
    """Return the open challenges between two whom a block keeps apart since."""
    blocks = User.objects.filter(pk=OuterRef("challenger__user"))
    blocked = blocks.filter(Q(blocking__blocked=OuterRef("challenged__user")))
    blocker = blocks.filter(Q(blocked_by__blocker=OuterRef("challenged__user")))
    return Challenge.objects.filter(Exists(blocked) | Exists(blocker), state=Challenge.State.OPEN)
