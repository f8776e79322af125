"""Ratings as HTML and text: the panel of a match, a sentence for mails, a member's ratings and charts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from config.lib.formats import listing, number, signed
from games.models import Match, Seat
from games.queries.rated import MOST_OF_PAIR, WITHIN, least_moves, pairs_at_limit
from games.rules import games, get_game
from games.table import seat_name
from leaderboards import queries, rating
from leaderboards.models import Medal, RatingChange, Standing
from leaderboards.season_names import season_words
from leaderboards.seasons import ALL_TIME
from leaderboards.services import WhyNot, departed_from, ghost, why_uncounted

DRAWN = 200  # of the last changes of a rating
LEAST_DRAWN = 5  # changes; a curve of fewer says less than their number
WIDTH, HEIGHT = 600, 160
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 10, 32  # around the curve, for its scales
STEP = 50  # points between two lines of the scale, or a multiple


def rating_panel(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> SafeString:
    """Return a match's panel as HTML, empty for a casual match; a hook of games (MATCH_PANELS).

    Of one that is, or would be, casual because two members meet too often, it says so.
    """
    if match.limited or (match.rated and match.status == Match.Status.OPEN):
        words = limit_words(match, seats, viewer)
        return render_to_string("leaderboards/limited.html", {"words": words}) if words else SafeString()
    if not match.rated:
        return SafeString()
    context = _ended if match.status == Match.Status.ENDED else _stake
    return render_to_string("leaderboards/panel.html", context(match, seats, viewer))


def limit_words(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> str:
    """Return in words that the match is or will be casual because of how often two members meet; empty if not."""
    facts = {"number": number(MOST_OF_PAIR), "days": number(WITHIN.days)}
    if match.limited:
        return (
            _(
                "Casual: two who play here had already begun %(number)s rated matches of this game with each other"
                " within %(days)s days. No rating changes."
            )
            % facts
        )
    names = {seat.user_id: seat_name(seat) for seat in seats if seat.user_id}
    for pair in pairs_at_limit(match.game_slug, list(names)):
        words = _(
            "%(names)s have begun %(number)s rated matches of this game with each other within %(days)s days, and no"
            " more count: this one will be casual if it starts now."
        )
        return words % (facts | {"names": listing([names[one] for one in pair])})
    return ""


def _stake(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> dict[str, Any]:
    """Return the changes for a playing viewer as the only first and as the only last."""
    people, players = [seat for seat in seats if seat.counts], queries.players_now(match, seats)
    if viewer is None or not viewer.is_in or not viewer.counts or len(players) < 2:
        return {"running": True}
    who = [seat.number for seat in people].index(viewer.number)
    first, last = rating.forecast(players, who)
    own = players[who]
    return {
        "running": True,
        "first": gain(first),
        "last": gain(last),
        "own": rating.whole(own.rating),
        "provisional": rating.is_provisional(own.matches),
        "k": rating.k_factor(own.matches),
        "several": len(players) > 2,
        "least": least_moves(match),
    }


def _ended(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> dict[str, Any]:
    """Return everybody's change, and for a viewer who played, the points from each opponent."""
    changes = queries.changes_of(match)
    by_number = {seat.number: seat for seat in seats}
    mine = next((row for row in changes if viewer and row.seat == viewer.number), None)
    return {
        "changes": [_line(by_number[row.seat], row, viewer) for row in changes],
        "mine": _line(by_number[mine.seat], mine, viewer) if mine else None,
        "duels": _duels(match, changes, mine, by_number) if mine else [],
        "k": rating.k_factor(mine.matches) if mine else None,
        "unchanged": "" if changes else _why_unchanged(match, seats),
    }


def _why_unchanged(match: Match, seats: Sequence[Seat]) -> str:
    if queries.was_taken_back(match):
        return _("This match no longer counts: its rating changes were undone.")
    return {
        WhyNot.STOPPED: _("A moderator ended this match: no rating has changed."),
        WhyNot.CALLED_OFF: _("Called off: no rating has changed."),
        WhyNot.SHORT: _("Nobody had made two moves: no rating has changed."),
        WhyNot.GIVEN_UP: _("Given up before two had made %(moves)s moves each: no rating has changed.")
        % {"moves": number(least_moves(match))},
        WhyNot.ALONE: _("An account was closed, and nobody was left to compare with: no rating has changed."),
        WhyNot.VOIDED: _("A moderator ruled that this match does not count: no rating has changed."),
        None: _("No rating has changed."),
    }[why_uncounted(match, seats)]


def rating_news(match: Match, user: User) -> str:
    """Return a sentence on a match's change of this member's rating; "" without one."""
    mine = next((row for row in queries.changes_of(match) if row.user_id == user.pk), None)
    if mine is None:
        return ""
    words = {"delta": gain(mine.delta), "rating": rating.whole(mine.after)}
    return _("Your rating: %(delta)s, now %(rating)d.") % words


def _line(seat: Seat, row: RatingChange, viewer: Seat | None) -> dict[str, Any]:
    return {
        "number": seat.number,
        "name": seat_name(seat),
        "you": viewer is not None and viewer.number == seat.number,
        "delta": gain(row.delta),
        "before": rating.whole(row.before),
        "after": rating.whole(row.after),
        "provisional": rating.is_provisional(row.matches + 1),
    }


def _duels(
    match: Match, changes: Sequence[RatingChange], mine: RatingChange, by_number: dict[int, Seat]
) -> list[dict[str, Any]]:
    """Return one's points from each opponent, those who closed their account in the match among them."""
    players = [rating.Player(row.before, row.matches, row.rank) for row in changes]
    numbers = [row.seat for row in changes]
    for number_of_seat, points in departed_from([match.pk]).get(match.pk, {}).items():
        if number_of_seat not in numbers:
            numbers.append(number_of_seat)
            players.append(ghost(points, by_number[number_of_seat]))
    return [
        {
            "number": numbers[duel.opponent],
            "name": seat_name(by_number[numbers[duel.opponent]]),
            "rating": rating.whole(players[duel.opponent].rating),
            "provisional": rating.is_provisional(players[duel.opponent].matches),
            "expected": duel.expected,
            "result": {Decimal(1): "won", Decimal(0): "lost"}.get(duel.result, "tied"),
            "points": gain(duel.points, 1),
        }
        for duel in rating.duels(players, changes.index(mine))
    ]


def gain(hundredths: int | Decimal, digits: int = 0) -> str:
    """Return a change of a rating, in points: "+14", "−9", "±0"."""
    return signed(Decimal(hundredths) / 100, digits)


@dataclass(frozen=True)
class Point:
    """A rating in points, and since when it holds."""

    at: datetime
    rating: int


def ratings_panel(member: User) -> SafeString:
    """Return the member's ratings as HTML; a hook of games (PROFILE_PANELS)."""
    standings = {row.game_slug: row for row in Standing.objects.filter(user=member, season=ALL_TIME)}
    rated = [_game(member, standings[slug]) for slug in games() if slug in standings]
    first = next((game["slug"] for game in rated if game["chart"]), "")
    return render_to_string("leaderboards/ratings.html", {"games": rated, "open": first})


def medals_panel(member: User) -> SafeString:
    """Return the member's medals as HTML, empty without any; a hook of games (PROFILE_PANELS)."""
    medals = [
        {"place": one.place, "tournament": one.championship.tournament_id, "words": _words_of(one)}
        for one in queries.medals_of(member)
    ]
    return render_to_string("leaderboards/medals.html", {"medals": medals})


def _words_of(medal: Medal) -> str:
    about = medal.championship
    words = {"game": get_game(about.game_slug).name, "season": season_words(about.season)}
    return str(_MEDALS[medal.place]) % words


_MEDALS = {
    1: gettext_lazy("Champion of %(game)s, %(season)s"),
    2: gettext_lazy("Second in the championship of %(game)s, %(season)s"),
    3: gettext_lazy("Third in the championship of %(game)s, %(season)s"),
}


def season_panel(member: User, start: datetime, end: datetime) -> SafeString:
    """Return how the member's ratings went between two instants as HTML, if they did; a hook (SEASON_PANELS)."""
    within = RatingChange.objects.filter(user=member, settlement__at__gte=start, settlement__at__lt=end)
    rows = within.order_by("-settlement").values_list("settlement__game_slug", "before", "after", "settlement__at")
    changes: dict[str, list[Any]] = {}
    for slug, *change in reversed(rows[: DRAWN * len(games())]):
        changes.setdefault(slug, []).append(change)
    rated = [_course(slug, changes[slug]) for slug in games() if slug in changes]
    return render_to_string("leaderboards/season.html", {"games": rated}) if rated else SafeString()


def _course(slug: str, changes: Sequence[Any]) -> dict[str, Any]:
    points = [Point(changes[0][2], rating.whole(changes[0][0]))]
    points += [Point(at, rating.whole(after)) for _before, after, at in changes]
    return {
        "slug": slug,
        "name": get_game(slug).name,
        "first": points[0].rating,
        "last": points[-1].rating,
        "gain": signed(points[-1].rating - points[0].rating),
        "matches": len(changes),
        "chart": chart(points) if len(points) > LEAST_DRAWN else None,
    }


def _game(member: User, standing: Standing) -> dict[str, Any]:
    points = history(member, standing.game_slug)
    place = queries.place_of(queries.Board(standing.game_slug, ALL_TIME, member.is_bot), member.pk)
    return {
        "slug": standing.game_slug,
        "name": get_game(standing.game_slug).name,
        "rating": standing.shown,
        "provisional": standing.is_provisional,
        "matches": standing.matches,
        "wins": standing.wins,
        "rank": place.rank if place else None,
        "chart": chart(points) if len(points) > LEAST_DRAWN else None,
    }


def history(member: User, game_slug: str) -> list[Point]:
    """Return the member's rating before and after each of its last changes in a game, the oldest first."""
    changes = RatingChange.objects.filter(user=member, settlement__game_slug=game_slug)
    rows = changes.order_by("-settlement").values_list("before", "after", "settlement__at")[:DRAWN]
    last = list(rows)[::-1]
    if not last:
        return []
    start = Point(last[0][2], rating.whole(last[0][0]))
    return [start, *(Point(at, rating.whole(after)) for _before, after, at in last)]


def chart(points: list[Point]) -> dict[str, Any]:
    """Return the curve of two points or more, in the units of its picture, and its figures.

    Matches are at even distances, whatever time passed between them.
    """
    values = [point.rating for point in points]
    lowest, highest = min(values), max(values)
    step = STEP * max(1, -(-(highest - lowest) // (4 * STEP)))
    floor, ceiling = lowest // step * step, (highest // step + 1) * step

    def y(value: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (ceiling - value) / (ceiling - floor), 1)

    def x(index: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * index / (len(points) - 1), 1)

    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "label_x": LEFT - 6,
        "curve": " ".join(f"{x(index)},{y(value)}" for index, value in enumerate(values)),
        "end": {"x": x(len(points) - 1), "y": y(values[-1])},
        "scale": [{"value": value, "y": y(value)} for value in range(floor, ceiling + 1, step)],
        "base": HEIGHT - 6,
        "first": values[0],
        "last": values[-1],
        "lowest": lowest,
        "highest": highest,
        "changes": len(points) - 1,
        "since": date_format(points[0].at, "j F Y"),
        "until": date_format(points[-1].at, "j F Y"),
    }
