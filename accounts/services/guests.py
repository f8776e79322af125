"""Guests: people who play before they sign up, and how their matches follow them into an account."""

import random
from typing import Any

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, login
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django.utils.translation import get_language

from accounts.models import User
from accounts.names import GUEST_PREFIX
from config.lib import time_zones

# Spelt alike in French and English.
ANIMALS = (
    *("bison", "caracal", "cobra", "condor", "dingo", "fennec", "gecko", "ibis", "impala", "jaguar", "koala"),
    *(
        "lynx",
        "mandrill",
        "ocelot",
        "okapi",
        "panda",
        "puma",
        "quokka",
        "serval",
        "tapir",
        "toucan",
        "wombat",
    ),
)
NUMBERS = ((10, 99), (100, 999), (1000, 9999), (10**5, 10**6 - 1), (10**7, 10**8 - 1))


class TooManyGuests(Exception):
    """This address has made more guests than people make; it is to wait, or to sign up."""


class GuestStays(Exception):
    """A hook's refusal: the guest's matches cannot move to the member (both sit in one, for instance)."""


def ensure_player(request: HttpRequest) -> User:
    """Return who plays: the person logged in, else a new guest, now logged in by this session.

    Call it in a POST. Raise TooManyGuests when the client's address has made too many.
    """
    if request.user.is_authenticated:
        return request.user
    if not ratelimit.consume(request, action="guest"):
        raise TooManyGuests
    language = (get_language() or settings.LANGUAGE_CODE)[:2]
    guest = make_guest(language=language, time_zone=time_zones.zone_of_request(request))
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    return guest


def make_guest(*, language: str, time_zone: str) -> User:
    """Make a guest with a friendly name that nobody has, and no password."""
    for lowest, highest in NUMBERS:
        name = f"{GUEST_PREFIX}{random.choice(ANIMALS)}-{random.randint(lowest, highest)}"
        try:
            with transaction.atomic():
                return User.objects.create(
                    username=name,
                    password=make_password(None),
                    is_guest=True,
                    language=language,
                    time_zone=time_zone,
                )
        except IntegrityError:  # somebody has that name: more digits
            continue
    raise TooManyGuests


def join(*, guest: User, member: User) -> None:
    """Hand what the guest has to the member, by the hooks of ON_GUEST_JOINS, and delete the guest.

    When a hook raises GuestStays, or the guest's row is still needed, nothing moves; the row stays, inactive.
    """
    with transaction.atomic():
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
    """Forget the guest in their session, whose other contents the coming log-in keeps."""
    keys: tuple[Any, ...] = (SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY)
    for key in keys:
        session.pop(key, None)
