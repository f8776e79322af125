"""Every change of ratings: a match is counted in the transaction that ends it, and taken back by new rows.

The match is locked first, then standings by id, so that matches of the same members that end together never
deadlock (docs/decisions/0012-ratings.md).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Match, Seat
from games.queries.play import is_invited
from games.queries.rated import least_moves
from games.queries.turns import moves_made
from games.services.play.locking import lock_match
from games.services.refusals import Refused
from leaderboards import ranks, rating
from leaderboards.models import Departed, RatingChange, Settlement, Standing, TeamResult
from leaderboards.queries import last_settlement
from leaderboards.seasons import ALL_TIME, season_of

MOVES_TO_COUNT = 2
GIVEN_UP = (Match.Ending.RESIGNED, Match.Ending.TIMED_OUT)
CHANGED = ["rating", "matches", "wins", "last_active"]

Standings = dict[tuple[int, str], Standing]


class OutOfRange(Refused):
    """The member's rating is outside the range of this table."""

    status = 403

    def __init__(self, lowest: int | None, highest: int | None, own: int) -> None:
        super().__init__()
        if lowest is not None and highest is not None:
            wanted = _("This table is for ratings from %(lowest)d to %(highest)d, and yours is %(own)d.")
        elif lowest is not None:
            wanted = _("This table is for ratings of %(lowest)d or more, and yours is %(own)d.")
        else:
            wanted = _("This table is for ratings up to %(highest)d, and yours is %(own)d.")
        self.sentence = wanted % {"lowest": lowest, "highest": highest, "own": own}


def check_range(match: Match, user: User) -> None:
    """Raise OutOfRange for a member outside the table's range of ratings who is not invited.

    A hook of games (ON_JOINING). Members without a rating count as 1500.
    """
    lowest, highest = match.lowest_rating, match.highest_rating
    if (lowest is None and highest is None) or is_invited(match, user):
        return
    standing = Standing.objects.filter(user=user, game_slug=match.game_slug, season=ALL_TIME).first()
    own = standing.shown if standing else rating.whole(rating.START)
    if own < (lowest or 0) or (highest is not None and own > highest):
        raise OutOfRange(lowest, highest, own)


class WhyNot(StrEnum):
    """Why an ended rated match changes no rating."""

    STOPPED = "stopped"  # a moderator ended it
    CALLED_OFF = "called off"
    SHORT = "short"  # nobody made two moves
    GIVEN_UP = "given up"  # before two had made five each
    ALONE = "alone"  # all accounts but one were closed before the end
    VOIDED = "voided"  # by a moderator


def why_not(match: Match, *, ranked: bool, moves: Mapping[int, int], people: Collection[int]) -> WhyNot | None:
    """Return the first reason why an ended rated match changes no rating, None when it counts.

    `people` are the seats that would count, `moves` how many each made.
    """
    if match.voided_at and match.ended_at and match.voided_at <= match.ended_at:
        return WhyNot.STOPPED
    if not ranked:
        return WhyNot.CALLED_OFF
    if max(moves.values(), default=0) < MOVES_TO_COUNT:
        return WhyNot.SHORT
    if len(people) < 2:
        return WhyNot.ALONE
    # The two who made most: an accomplice who leaves at once shall not save anybody else from a loss.
    second = sorted(moves.get(number, 0) for number in people)[-2]
    if match.ending in GIVEN_UP and second < least_moves(match):
        return WhyNot.GIVEN_UP
    return WhyNot.VOIDED if match.voided_at else None


def why_uncounted(match: Match, seats: Sequence[Seat]) -> WhyNot | None:
    """Return why an ended rated match does not count, as it is now; None when it counts."""
    ranked = all(seat.rank is not None for seat in seats)
    people = {seat.number for seat in seats if seat.counts}
    people |= departed_from([match.pk]).get(match.pk, {}).keys() if people else set()
    return why_not(match, ranked=ranked, moves=moves_made([match.pk]).get(match.pk, {}), people=people)


def counts(match: Match, seats: Sequence[Seat]) -> bool:
    """Return whether an ended match counts for ratings: rated, with a result, and long enough."""
    return match.rated and match.status == Match.Status.ENDED and why_uncounted(match, seats) is None


def departed_from(matches: Iterable[int]) -> dict[int, dict[int, int]]:
    """Return by match and seat the ratings of those who closed their account before its end."""
    found: dict[int, dict[int, int]] = {}
    for row in Departed.objects.filter(match__in=list(matches)):
        found.setdefault(row.match_id, {})[row.seat] = row.rating
    return found


def rate_match(match: Match, seats: Sequence[Seat]) -> Settlement | None:
    """Count an ended match, once; the caller holds its lock. Return its settlement, if it counts.

    A hook of games (ON_MATCH_END). Substitutes are left out; those who closed their account before the end count
    for the others, with the rating that they had then.
    """
    ended = match.ended_at
    if ended is None or not counts(match, seats):
        return None
    last = last_settlement(match)
    if last is not None and last.kind == Settlement.Kind.MATCH:
        return last
    gone = departed_from([match.pk]).get(match.pk, {})
    people = [seat for seat in seats if seat.counts]
    season = season_of(ended)
    members = [seat.user_id for seat in people if seat.user_id]
    standings = _locked(match.game_slug, members, season, ended)
    settlement = Settlement.objects.create(
        match=match, round=last.round + 1 if last else 1, game_slug=match.game_slug, season=season, at=ended
    )
    own = [standings[member, ALL_TIME] for member in members]
    players = [
        rating.Player(standing.rating, standing.matches, seat.rank or 1)
        for standing, seat in zip(own, people, strict=True)
    ]
    ghosts = [ghost(gone[seat.number], seat) for seat in seats if seat.number in gone and not seat.counts]
    rows = []
    for seat, player, delta in zip(people, players, rating.changes([*players, *ghosts]), strict=False):
        rows.append(_change(settlement, seat.number, seat.user_id or 0, player, delta))
        for name in (ALL_TIME, season):
            standing = standings[seat.user_id or 0, name]
            standing.rating = player.rating + delta
            standing.matches += 1
            standing.wins += player.rank == 1
            standing.last_active = ended
    _write(rows, standings)
    return settlement


def ghost(points: int, seat: Seat) -> rating.Player:
    """Return the player for whom nothing changes any more: somebody who closed their account in the match."""
    return rating.Player(points, 0, seat.rank or 1)


def unrate_match(match: Match) -> Settlement | None:
    """Take a counted match back by compensating rows; None when there is nothing (more) to take back.

    A hook of games (ON_MATCH_REOPENED, ON_MATCH_VOIDED); a reopened match may be counted again. The rows also
    change the ratings of the seasons since.
    """
    with transaction.atomic():
        match, _seats = lock_match(match.pk)
        last = last_settlement(match)
        if last is None or last.kind == Settlement.Kind.VOID:
            return None
        changes = list(last.changes.exclude(user=None).order_by("seat"))
        standings = _locked_since([change.player for change in changes], last)
        void = Settlement.objects.create(
            match=match,
            round=last.round,
            kind=Settlement.Kind.VOID,
            game_slug=last.game_slug,
            season=last.season,
            at=last.at,
        )
        rows = []
        for change in changes:
            own = standings[change.player, ALL_TIME]
            delta = rating.moved(own.rating, -change.delta)
            now = rating.Player(own.rating, own.matches, change.rank)
            rows.append(_change(void, change.seat, change.player, now, delta))
            for (player, season), standing in standings.items():
                if player == change.player:
                    _take_back(standing, delta, change.rank, counted=season in (ALL_TIME, last.season))
        _write(rows, standings)
    return void


def _take_back(standing: Standing, delta: int, rank: int, *, counted: bool) -> None:
    standing.rating += rating.moved(standing.rating, delta)
    if counted:
        standing.matches -= 1
        standing.wins -= rank == 1


def count_again(match_id: int) -> Settlement | None:
    """Count an ended match that does not count now, such as one that was taken back."""
    with transaction.atomic():
        match, seats = lock_match(match_id)
        return rate_match(match, seats)


def record_team(match: Match, seats: Sequence[Seat]) -> None:
    """Store the score of a team of members that played to the end; a hook of games (ON_MATCH_END)."""
    together = match.ending == Match.Ending.PLAYED and match.game.is_cooperative(match.options)
    complete = together and match.voided_at is None and not match.sandbox and all(seat.is_in for seat in seats)
    if not complete or match.outcome is None:
        return
    people = User.objects.filter(pk__in=[seat.user_id for seat in seats])
    if people.filter(Q(is_guest=True) | Q(owner__isnull=False)).exists():
        return
    facts = {"game_slug": match.game_slug, "score": match.outcome["scores"][0], "at": match.ended_at}
    TeamResult.objects.update_or_create(match=match, defaults=facts)


def forget_team(match: Match) -> None:
    """Delete the team's score of a match; a hook (ON_MATCH_REOPENED, ON_MATCH_VOIDED)."""
    TeamResult.objects.filter(match=match).delete()


def _change(settlement: Settlement, seat: int, member: int, player: rating.Player, delta: int) -> RatingChange:
    return RatingChange(
        settlement=settlement,
        seat=seat,
        user_id=member,
        player=member,
        rank=player.rank,
        matches=player.matches,
        before=player.rating,
        delta=delta,
        after=player.rating + delta,
    )


def _locked(game_slug: str, members: Sequence[int], season: str, ended: datetime) -> Standings:
    """Lock these members' standings of all time and of the season, made where there were none.

    They are made in the order of members before any is locked: so nobody who waits for a row that another
    makes holds one that the other needs.
    """
    board = Standing.objects.filter(game_slug=game_slug, season__in=(ALL_TIME, season), user_id__in=members)
    there = set(board.values_list("user_id", "season"))
    wanted = [(member, name) for member in sorted(members) for name in (ALL_TIME, season)]
    missing = [
        Standing(user_id=member, game_slug=game_slug, season=name, last_active=ended)
        for member, name in wanted
        if (member, name) not in there
    ]
    Standing.objects.bulk_create(missing, ignore_conflicts=True)
    return _by_member(board.select_for_update().order_by("pk"))


def _locked_since(members: Sequence[int], settlement: Settlement) -> Standings:
    """Lock these members' standings of all time, and of the settlement's season and those after it."""
    board = Standing.objects.filter(game_slug=settlement.game_slug, user_id__in=members)
    wanted = board.filter(season=ALL_TIME) | board.filter(season__gte=settlement.season)
    return _by_member(wanted.select_for_update().order_by("pk"))


def _by_member(standings: Iterable[Standing]) -> Standings:
    return {(standing.user_id, standing.season): standing for standing in standings}


def _write(rows: Sequence[RatingChange], standings: Standings) -> None:
    RatingChange.objects.bulk_create(rows)
    Standing.objects.bulk_update(standings.values(), CHANGED)
    ranks.reflect(standings.values())
