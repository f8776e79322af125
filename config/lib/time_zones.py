"""Time zones: which exist, the choices of a form, and the default of a new person."""

from collections import defaultdict
from datetime import date, datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

AREAS = {
    "Europe": _("Europe"),
    "America": _("America"),
    "Africa": _("Africa"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic Ocean"),
    "Australia": _("Australia"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific Ocean"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
}
NOT_PLACES = {"localtime", "Factory", "posixrules"}  # files of a machine, which a database does not know
UNKNOWN = "UTC"
BY_LANGUAGE = {"fr": "Europe/Paris"}

Choices = list[tuple[object, object]]


@cache
def known() -> frozenset[str]:
    """Return the names of the time zones that this machine knows."""
    return frozenset(available_timezones() - NOT_PLACES)


@cache
def _grouped() -> dict[str, list[tuple[str, str]]]:
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name in sorted(known()):
        area, _slash, place = name.partition("/")
        groups[area].append((name, place.replace("_", " ").replace("/", ", ")))
    return groups


def is_zone(name: str) -> bool:
    """Return whether this machine knows a time zone of that name."""
    return name in known()


def by_hour(at: datetime) -> dict[tuple[date, int], list[str]]:
    """Return the known zones by the day and the hour that it is there at an instant."""
    zones: dict[tuple[date, int], list[str]] = defaultdict(list)
    for name in sorted(known()):
        there = at.astimezone(ZoneInfo(name))
        zones[there.date(), there.hour].append(name)
    return zones


def zone(name: str) -> ZoneInfo | None:
    """Return the zone of that name, or None when it is unknown."""
    return ZoneInfo(name) if is_zone(name) else None


def choices(present: str = "UTC") -> Choices:
    """Return the zones as choices grouped by area; `present` is offered even without an area."""
    loose = [(name, name) for name in dict.fromkeys(("UTC", present)) if name.partition("/")[0] not in AREAS]
    return [*loose, *((label, _grouped()[area]) for area, label in AREAS.items())]


def posted_zone(request: HttpRequest) -> str:
    """Return the device's zone that the page's script posted as `time_zone`; empty if there is none."""
    posted = request.POST.get("time_zone", "")
    return posted if is_zone(posted) else ""


def zone_of_request(request: HttpRequest) -> str:
    """Return the posted zone, else the language's default."""
    return posted_zone(request) or BY_LANGUAGE.get((get_language() or "")[:2], UNKNOWN)


def is_guessed(name: str) -> bool:
    """Return whether this zone may be one that nobody has told us: a language's default."""
    return name in (UNKNOWN, *BY_LANGUAGE.values())
