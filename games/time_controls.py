"""The time controls: how much time a seat has, and what a completed turn adds (spec: site.md, Clocks)."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LIVE = "live"


class UnknownPace(LookupError):
    """No time control has this slug."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"unknown pace {slug!r}")


@dataclass(frozen=True)
class TimeControl:
    """A seat starts with `bank`; each completed turn adds `increment`, up to `cap`."""

    slug: str
    label: str | Promise
    bank: timedelta
    increment: timedelta
    cap: timedelta
    note: str | Promise = ""

    @property
    def is_live(self) -> bool:
        """Whether it is for live play: no days off, no quiet hours, out at the first time-out."""
        return self.slug == LIVE


def _days(number: int, label: str | Promise) -> TimeControl:
    time = timedelta(days=number)
    return TimeControl(f"{number}d", label, time, time, time)


_LIVE_TIMES = (timedelta(minutes=5), timedelta(seconds=20), timedelta(minutes=5))
_WEEK_TIMES = (timedelta(days=3), timedelta(hours=12), timedelta(days=7))
_WEEK_NOTE = _("3 days at the start, plus 12 hours a turn, up to 7 days")

TIME_CONTROLS: dict[str, TimeControl] = {
    pace.slug: pace
    for pace in (
        TimeControl(LIVE, _("Live"), *_LIVE_TIMES, _("5 minutes in all, plus 20 seconds a turn")),
        _days(1, _("1 day a move")),
        _days(2, _("2 days a move")),
        _days(3, _("3 days a move")),
        _days(7, _("7 days a move")),
        _days(14, _("14 days a move")),
        TimeControl("week", _("A week for all moves"), *_WEEK_TIMES, _WEEK_NOTE),
    )
}
USUAL = "3d"
PATIENT = "14d"  # of matches against bots alone


def pace_of(slug: str) -> TimeControl:
    """Return the time control of this slug. UnknownPace."""
    if slug not in TIME_CONTROLS:
        raise UnknownPace(slug)
    return TIME_CONTROLS[slug]


def pace_name(slug: str) -> str:
    """Return the name of a time control; of one that is not known its slug."""
    return str(TIME_CONTROLS[slug].label) if slug in TIME_CONTROLS else slug
