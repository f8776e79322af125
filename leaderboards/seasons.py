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


def seasons_between(first: str, last: str) -> list[str]:
    """Return all seasons from first to last, both included, the latest first."""
    year, quarter = parts(last)
    found = []
    while (season := f"{year}-Q{quarter}") >= first:
        found.append(season)
        year, quarter = (year, quarter - 1) if quarter > 1 else (year - 1, 4)
    return found
