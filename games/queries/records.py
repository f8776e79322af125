"""What a match was for somebody who played it, among their earlier ones: a best score, a first win, wins in a row."""

from typing import Any, NamedTuple

from games.models import Match, Seat

LOOKED_AT = 300  # earlier matches of a game


class Record(NamedTuple):
    """`beaten` is the best score before, if this one is better; `first` whether it is the first win at the game.

    `row` is how many matches were won in a row, this one among them; 0 without a win.
    """

    beaten: int | None
    first: bool
    row: int


NONE = Record(None, False, 0)


def record_of(match: Match, own: Seat) -> Record:
    """Return what the end of this match was for who sits there; NONE if it counts for nothing, or they left it.

    Scores are those of as many seats with the same options; a win together is none, and a lesson nothing at all.
    """
    is_in = own.rank is not None and own.is_in and not own.substituted
    if match.status != Match.Status.ENDED or match.voided_at or match.prepared is not None or not is_in:
        return NONE
    counted = Seat.objects.filter(user=own.user, rank__isnull=False, substituted=False)
    of_game = counted.filter(match__game_slug=match.game_slug, match__prepared__isnull=True)
    earlier = of_game.filter(
        match__status=Match.Status.ENDED, match__voided_at__isnull=True, match__ended_at__lt=match.ended_at
    )
    columns: tuple[str, ...] = ("rank", "score", "match__size", "match__options", "match__ending")
    found = list(earlier.order_by("-match__ended_at", "-match_id").values_list(*columns)[:LOOKED_AT])
    alike = [score for _rank, score, *kind in found if kind == [match.size, match.options, Match.Ending.PLAYED]]
    best = max((score for score in alike if score is not None), default=None)
    is_better = best is not None and own.score is not None and own.score > best
    return Record(best if is_better and match.ending == Match.Ending.PLAYED else None, *_wins(match, own, found))


def _wins(match: Match, own: Seat, earlier: list[tuple[Any, ...]]) -> tuple[bool, int]:
    if own.rank != 1 or match.game.is_cooperative(match.options):
        return False, 0
    contests = [rank for rank, _score, _size, options, _ending in earlier if not match.game.is_cooperative(options)]
    row = next((number for number, rank in enumerate(contests) if rank != 1), len(contests))
    return 1 not in contests, row + 1
