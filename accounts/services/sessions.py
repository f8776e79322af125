"""How long sessions last: 90 days from the last day of use, staff's 12 hours; and which of them still let in."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from accounts.models import User
from config.lib import clock
from config.lib.sockets import close_sockets

RENEWED, SINCE = "renewed_on", "logged_in_at"  # keys of a session
STAFF_HOURS = timedelta(hours=12)
MOST = 50  # of one person: each log-in makes one, and looks at all


def begin(session: SessionBase) -> None:
    """Note when the person of this session logged in."""
    session[SINCE] = clock.now().timestamp()
    session[RENEWED] = clock.now().date().isoformat()


def keep_on(session: SessionBase, person: User) -> None:
    """Move the session's end on, in its row and its cookie, once on each day that it is used."""
    if person.is_staff and SINCE not in session:
        begin(session)
    today = clock.now().date().isoformat()
    if session.get(RENEWED) != today:
        session[RENEWED] = today  # a session that was changed is saved anew, and its cookie sent again


@receiver(user_logged_in)
def end_those_beyond(sender: Any, request: HttpRequest, user: User, **signal: Any) -> None:
    """End those sessions of a person, beyond the most that they may have, that were not used for longest."""
    others = UserSession.objects.filter(user_id=user.pk).exclude(session_key=request.session.session_key or "")
    if others.count() < MOST:
        return
    rows = Session.objects.filter(session_key__in=others.values("session_key")).order_by("-expire_date")
    for session in others.exclude(session_key__in=list(rows.values_list("session_key", flat=True)[: MOST - 1])):
        session.end()
        close_sockets(session.session_key)


def is_over(session: Mapping[str, Any], person: User) -> bool:
    """Return whether a member of the staff must log in again."""
    since = session.get(SINCE)
    return person.is_staff and since is not None and clock.now().timestamp() - since > STAFF_HOURS.total_seconds()


def still_good(keys: Iterable[str]) -> set[str]:
    """Return which of these sessions let their person in: not ended, and with the present password."""
    rows = Session.objects.filter(session_key__in=set(keys), expire_date__gt=clock.now())
    decoded = {row.session_key: row.get_decoded() for row in rows}
    people = User.objects.in_bulk({int(data[SESSION_KEY]) for data in decoded.values() if SESSION_KEY in data})
    return {key for key, data in decoded.items() if _lets_in(data, people.get(int(data.get(SESSION_KEY, 0))))}


def _lets_in(data: dict[str, Any], person: User | None) -> bool:
    if person is None or not person.is_active or is_over(data, person):
        return False
    return constant_time_compare(data.get(HASH_SESSION_KEY, ""), person.get_session_auth_hash())
