"""Reads of ratings: pages of boards, places on them, and the changes of a match."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Prefetch, QuerySet

from accounts.models import User
from accounts.queries import followed_ids
from config.lib import clock
from games.competitions.models import Tournament
from games.models import Match, Seat
from games.queries.clubs import members_of
from games.rules import games
from leaderboards import ranks, rating
from leaderboards.models import Championship, Medal, RatingChange, Settlement, Standing, TeamResult
from leaderboards.ranks import Board, Place
from leaderboards.seasons import ALL_TIME, season_of, seasons_between

PER_PAGE = 50
TEAMS_PER_PAGE = 25
MOST_OF_CLUB = 500  # who belong to it, at most
MOST_COUNTED = 20_000  # better ones, while Redis does not know

_TEAM = Prefetch("match__seats", Seat.objects.select_related("user").order_by("number"))


@dataclass(frozen=True)
class Row:
    """A line of a board."""

    rank: int
    standing: Standing
    is_provisional: bool


@dataclass(frozen=True)
class Page:
    """A page of a board; `total` is None when it comes from the database."""

    rows: list[Row]
    number: int
    has_next: bool
    total: int | None = None


def board_page(board: Board, number: int) -> Page:
    """Return a page (from 1) of a board, from Redis or else the database."""
    start = (number - 1) * PER_PAGE
    standings = ranks.listed(board)
    return _page(standings, ranks.page(board, start, PER_PAGE) or _slice(standings, start), number)


def followed_page(board: Board, user: User, number: int) -> Page:
    """Return a page of this member and those they follow, ranked among themselves."""
    followed = _circle(board, user)
    return _page(followed, _slice(followed, (number - 1) * PER_PAGE), number)


def _slice(standings: QuerySet[Standing], start: int, most: int = PER_PAGE) -> ranks.Slice:
    ordered = standings.order_by("-rating", "user_id").values_list("user_id", "rating")
    found = list(ordered[start : start + most + 1])
    shown = found[:most]
    equal = standings.filter(rating=shown[0][1], user_id__lt=shown[0][0]).count() if shown else 0
    return ranks.Slice(ranks.ranked(shown, start + 1 - equal, start), len(found) > most)


def _page(standings: QuerySet[Standing], part: ranks.Slice, number: int) -> Page:
    members = [member for member, _rank in part.ranked]
    by_member = {row.user_id: row for row in standings.filter(user_id__in=members).select_related("user__owner")}
    found = [(rank, by_member[member]) for member, rank in part.ranked if member in by_member]
    return Page(_rows(found), number, part.has_next, part.total)


def quick_place(board: Board, user_id: int) -> tuple[bool, Place | None]:
    """Return whether a member is on a board, and their place if Redis knows it; the database would count."""
    if (known := ranks.place(board, user_id)) is not None:
        return known.place is not None, known.place
    return ranks.listed(board).filter(user_id=user_id).exists(), None


def place_of(board: Board, user_id: int) -> Place | None:
    """Return a member's place on a board; None when not on it, or while only Redis could tell one so far down."""
    if (known := ranks.place(board, user_id)) is not None:
        return known.place
    own = ranks.listed(board).filter(user_id=user_id).first()
    return _place_among(ranks.listed(board), own) if own else None


def place_among_followed(board: Board, user: User) -> Place | None:
    """Return a member's place among those they follow; None when not on the board."""
    own = ranks.listed(board).filter(user=user).first()
    return _place_among(_circle(board, user), own) if own else None


def club_page(board: Board, club_id: int, number: int, per_page: int = PER_PAGE) -> Page:
    """Return a page of the members of a club, ranked among themselves."""
    inside = _of_club(board, club_id)
    return _page(inside, _slice(inside, (number - 1) * per_page, per_page), number)


def club_size(board: Board, club_id: int) -> int:
    """Return how many members of a club are on a board."""
    return _of_club(board, club_id).count()


def club_game(club_id: int, season: str) -> str | None:
    """Return the game at which most members of a club are on the season's board; None while nobody is on any."""
    theirs = Standing.objects.filter(user_id__in=_ids_in(club_id), season=season, matches__gt=0)
    counted = theirs.order_by().values_list("game_slug").annotate(n=Count("pk")).order_by("-n", "game_slug")
    return next((slug for slug, _n in counted if slug in games()), None)


def _of_club(board: Board, club_id: int) -> QuerySet[Standing]:
    """Return the standings of the members of a club: by number, as `_circle`."""
    return ranks.listed(board).filter(user_id__in=_ids_in(club_id))


def _ids_in(club_id: int) -> list[int]:
    return list(members_of(club_id).order_by("user_id").values_list("user_id", flat=True)[:MOST_OF_CLUB])


def _circle(board: Board, user: User) -> QuerySet[Standing]:
    """Return the standings of a member and those they follow: by number, else all of the board would be looked at."""
    return ranks.listed(board).filter(user_id__in=[user.pk, *followed_ids(user)])


def _place_among(standings: QuerySet[Standing], own: Standing) -> Place | None:
    better = standings.filter(rating__gt=own.rating)[:MOST_COUNTED].count()
    if better == MOST_COUNTED:
        return None
    equal = standings.filter(rating=own.rating, user_id__lt=own.user_id).count()
    return Place(better + 1, better + equal)


def _rows(ranked: Sequence[tuple[int, Standing]]) -> list[Row]:
    """Return lines; whether a rating is provisional depends on all matches, not on the season's."""
    seasonal = {standing.user_id: standing.game_slug for _rank, standing in ranked if standing.season}
    slugs = set(seasonal.values())
    overall = Standing.objects.filter(user_id__in=seasonal, game_slug__in=slugs, season=ALL_TIME)
    counts = dict(overall.values_list("user_id", "matches")) if seasonal else {}
    return [Row(rank, row, rating.is_provisional(counts.get(row.user_id, row.matches))) for rank, row in ranked]


def seasons_of(game_slug: str) -> list[str]:
    """Return the seasons of a game since its first rated match, the present one included, latest first."""
    present = season_of(clock.now())
    settlements = Settlement.objects.filter(game_slug=game_slug).order_by("pk")
    first = settlements.values_list("season", flat=True).first()
    return seasons_between(min(first or present, present), present)


def team_page(game_slug: str, number: int) -> tuple[list[tuple[int, TeamResult]], bool]:
    """Return a page of a game's best teams with their ranks, and whether there is another."""
    results = TeamResult.objects.filter(game_slug=game_slug).order_by("-score", "match_id")
    start = (number - 1) * TEAMS_PER_PAGE
    seated = results.select_related("match").defer("match__state").prefetch_related(_TEAM)
    found = list(seated[start : start + TEAMS_PER_PAGE + 1])
    ranked: list[tuple[int, TeamResult]] = []
    for index, result in enumerate(found[:TEAMS_PER_PAGE]):
        if index == 0:
            rank = results.filter(score__gt=result.score).count() + 1
        elif result.score != found[index - 1].score:
            rank = start + index + 1
        ranked.append((rank, result))
    return ranked, len(found) > TEAMS_PER_PAGE


def players_now(match: Match, seats: Sequence[Seat]) -> list[rating.Player]:
    """Return the players of a running match with their present ratings, by seat; all ranks are 1.

    Last come those who closed their account in it.
    """
    members = [seat.user_id for seat in seats if seat.user_id and seat.counts]
    found = Standing.objects.filter(user_id__in=members, game_slug=match.game_slug, season=ALL_TIME)
    by_user = {row.user_id: rating.Player(row.rating, row.matches, 1) for row in found}
    beginner = rating.Player(rating.START, 0, 1)
    gone = [rating.Player(row.rating, 0, 1) for row in match.departed.order_by("seat")]  # type: ignore[attr-defined]
    return [*(by_user.get(seat.user_id or 0, beginner) for seat in seats if seat.counts), *gone]


def champions(game_slug: str, season: str) -> list[int]:
    """Return the ids of the winners of a game's championship of a season; none before it is over."""
    won = Medal.objects.filter(championship__game_slug=game_slug, championship__season=season, place=1)
    return list(won.exclude(user=None).values_list("user_id", flat=True))


def hall_of_fame(game_slug: str) -> list[Championship]:
    """Return a game's championships that are over, the latest first, each with its `medals`."""
    over = Championship.objects.filter(game_slug=game_slug, medals__isnull=False).distinct().order_by("-season")
    return list(over.select_related("tournament").prefetch_related("medals__user"))


def medals_of(member: User) -> list[Medal]:
    """Return a member's medals, the latest first."""
    found = Medal.objects.filter(user=member).select_related("championship__tournament")
    return list(found.order_by("-championship__season", "championship__game_slug"))


def coming_championship(game_slug: str) -> Championship | None:
    """Return the game's latest championship that was announced and is not over."""
    under_way = Tournament.State.OPEN, Tournament.State.RUNNING
    found = Championship.objects.filter(game_slug=game_slug, tournament__state__in=under_way)
    return found.select_related("tournament").order_by("-season").first()


def points_of(game_slug: str, members: Sequence[int]) -> dict[int, int]:
    """Return the members' ratings in a game, in whole points; without one that of beginners. A hook (RATINGS)."""
    found = Standing.objects.filter(user_id__in=members, game_slug=game_slug, season=ALL_TIME)
    return dict.fromkeys(members, rating.whole(rating.START)) | {row.user_id: row.shown for row in found}


def last_settlement(match: Match) -> Settlement | None:
    """Return the last settlement of a match: each round is counted, then perhaps taken back."""
    return Settlement.objects.filter(match=match).order_by("pk").last()


def changes_of(match: Match) -> list[RatingChange]:
    """Return the rating changes of a match, by seat; none when it does not count (any more)."""
    last = last_settlement(match)
    if last is None or last.kind == Settlement.Kind.VOID:
        return []
    return list(last.changes.order_by("seat"))


def was_taken_back(match: Match) -> bool:
    """Return whether the match was counted and taken back."""
    last = last_settlement(match)
    return last is not None and last.kind == Settlement.Kind.VOID
