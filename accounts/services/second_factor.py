"""Second factors: whether a member has one, and has shown it in this session."""

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from accounts.models import User

TYPES = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def has_one(user: User) -> bool:
    """Return whether this member has an app or a key; recovery codes alone are none."""
    return is_mfa_enabled(user, TYPES)


def is_shown(session: SessionBase, user: User) -> bool:
    """Return whether this member has a second factor, and has logged in or proved to be themselves by it here."""
    request = HttpRequest()  # all that allauth reads of it
    request.session = session
    shown = any(record["method"] == "mfa" for record in get_authentication_records(request, user))
    return shown and has_one(user)


def opens_rights(session: SessionBase, user: User) -> bool:
    """Return whether a member of staff may use the rights of staff in this session (STAFF_SECOND_FACTOR)."""
    return not settings.STAFF_SECOND_FACTOR or is_shown(session, user)
