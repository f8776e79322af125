"""Seasons: calendar quarters in UTC, with names that sort by time ("2026-Q4")."""

import re
from datetime import UTC, datetime

ALL_TIME = ""
NAME = re.compile(r"(20[0-9]{2})-Q([1-4])")


def season_of(at: datetime) -> str:
    """Return the season of an instant."""
    local = at.astimezone(UTC)
    return f"{local.year}-Q{(local.month + 2) // 3}"


def parts(season: str) -> tuple[int, int]:
    """Return year and quarter of a season's name; ValueError for any other text."""
    found = NAME.fullmatch(season)
    if found is None:
        raise ValueError(season)
    return int(found[1]), int(found[2])


def start_of(season: str) -> datetime:
    """Return when a season begins. ValueError."""
    year, quarter = parts(season)
    return datetime(year, 3 * quarter - 2, 1, tzinfo=UTC)


def end_of(season: str) -> datetime:
    """Return when a season is over, and the next begins. ValueError."""
    return start_of(next_of(season))


def next_of(season: str) -> str:
    """Return the season after this one. ValueError."""
    year, quarter = parts(season)
    return f"{year}-Q{quarter + 1}" if quarter < 4 else f"{year + 1}-Q1"


def before(season: str) -> str:
    """Return the season before this one. ValueError."""
    year, quarter = parts(season)
    return f"{year}-Q{quarter - 1}" if quarter > 1 else f"{year - 1}-Q4"


def seasons_between(first: str, last: str) -> list[str]:
    """Return all seasons from first to last, both included, the latest first."""
    year, quarter = parts(last)
    found = []
    while (season := f"{year}-Q{quarter}") >= first:
        found.append(season)
        year, quarter = (year, quarter - 1) if quarter > 1 else (year - 1, 4)
    return found
