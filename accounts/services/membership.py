"""Sign-up, taken names, and changes of a member's settings with their hooks."""

from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.module_loading import import_string

from accounts.models import User
from accounts.names import looks_of
from config.lib import clock, time_zones
from config.lib.sockets import person_changed


def times_changed(user: User) -> None:
    """Call the hooks of ON_TIMES_CHANGE with the member's id after commit."""
    user_id = user.pk
    for path in settings.ON_TIMES_CHANGE:
        transaction.on_commit(lambda path=path: import_string(path)(user_id), robust=True)  # type: ignore[misc]


class NameTaken(Exception):
    """The user name, or one that looks like it, is taken."""


class GuestGone(Exception):
    """The guest signed up or logged in in another tab meanwhile."""


def name_is_taken(name: str, *, but: User | None = None) -> bool:
    """Return whether another person has this name or one that looks like it."""
    return User.objects.filter(skeleton__in=looks_of(name)).exclude(pk=but.pk if but and but.pk else 0).exists()


def sign_up(*, name: str, email: str, password: str, language: str, time_zone: str, guest: User | None = None) -> User:
    """Create a member with an unconfirmed address; a guest's row, with its matches, becomes the member's.

    A guest's time zone that was a guess gives way to `time_zone`. NameTaken, also when two look-alikes sign
    up at the same moment; GuestGone.
    """
    try:
        with transaction.atomic():
            user: User | None = User(language=language, time_zone=time_zone)
            if guest is not None:
                user = User.objects.select_for_update(no_key=True).filter(pk=guest.pk, is_guest=True).first()
            if user is None:
                raise GuestGone
            if time_zones.is_guessed(user.time_zone) and user.time_zone != time_zone:
                user.time_zone = time_zone
                times_changed(user)
            user.username = name
            user.is_guest = False
            user.date_joined = clock.now()
            user.set_password(password)
            user.save()
            EmailAddress.objects.create(user=user, email=email.lower(), primary=True)
            if guest is not None:
                for path in settings.ON_GUEST_SIGNS_UP:
                    import_string(path)(user)
    except IntegrityError as error:
        raise NameTaken(name) from error
    return user


def keep_address(user: User) -> None:
    """Give a confirmed address its row among allauth's, which one that an admin entered has not.

    Without it allauth would take the address for unconfirmed, drop it when the member asks for another, and go on
    sending codes to the one before.
    """
    known = EmailAddress.objects.filter(user=user)
    if not user.email or known.filter(email=user.email, verified=True).exists():
        return
    with transaction.atomic():
        EmailAddress.objects.filter(email=user.email, verified=True).exclude(user=user).delete()  # left over
        known.filter(verified=True).delete()
        known.filter(primary=True).update(primary=False)
        known.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})


def change_times(*, user_id: int, **fields: Any) -> None:
    """Store these fields of a person, with the hooks of ON_TIMES_CHANGE if zone or quiet hours differ.

    And with those of ON_INVITATIONS_CHANGE if who may invite them does, of ON_NAME_IN_RECORDS if that does.
    """
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        before, invited_by, was_named = _times(user), user.invitations_from, user.named_in_records
        for name, value in fields.items():
            setattr(user, name, value)
        user.save(update_fields=list(fields))
        if _times(user) != before:
            person_changed(user_id)
            times_changed(user)
        if user.invitations_from != invited_by:
            for path in settings.ON_INVITATIONS_CHANGE:
                import_string(path)(user)
        if user.named_in_records != was_named:
            for path in settings.ON_NAME_IN_RECORDS:
                import_string(path)(user)


def _times(user: User) -> tuple[object, ...]:
    return user.time_zone, user.quiet_from, user.quiet_until
