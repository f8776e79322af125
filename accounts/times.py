"""What else changes when a member's zone, quiet hours or days off do: hooks named in the settings."""

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from accounts.models import User


def times_changed(user: User) -> None:
    """Call, after commit, the functions of ON_TIMES_CHANGE with the number of the member."""
    user_id = user.pk
    for path in settings.ON_TIMES_CHANGE:
        transaction.on_commit(lambda path=path: import_string(path)(user_id), robust=True)  # type: ignore[misc]
