"""Rebuilding all ratings from the matches: comparison with the stored ones, and correction."""

from collections.abc import Iterator, Sequence
from itertools import islice

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from config.lib import sql
from games.models import Match
from games.queries.play import seats_of
from games.queries.turns import moves_made
from leaderboards import ranks
from leaderboards.models import Settlement, Standing
from leaderboards.replay import CHUNK, Replay, State, States, rows_of, seats_by_match
from leaderboards.services import CHANGED, WhyNot, count_again, counts, departed_from, unrate_match, why_not


def uncounted() -> Iterator[int]:
    """Yield the ids of ended matches that should count and were never counted."""
    settled = Exists(Settlement.objects.filter(match=OuterRef("pk")))
    ended = Match.objects.filter(rated=True, status=Match.Status.ENDED).exclude(settled)
    for match in ended.defer("state").order_by("ended_at", "pk").iterator():
        if counts(match, seats_of(match)):
            yield match.pk


def undeserved() -> Iterator[int]:
    """Yield the ids of matches that are counted now and should not be."""
    voids = Settlement.objects.filter(kind=Settlement.Kind.VOID)
    taken_back = voids.filter(match=OuterRef("match"), round=OuterRef("round"))
    counted = Settlement.objects.filter(kind=Settlement.Kind.MATCH).exclude(Exists(taken_back))
    last = 0
    while chunk := list(counted.filter(pk__gt=last).order_by("pk")[:CHUNK]):
        yield from _undeserved_of(chunk)
        last = chunk[-1].pk


def _undeserved_of(settlements: Sequence[Settlement]) -> Iterator[int]:
    """Yield those of these settlements' matches that should not count; closed accounts did take part.

    One given up early counted before there was a least length, and goes on to.
    """
    numbers = [settlement.match_id for settlement in settlements]
    rows, seats, moves = rows_of(settlements), seats_by_match(numbers), moves_made(numbers)
    gone = departed_from(numbers)
    known = ("game_slug", "rules_version", "options", "rated", "status", "ending", "ended_at", "voided_at")
    facts = Match.objects.only(*known).in_bulk(numbers)
    for settlement in settlements:
        match, sat = facts[settlement.match_id], seats.get(settlement.match_id, [])
        people = {seat.number for seat in sat if seat.user_id} | rows.get(settlement.pk, {}).keys()
        people |= gone.get(match.pk, {}).keys()
        ranked = all(seat.rank is not None for seat in sat)
        reason = why_not(match, ranked=ranked, moves=moves.get(match.pk, {}), people=people)
        if reason not in (None, WhyNot.GIVEN_UP) or not match.rated or match.status != Match.Status.ENDED:
            yield match.pk


def rebuild(*, write: bool) -> list[str]:
    """Return in words all differences between stored and rebuilt ratings; with `write`, correct them.

    Matches that were never counted are counted first, and those that should not count taken back, by new
    settlements. Then standings are locked, so that ends of matches wait; without `write` nothing is, and all is read as
    it was at one moment.
    """
    missed, wrong = list(uncounted()), list(undeserved())
    found = [f"match {number}: ended, and was never counted" for number in missed]
    found += [f"match {number}: counted, and should not be" for number in wrong]
    if write:
        for number in missed:
            count_again(number)
        for match in Match.objects.filter(pk__in=wrong).iterator(CHUNK):
            unrate_match(match)
    with transaction.atomic() if write else sql.snapshot():
        if write and connection.vendor == "postgresql":  # SQLite has one writer anyway
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {Standing._meta.db_table} IN EXCLUSIVE MODE")
        replay = Replay()
        found += replay.run(write=write)
        found += _compare(replay.states, write=write)
    return found


def _compare(states: States, *, write: bool) -> list[str]:
    found: list[str] = []
    differing: list[Standing] = []
    for standing in Standing.objects.order_by("pk").iterator():
        key = (standing.user_id, standing.game_slug, standing.season)
        state = states.pop(key, State(last_active=standing.last_active))
        stored = tuple(getattr(standing, name) for name in CHANGED)
        if stored != _values(state):
            found.append(f"{_whose(standing)}: {_listed(stored)}, not {_listed(_values(state))}")
            differing.append(_as(standing, state))
    missing = list(_missing(states))
    found += [f"{_whose(standing)}: missing" for standing in missing]
    if write:
        Standing.objects.bulk_update(differing, CHANGED, batch_size=CHUNK)
        Standing.objects.bulk_create(missing, batch_size=CHUNK)
        ranks.reflect([*differing, *missing])
    return found


def _missing(states: States) -> Iterator[Standing]:
    keys = iter(states)
    while chunk := list(islice(keys, CHUNK)):
        users = User.objects.filter(pk__in={user for user, _slug, _season in chunk})
        there = set(users.values_list("pk", flat=True))
        for user, slug, season in chunk:
            if user in there:
                standing = Standing(user_id=user, game_slug=slug, season=season)
                yield _as(standing, states[user, slug, season])


def _as(standing: Standing, state: State) -> Standing:
    for name, value in zip(CHANGED, _values(state), strict=True):
        setattr(standing, name, value)
    return standing


def _values(state: State) -> tuple[object, ...]:
    return tuple(getattr(state, name) for name in CHANGED)


def _whose(standing: Standing) -> str:
    return f"member {standing.user_id}, {standing.game_slug} {standing.season or 'of all time'}"


def _listed(values: tuple[object, ...]) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(CHANGED, values, strict=True))
