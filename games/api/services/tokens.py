"""Tokens: made, found by what a program sends, ended."""

import hashlib
import logging
import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib import clock
from games.api.models import ApiToken, Scope
from games.api.services.streaming import look_again
from games.services.refusals import GuestsCannot, Invalid, Refused

log = logging.getLogger(__name__)

START = "cy_"  # by which searchers of leaked secrets know them
BYTES = 32  # 43 characters of base64
LONGEST = 200  # characters of what is looked at
MOST = 20  # of one member
USED = timedelta(minutes=1)  # between two notes of its use


class UnconfirmedToken(Refused):
    status = 403
    sentence = _("Confirm your e-mail address to make tokens: the mail we sent you has the link.")


def digest_of(secret: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(secret.encode()).hexdigest()


def make(*, user: User, name: str, scopes: Iterable[str], ends_at: datetime | None) -> tuple[ApiToken, str]:
    """Make a token; return it and its secret, which is kept nowhere. `name` is one of the member's own choice."""
    if user.is_guest:
        raise GuestsCannot
    if not user.is_confirmed:
        raise UnconfirmedToken
    return issue(user=user, name=name, scopes=[scope for scope in scopes if scope != Scope.BOT], ends_at=ends_at)


def issue(*, user: User, name: str, scopes: Iterable[str], ends_at: datetime | None) -> tuple[ApiToken, str]:
    """Make a token of this account, a bot's too, whoever asks for it: the caller has checked whether they may."""
    wanted = set(scopes)
    if not wanted or not wanted <= set(Scope.values):
        raise Invalid(_("Choose what the token is for."))
    if not name:
        raise Invalid(_("Give the token a name."))
    secret = START + secrets.token_urlsafe(BYTES)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        own = ApiToken.objects.filter(user=user)
        if own.filter(name=name).exists():
            raise Invalid(_("You have a token of this name already."))
        if own.count() >= MOST:
            raise Invalid(_("You have as many tokens as you may. End one that you no longer use."))
        in_order = [scope.value for scope in Scope if scope in wanted]
        token = ApiToken.objects.create(
            user=user, name=name, digest=digest_of(secret), scopes=in_order, ends_at=ends_at
        )
    return token, secret


def found(secret: str) -> ApiToken | None:
    """Return the token that a program sends, with its account; None if there is none, or none any more."""
    if not secret.startswith(START) or len(secret) > LONGEST:
        return None
    token = ApiToken.objects.select_related("user").filter(digest=digest_of(secret)).first()
    return None if token is None or not token.user.is_active else token


def note_use(token: ApiToken) -> None:
    """Write that the token is used now, once a minute at most; a database that is busy is not waited for."""
    now = clock.now()
    if token.used_at is None or abs(now - token.used_at) >= USED:
        with suppress(DatabaseError):
            ApiToken.objects.filter(pk=token.pk).update(used_at=now)


def end(*, user: User, token_id: int) -> bool:
    """End one of a member's tokens; return whether there was one."""
    return bool(_end(ApiToken.objects.filter(user=user, pk=token_id)))


def end_all(user: User) -> int:
    """End all tokens of somebody: by “log out everywhere”, a new password, or a ban. Return how many."""
    return _end(ApiToken.objects.filter(user=user))


def _end(wanted: QuerySet[ApiToken]) -> int:
    """Delete tokens, and have their streams find that out; return how many."""
    ids = list(wanted.values_list("pk", flat=True))
    ApiToken.objects.filter(pk__in=ids).delete()
    look_again(ids)
    return len(ids)
