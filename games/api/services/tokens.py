"""Tokens: made, found by what a program sends, ended."""

import hashlib
import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib import clock, sql
from config.lib.sockets import ring
from games.api.models import ApiToken, Scope
from games.services.refusals import BotsCannot, GuestsCannot, Invalid, Refused

log = structlog.get_logger(__name__)

START = "cy_"  # by which searchers of leaked secrets know them
BYTES = 32  # 43 characters of base64
LONGEST = 200  # characters of what is looked at
MOST = 20  # of one member
USED = timedelta(minutes=1)  # between two notes of its use


# Raw SQL, as each request of a program asks it (docs/decisions/0003-written-out-reads.md).
_WITH_USER = """
    SELECT api_apitoken.*, accounts_user.* FROM api_apitoken
    JOIN accounts_user ON accounts_user.id = api_apitoken.user_id WHERE api_apitoken.digest = %s"""


class UnconfirmedToken(Refused):
    status = 403
    sentence = _("Confirm your e-mail address to make tokens: the mail we sent you has the link.")


def digest_of(secret: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seal_of(user: User) -> str:
    """Return what a new password of this account makes another; of a bot, which has none, its owner's."""
    person = user.owner or user
    return salted_hmac("tokens of the API", person.get_session_auth_hash()).hexdigest()[:16]


def make(*, user: User, name: str, scopes: Iterable[str], ends_at: datetime | None) -> tuple[ApiToken, str]:
    """Make a token; return it and its secret, which is kept nowhere. `name` is one of the member's own choice."""
    if user.is_guest:
        raise GuestsCannot
    if user.is_bot:
        raise BotsCannot
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
        own, seal = ApiToken.objects.filter(user=user), seal_of(user)
        own.exclude(seal=seal).delete()  # which a new password has ended
        if own.filter(name=name).exists():
            raise Invalid(_("You have a token of this name already."))
        if own.count() >= MOST:
            raise Invalid(_("You have as many tokens as you may. End one that you no longer use."))
        in_order = [scope.value for scope in Scope if scope in wanted]
        token = ApiToken.objects.create(
            user=user, name=name, digest=digest_of(secret), seal=seal, scopes=in_order, ends_at=ends_at
        )
    log.info("token made", member=user.pk, token=token.pk, scopes=in_order)
    return token, secret


def found(secret: str) -> ApiToken | None:
    """Return the token that a program sends, with its account; None if there is none, or none any more."""
    if not secret.startswith(START) or len(secret) > LONGEST or not secret.isascii():
        return None
    rows = sql.read_with(ApiToken, User, _WITH_USER, [digest_of(secret)])
    if rows is None:
        return None
    token, [user] = rows
    token.user = user
    return token if user.is_active else None


def is_over(token: ApiToken) -> bool:
    """Return whether a token has ended: by its time, or by a new password of its account."""
    is_late = token.ends_at is not None and token.ends_at <= clock.now()
    return is_late or not constant_time_compare(token.seal, seal_of(token.user))


def still_good(token_ids: Iterable[int]) -> set[int]:
    """Return which of these tokens still let in, as streams ask from time to time."""
    rows = ApiToken.objects.select_related("user__owner").filter(pk__in=set(token_ids), user__is_active=True)
    return {token.pk for token in rows if not is_over(token)}


def own(user: User) -> list[ApiToken]:
    """Return a member's tokens that have not ended, the newest first."""
    rows = ApiToken.objects.filter(user=user).select_related("user__owner").order_by("-pk")
    return [token for token in rows if not is_over(token)]


def note_use(token: ApiToken) -> None:
    """Write that the token is used now, once a minute at most; a database that is busy is not waited for."""
    now = clock.now()
    if token.used_at is None or abs(now - token.used_at) >= USED:
        with suppress(DatabaseError):
            ApiToken.objects.filter(pk=token.pk).update(used_at=now)


def end(*, user: User, token_id: int) -> bool:
    """End one of a member's tokens; return whether there was one."""
    ended = bool(_delete(ApiToken.objects.filter(user=user, pk=token_id)))
    if ended:
        log.info("token ended", member=user.pk, token=token_id)
    return ended


def end_all(user: User) -> int:
    """End all tokens of somebody and of their bots: by “log out everywhere”, or a ban; a hook (ON_LOGGED_OUT).

    Return how many.
    """
    many = _delete(ApiToken.objects.filter(Q(user=user) | Q(user__owner=user)))
    if many:
        log.info("tokens ended", member=user.pk, many=many)
    return many


def _delete(wanted: QuerySet[ApiToken]) -> int:
    """Delete tokens, and have their streams find that out; return how many."""
    ids = list(wanted.values_list("pk", flat=True))
    ApiToken.objects.filter(pk__in=ids).delete()
    ring(*((stream_group(token_id), {"type": "stream.look"}) for token_id in ids))
    return len(ids)


def stream_group(token_id: int) -> str:
    """Return the group of the connections of a token's stream."""
    return f"stream.{token_id}"
