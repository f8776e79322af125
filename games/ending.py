"""The end of a match as its readers are told it: what decided it, the curve, and what it was for the reader."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from config.lib import clock
from games.curve import curve_of
from games.models import Match, Seat
from games.queries import records
from games.queries.dice import Luck
from games.story import Story, story_of, turning_of
from games.table import Table

CHEERED = timedelta(days=2)  # after the end, when a winner's page celebrates
FEW_DICE = 5  # of which luck is not told


def ending_of(match: Match, seats: Sequence[Seat], own: Seat | None, table: Table) -> dict[str, Any] | None:
    """Return what the page of a match that was played adds to the table of its reader; None unless it has ended."""
    if match.status != Match.Status.ENDED or not match.state:
        return None
    story = story_of(match, seats)
    is_drawn = len(story.points) > 1 and len(story.points[0][1]) > 0
    record = records.record_of(match, own) if own else records.NONE
    return {
        "curve": curve_of(story.points, together=table["cooperative"]) if is_drawn else None,
        "turning": _turning(table, story) if is_drawn else None,
        "luck": _luck(story, own) if own and match.game.has_pips else None,
        "record": record._asdict(),
        "cheers": _cheers(table, match, own, record),
    }


def _turning(table: Table, story: Story) -> dict[str, Any] | None:
    """Return what decided a match that was played to the end and counts, and that one seat won."""
    if table["voided"] or table["ending"] != Match.Ending.PLAYED or table["cooperative"] or len(table["first"]) != 1:
        return None
    return turning_of(story.points, table["first"][0])._asdict()


def _luck(story: Story, own: Seat) -> dict[str, Any] | None:
    """Return how many dice one rolled, their average, and in how many of 100 matches fair dice show fewer pips."""
    luck = Luck.of(story.faces.get(own.number, [0] * 6))
    if luck.dice < FEW_DICE:
        return None
    return {"dice": luck.dice, "average": luck.average, "above": min(99, max(1, round(100 * luck.above)))}


def _cheers(table: Table, match: Match, own: Seat | None, record: records.Record) -> bool:
    """Return whether the page celebrates: for who won it lately, or whose team was never as good."""
    if own is None or own.left is not None or match.voided_at or match.ended_at is None:
        return False
    has_won = record.beaten is not None if table["cooperative"] else own.number in table["first"]
    return has_won and clock.now() - match.ended_at < CHEERED
