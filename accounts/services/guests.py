"""Guests: people who play before they sign up, and how their matches move to an account."""

import random
import re
from collections.abc import Iterable, Iterator

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, login
from django.contrib.sessions.backends.base import SessionBase
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import Block, User
from accounts.names import GUEST_PREFIX
from accounts.services import membership
from accounts.services.relationships import with_bots
from config.lib import clock, sql, time_zones
from config.lib.giving_way import until_free
from config.lib.sockets import close_sockets

# Spelt alike in French and English.
ANIMALS = (
    *("bison", "caracal", "cobra", "condor", "dingo", "fennec", "gecko", "ibis", "impala", "jaguar"),
    *("koala", "lynx", "mandrill", "ocelot", "okapi", "panda", "puma", "quokka", "serval", "tapir"),
    *("toucan", "wombat"),
)
LONGEST_TYPED = names.LONGEST - len(GUEST_PREFIX)
NUMBERS = ((10, 99), (100, 999), (1000, 9999), (10**5, 10**6 - 1), (10**7, 10**8 - 1))
SALT = "accounts.guests"


class TooManyGuests(Exception):
    """This IP address has created too many guests, or a guest came back too often."""


class GuestStays(Exception):
    """Raised by a hook when what the guest has cannot move to the member."""


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
    guest = make_guest(**_place_of(request))
    log_in(request, guest)
    return guest


def named_guest(request: HttpRequest, typed: str) -> User:
    """Return a guest under a name that somebody types, whom the caller logs in once all is done; only in a POST.

    Who is a guest under a drawn name already takes this one; who has typed one before keeps it. ValidationError when
    the name is not allowed, or is taken by a member; TooManyGuests.
    """
    person = request.user if isinstance(request.user, User) and request.user.is_guest else None
    if person is not None and not is_drawn(person.username):
        return person
    name = _typed_name(typed)
    if person is None and not ratelimit.consume(request, action="guest"):
        raise TooManyGuests
    if person is not None:
        guest = User.objects.select_for_update().get(pk=person.pk)
    else:
        guest = User(is_guest=True, **_place_of(request))
        guest.set_unusable_password()
    return _saved(guest, [GUEST_PREFIX + name, *_numbered(name)])


def _typed_name(typed: str) -> str:
    """Return the name as a guest has it, without what marks them: by the rules for members' names."""
    name = "_".join(names.normalise(typed.replace("\0", "")).split())
    if not names.SHORTEST <= len(name) <= LONGEST_TYPED:
        params = {"least": names.SHORTEST, "most": LONGEST_TYPED}
        raise ValidationError(_("A guest’s name has %(least)d to %(most)d characters."), params=params)
    names.validate_name(name)
    names.refuse_reserved(name)
    if is_drawn(GUEST_PREFIX + name):
        raise ValidationError(_("This name is reserved. Please choose another."))
    if membership.name_is_taken(name) or membership.name_is_taken(plain_name(name)):
        raise ValidationError(_("A member has this name, or one too similar. Please choose another."))
    return name


def _numbered(name: str) -> Iterator[str]:
    for lowest, highest in NUMBERS:
        number = f"-{random.randint(lowest, highest)}"
        yield GUEST_PREFIX + name[: LONGEST_TYPED - len(number)] + number


def plain_name(username: str) -> str:
    """Return what a guest typed as their name: without what marks guests, and without a number that was added."""
    return re.sub(r"-[0-9]+$", "", username.removeprefix(GUEST_PREFIX))


def is_drawn(username: str) -> bool:
    """Return whether a guest's name was drawn for them."""
    return names.is_guests(username) and plain_name(username) in ANIMALS


def _place_of(request: HttpRequest) -> dict[str, str]:
    language = (get_language() or settings.LANGUAGE_CODE)[:2]
    return {"language": language, "time_zone": time_zones.zone_of_request(request)}


def log_in(request: HttpRequest, guest: User) -> None:
    """Begin a session of this guest, in place of the present one."""
    before = request.session.session_key or ""
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    close_sockets(before)


def come_back(request: HttpRequest, guest_id: int) -> None:
    """Log a guest in again, in whose name this browser has just posted without hearing of it; no member."""
    guest = User.objects.filter(pk=guest_id, is_guest=True, is_active=True).first()
    if guest is not None and _may_come_back(request, guest):
        log_in(request, guest)


def _may_come_back(request: HttpRequest, guest: User) -> bool:
    """Count a further session of this guest, for which nobody has to log in; return whether it is within the limit."""
    return bool(ratelimit.consume(request, action="guest_back", key=str(guest.pk)))


def go_on_as(request: HttpRequest, guest: User) -> None:
    """Go on as this guest, whose link was opened; what another guest of this browser has comes along.

    TooManyGuests; User.DoesNotExist when they are gone meanwhile.
    """
    if not _may_come_back(request, guest):
        raise TooManyGuests
    here = request.user
    if isinstance(here, User) and here.is_guest and here.pk != guest.pk:
        join(guest=here, member=guest)
    log_in(request, guest)


def token_of(guest: User) -> str:
    """Return what a link carries that opens this guest's session on another device."""
    return signing.dumps([guest.pk, int(clock.now().timestamp())], salt=SALT)


def guest_behind(token: str) -> User | None:
    """Return the guest whose link this is: until it is as old as a session, or they are a member or forgotten."""
    try:
        number, since = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    if clock.now().timestamp() > since + settings.SESSION_COOKIE_AGE:
        return None
    return User.objects.filter(pk=number, is_guest=True, is_active=True).first()


def _take_zone(guest: User, zone: str) -> None:
    if zone and zone != guest.time_zone and time_zones.is_guessed(guest.time_zone):
        membership.change_times(user_id=guest.pk, time_zone=zone)


def make_guest(*, language: str, time_zone: str) -> User:
    """Create a guest with a new name and no password."""
    guest = User(is_guest=True, language=language, time_zone=time_zone)
    guest.set_unusable_password()
    drawn = (f"{random.choice(ANIMALS)}-{random.randint(lowest, highest)}" for lowest, highest in NUMBERS)
    return _saved(guest, (GUEST_PREFIX + name for name in drawn))


def _saved(guest: User, wanted: Iterable[str]) -> User:
    """Save the guest under the first of these names that nobody has. TooManyGuests."""
    before = guest.username
    for name in wanted:
        try:
            with transaction.atomic():
                guest.username = name
                guest.save()
                return guest
        except IntegrityError:  # the name is taken: more digits
            continue
    guest.username = before
    raise TooManyGuests


def join(*, guest: User, member: User) -> None:
    """Move what the guest has to the member, blocks and by the hooks of ON_GUEST_JOINS, and delete the guest.

    When a hook raises GuestStays, or the row is still referenced, nothing moves and the guest is deactivated. Nor does
    anything when the member's account was closed meanwhile: User.DoesNotExist.
    """
    until_free(lambda: _join(guest, member))


def _join(guest: User, member: User) -> None:
    # In one order: two guests, each of whom goes on as the other, wait for each other in none.
    people = {one.pk: User.objects.select_for_update(no_key=one is member) for one in (guest, member)}
    rows = {pk: people[pk].filter(pk=pk).first() for pk in sorted(people)}
    if rows[member.pk] is None:
        raise User.DoesNotExist
    locked = rows[guest.pk]
    if locked is None or not locked.is_guest:  # signed up, or joined, in another tab meanwhile
        return
    try:
        with transaction.atomic():
            for path in settings.ON_GUEST_JOINS:
                import_string(path)(locked, member)
            blockers = Block.objects.filter(blocked=locked).exclude(blocker=member).values_list("blocker_id", flat=True)
            for blocker_id in sql.kept(User, blockers):
                for one in with_bots(member):
                    Block.objects.get_or_create(blocker_id=blocker_id, blocked=one)
            locked.delete()
    except (GuestStays, ProtectedError):
        User.objects.filter(pk=guest.pk).update(is_active=False)


def leave_session(session: SessionBase) -> None:
    """Remove the guest from the session, whose other contents the following log-in keeps."""
    for key in (SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY):
        session.pop(key, None)
