"""A member's calendar as iCalendar (RFC 5545): when their time runs out, and their days off."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from icalendar import Calendar, Event, vDuration

from accounts.models import User
from accounts.services.days_off import Day
from config.lib import clock, sql
from config.lib.formats import listing
from games.clocks import at_ms
from games.models import Match, Seat
from games.queries import play
from games.queries.readable import each
from games.table import name_and_badge

READ_ANEW = timedelta(hours=1)  # what calendar programs are asked for


@sql.snapshot()
def calendar_of(user: User) -> bytes:
    """Return the member's calendar in their language; the same bytes as long as nothing in it has changed.

    It tells no more of a match than its game and who sits there: whoever is given the address may read it.
    """
    with translation.override(user.language):
        calendar = Calendar()
        for name, value in _head().items():
            calendar.add(name, value)
        calendar["refresh-interval"] = vDuration(READ_ANEW, {"value": "DURATION"})
        for event in (*_deadlines(user), *map(_day_off, user.vacation)):
            event["uid"] = f"{event['uid']}.member-{user.pk}@{urlsplit(settings.SITE_URL).hostname or 'localhost'}"
            calendar.add_component(event)
        return bytes(calendar.to_ical())


def _head() -> dict[str, Any]:
    return {
        "prodid": f"-//{settings.SITE_NAME}//calendar//EN",
        "version": "2.0",
        "calscale": "GREGORIAN",
        "x-wr-calname": settings.SITE_NAME,
        "x-published-ttl": "PT1H",
    }


def _deadlines(user: User) -> Iterator[Event]:
    """Yield an event for each open question of the member with a clock that runs by correspondence."""
    owing = play.my_turns(user).filter(match__status=Match.Status.RUNNING, deadline__gt=clock.now())
    seats = {seat.match_id: seat for seat in owing}
    matches = [match for match in play.matches_of(owing) if not match.pace.is_live]
    yield from each(matches, lambda match: _deadline(match, seats[match.pk]))


def _deadline(match: Match, seat: Seat) -> Event:
    others = listing(name_and_badge(other) for other in match.seats.all() if other.pk != seat.pk and not other.is_free)
    about = {"game": match.title, "names": others}
    event = Event()
    event["uid"] = f"match-{match.pk}"
    event.add("summary", _("Your time runs out: %(game)s with %(names)s") % about)
    event.add("dtstart", seat.deadline)
    event.add("dtstamp", seat.asked_at or seat.deadline)
    event.add("url", urljoin(settings.SITE_URL, reverse("match", args=[match.pk])))
    event.add("transp", "TRANSPARENT")
    return event


def _day_off(day: Day) -> Event:
    first = date.fromisoformat(day["day"])
    event = Event()
    event["uid"] = f"day-off-{day['day']}"
    event.add("summary", _("Day off at %(site)s") % {"site": settings.SITE_NAME})
    event.add("dtstart", first)
    event.add("dtend", first + timedelta(days=1))
    event.add("dtstamp", at_ms(day["from"]))
    event.add("transp", "TRANSPARENT")
    return event
