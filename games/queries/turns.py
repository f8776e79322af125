"""The turns of matches, wherever they lie: in rows, or compressed in the archive of a match that ended."""

import json
import zlib
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Any

from django.db.models import Count

from config.lib import sql
from games.models import Archive, Match, Turn

LAST = 2**31  # beyond any turn's number
BY_PERSON = (Turn.By.PERSON, Turn.By.ORDERS, Turn.By.NEEDLESS)
COLUMNS = ("number", "seat", "by", "move", "draws", "events", "at")  # of which a body holds one list each

# Raw SQL on the path of a move (docs/decisions/0003-written-out-reads.md).
_LAST_TURNS = """
    SELECT id, number, seat, "by", events, at
    FROM games_turn WHERE match_id = %s AND number > %s AND number <= %s ORDER BY number"""


def of_match(match_id: int, *, after: int = 0, until: int = LAST) -> list[Turn]:
    """Return the turns of a match in order, those after `after` up to `until`."""
    found = Turn.objects.filter(match_id=match_id, number__gt=after, number__lte=until).order_by("number")
    rows = found.only("match", *COLUMNS)
    # Again, as an archive may have been brought back between the first look and the second.
    return list(rows) or archived(match_id, after=after, until=until) or list(rows.all())


def all_turns(match: Match) -> list[Turn]:
    """Return the turns of a match in order, up to its own last: later ones belong to a later state."""
    return of_match(match.pk, until=match.turns)


def last_turns(match: Match, *, since: int | None = None, most: int = 8) -> list[Turn]:
    """Return the last turns, oldest first: `most`, or all after `since` if those are more (up to 60)."""
    wanted = most if since is None else min(60, max(most, match.turns - since))
    after = match.turns - wanted
    found = sql.read(Turn, _LAST_TURNS, [match.pk, after, match.turns])
    is_over = match.status == Match.Status.ENDED
    return found or (of_match(match.pk, after=after, until=match.turns) if is_over else [])


def times_of(match_ids: Collection[int]) -> dict[int, list[tuple[int | None, str, int]]]:
    """Return the turns of each of these matches in order, as seat, by whom, and when (ms)."""
    found: dict[int, list[tuple[int | None, str, int]]] = {match_id: [] for match_id in match_ids}
    rows = Turn.objects.filter(match_id__in=match_ids).order_by("match_id", "number")
    for match_id, seat, by, at in rows.values_list("match_id", "seat", "by", "at"):
        found[match_id].append((seat, by, at))
    for match_id, body in Archive.objects.filter(match_id__in=match_ids).values_list("match_id", "body"):
        columns = _columns(bytes(body))
        found[match_id] = found[match_id] or list(zip(columns["seat"], columns["by"], columns["at"], strict=True))
    return found


def archived(match_id: int, *, after: int = 0, until: int = LAST) -> list[Turn]:
    """Return the turns of a match from its archive, as `of_match` does; none without one."""
    found = Archive.objects.filter(match_id=match_id).only("body").first()
    turns = unpacked(match_id, bytes(found.body)) if found else []
    return [turn for turn in turns if after < turn.number <= until]


def moves_made(match_ids: Collection[int]) -> dict[int, dict[int, int]]:
    """Return by match and seat how many moves its person made, or left to standing orders."""
    made = Turn.objects.filter(match__in=match_ids, by__in=BY_PERSON, seat__isnull=False)
    found: dict[int, dict[int, int]] = {}
    for match_id, seat, number in made.values_list("match", "seat").annotate(n=Count("pk")).order_by():
        found.setdefault(match_id, {})[seat or 0] = number
    for match_id, counts in Archive.objects.filter(match__in=match_ids).values_list("match", "made"):
        found.setdefault(match_id, {int(seat): number for seat, number in counts.items()})
    return found


def archive_of(match_id: int, turns: Sequence[Turn]) -> Archive:
    """Return the archive of a match with all these turns, not saved yet."""
    made = Counter(str(turn.seat) for turn in turns if turn.by in BY_PERSON and turn.seat is not None)
    return Archive(match_id=match_id, turns=len(turns), made=dict(sorted(made.items())), body=_packed(turns))


def _packed(turns: Sequence[Turn]) -> bytes:
    """Return turns compressed: column by column and each time less the one before, as like follows like."""
    columns: dict[str, list[Any]] = {name: [getattr(turn, name) for turn in turns] for name in COLUMNS}
    columns["at"] = [at - before for at, before in zip(columns["at"], [0, *columns["at"]], strict=False)]
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 9)


def unpacked(match_id: int, body: bytes) -> list[Turn]:
    """Return the turns of which `archive_of` made this body, without primary keys."""
    columns = _columns(body)
    rows = zip(*(columns[name] for name in COLUMNS), strict=True)
    return [Turn(match_id=match_id, **dict(zip(COLUMNS, row, strict=True))) for row in rows]


def _columns(body: bytes) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = json.loads(zlib.decompress(body))
    return columns | {"at": list(accumulate(columns["at"]))}
