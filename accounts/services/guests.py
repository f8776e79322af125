"""Guests: people who play before they sign up, and how their matches move to an account."""

import random

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, login
from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django.utils.translation import get_language

from accounts.models import User
from accounts.names import GUEST_PREFIX
from accounts.services import membership
from config.lib import time_zones
from config.lib.giving_way import until_free

# Spelt alike in French and English.
ANIMALS = (
    *("bison", "caracal", "cobra", "condor", "dingo", "fennec", "gecko", "ibis", "impala", "jaguar"),
    *("koala", "lynx", "mandrill", "ocelot", "okapi", "panda", "puma", "quokka", "serval", "tapir"),
    *("toucan", "wombat"),
)
NUMBERS = ((10, 99), (100, 999), (1000, 9999), (10**5, 10**6 - 1), (10**7, 10**8 - 1))


class TooManyGuests(Exception):
    """This IP address has created too many guests."""


class GuestStays(Exception):
    """Raised by a hook when the guest's matches cannot move to the member (both sit in one, for instance)."""


def ensure_player(request: HttpRequest) -> User:
    """Return the person logged in, else log in a new guest and return it; only in a POST. TooManyGuests.

    A guest whose time zone is a guess takes the one posted.
    """
    if request.user.is_authenticated:
        if request.user.is_guest:
            _take_zone(request.user, time_zones.posted_zone(request))
        return request.user
    if not ratelimit.consume(request, action="guest"):
        raise TooManyGuests
    language = (get_language() or settings.LANGUAGE_CODE)[:2]
    guest = make_guest(language=language, time_zone=time_zones.zone_of_request(request))
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    return guest


def come_back(request: HttpRequest, guest_id: int) -> None:
    """Log a guest in again, in whose name this browser has just posted without hearing of it; no member."""
    guest = User.objects.filter(pk=guest_id, is_guest=True, is_active=True).first()
    if guest is not None:
        login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])


def _take_zone(guest: User, zone: str) -> None:
    if zone and zone != guest.time_zone and time_zones.is_guessed(guest.time_zone):
        membership.change_times(user_id=guest.pk, time_zone=zone)


def make_guest(*, language: str, time_zone: str) -> User:
    """Create a guest with a new name and no password."""
    for lowest, highest in NUMBERS:
        name = f"{GUEST_PREFIX}{random.choice(ANIMALS)}-{random.randint(lowest, highest)}"
        try:
            with transaction.atomic():
                guest = User(username=name, is_guest=True, language=language, time_zone=time_zone)
                guest.set_unusable_password()
                guest.save(force_insert=True)
                return guest
        except IntegrityError:  # the name is taken: more digits
            continue
    raise TooManyGuests


def join(*, guest: User, member: User) -> None:
    """Move what the guest has to the member, by the hooks of ON_GUEST_JOINS, and delete the guest.

    When a hook raises GuestStays, or the row is still referenced, nothing moves and the guest is deactivated.
    """
    until_free(lambda: _join(guest, member))


def _join(guest: User, member: User) -> None:
    locked = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()
    if locked is None:  # signed up, or joined, in another tab meanwhile
        return
    try:
        with transaction.atomic():
            for path in settings.ON_GUEST_JOINS:
                import_string(path)(locked, member)
            locked.delete()
    except (GuestStays, ProtectedError):
        User.objects.filter(pk=guest.pk).update(is_active=False)


def leave_session(session: SessionBase) -> None:
    """Remove the guest from the session, whose other contents the following log-in keeps."""
    for key in (SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY):
        session.pop(key, None)
