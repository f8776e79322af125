"""Closing an account, the only way to delete a person: what others need stays without a name."""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils.module_loading import import_string

from accounts.models import User
from accounts.services import visits
from config.lib.giving_way import until_free
from config.lib.sockets import end_sessions


class StaffStays(Exception):
    """Accounts with rights in the admin cannot be closed: the admin's log names them."""


def close_account(*, user_id: int) -> None:
    """Delete a member or guest and all that is theirs alone. User.DoesNotExist, StaffStays.

    The row is locked first, so that nobody can seat this person any more. Others may hold a match and wait for
    that row, as moves lock matches first: the hooks of ON_ACCOUNT_CLOSING wait for no match, but give way.
    """
    until_free(lambda: _close(user_id))


def _close(user_id: int) -> None:
    user = User.objects.select_for_update().get(pk=user_id)
    if user.is_staff:
        raise StaffStays
    # Their bots first, as nobody answers for those any more.
    people = [*User.objects.select_for_update().filter(owner=user).order_by("pk"), user]
    for path in settings.ON_ACCOUNT_CLOSING:
        for one in people:
            import_string(path)(one)
    for one in people:
        number = one.pk
        _unname_in_admin_log(one)
        end_sessions(number)
        one.delete()
        transaction.on_commit(lambda number=number: visits.forget(number), robust=True)  # type: ignore[misc]


def former(user_id: int) -> str:
    """Return the name of a closed account in the admin's log."""
    return f"former member {user_id}"


def _unname_in_admin_log(user: User) -> None:
    name = former(user.pk)
    _rename(User, [user.pk], name)
    _rename(EmailAddress, EmailAddress.objects.filter(user=user).values_list("pk", flat=True), name)
    for relation in User._meta.related_objects:
        model, field = relation.related_model, relation.field.name
        if isinstance(model, str) or model is EmailAddress or relation.many_to_many:
            continue
        entries = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
        theirs = model._default_manager.filter(**{field: user.pk}).values_list("pk", flat=True)
        entries = entries.filter(object_id__in=[str(pk) for pk in theirs])
        named = entries.filter(object_repr__icontains=user.username)
        named.update(object_repr=name, change_message="")


def _rename(model: type, numbers: object, name: str) -> None:
    """Rename these rows in the log, and drop messages that quote a name."""
    ids = [str(number) for number in numbers]  # type: ignore[attr-defined]
    kind = ContentType.objects.get_for_model(model)
    entries = LogEntry.objects.filter(content_type=kind, object_id__in=ids)
    entries.filter(change_message__contains='"object"').update(change_message="")
    entries.update(object_repr=name)
