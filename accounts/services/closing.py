"""How an account ends: what others need of it stays, without a name, and all the rest is gone at once.

The one way to delete a person, from their settings and from the admin alike.
"""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils.module_loading import import_string

from accounts.models import User
from accounts.services import visits
from config.lib.sockets import end_sessions


class StaffStays(Exception):
    """Who has rights in the admin keeps their account until those are taken away: its log names them."""


def close_account(*, user_id: int) -> None:
    """Delete a member or guest and whatever is theirs alone. User.DoesNotExist, StaffStays.

    Other apps hand on what others still need by ON_ACCOUNT_CLOSING, before the row is locked: they lock
    matches first, as moves do. Once it is locked nobody can seat this person anywhere, and they look again.
    """
    with transaction.atomic():
        user = User.objects.get(pk=user_id)
        if user.is_staff:
            raise StaffStays
        _hand_on(user)
        user = User.objects.select_for_update().get(pk=user_id)
        _hand_on(user)
        _unname_in_admin_log(user)
        end_sessions(user.pk)
        user.delete()
        transaction.on_commit(lambda: visits.forget(user_id), robust=True)


def _hand_on(user: User) -> None:
    for path in settings.ON_ACCOUNT_CLOSING:
        import_string(path)(user)


def former(user_id: int) -> str:
    """Return what the admin's log calls somebody whose account is closed."""
    return f"former member {user_id}"


def _unname_in_admin_log(user: User) -> None:
    """Let the admin's log tell what was done to this account, no longer whose it was."""
    name = former(user.pk)
    _rename(User, [user.pk], name)
    _rename(EmailAddress, EmailAddress.objects.filter(user=user).values_list("pk", flat=True), name)
    for relation in User._meta.related_objects:
        model, field = relation.related_model, relation.field.name
        if isinstance(model, str) or model is EmailAddress or relation.many_to_many:
            continue
        told = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
        told = told.filter(object_repr__icontains=user.username)
        theirs = model._default_manager.filter(**{field: user.pk}).values_list("pk", flat=True)
        entries = told.filter(object_id__in=[str(pk) for pk in theirs])
        entries.update(object_repr=name, change_message="")


def _rename(model: type, numbers: object, name: str) -> None:
    """Give the log's entries about these rows another name; what their messages quote is left out."""
    ids = [str(number) for number in numbers]  # type: ignore[attr-defined]
    entries = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(model), object_id__in=ids
    )
    entries.filter(change_message__contains='"object"').update(change_message="")
    entries.update(object_repr=name)
