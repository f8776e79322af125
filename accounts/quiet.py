"""Quiet hours: the part of each local day in which a member hears nothing."""

from datetime import UTC, datetime

from accounts import zones
from accounts.models import User

DAY = 24 * 60  # minutes
LONGEST = 12 * 60


def local(user: User, at: datetime) -> datetime:
    """Return the instant in the member's zone; in UTC when the zone is not known any more."""
    return at.astimezone(zones.zone(user.time_zone) or UTC)


def length(quiet_from: int, quiet_until: int) -> int:
    """Return how many minutes lie between two times of day."""
    return (quiet_until - quiet_from) % DAY
