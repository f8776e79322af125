"""Mails are turned off, by a link that needs no log-in: its token names the member and the topics."""

from collections.abc import Iterable

from django.core import signing
from django.db import transaction

from accounts.models import User
from games.models import TOPICS

ALL = tuple(TOPICS)
SALT = "games.mails"


class BadToken(Exception):
    """The link was not made by this site, or is damaged, or its member is gone."""


def token(user_id: int, topics: Iterable[str]) -> str:
    """Return what the link carries; it is good for ever, as mails are kept."""
    return signing.dumps([user_id, list(topics)], salt=SALT)


def read(text: str) -> tuple[User, list[str]]:
    """Return the member and the topics that a link names. BadToken."""
    try:
        user_id, topics = signing.loads(text, salt=SALT)
    except signing.BadSignature as error:
        raise BadToken from error
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        raise BadToken
    return user, [topic for topic in topics if topic in ALL]


def turn_off(user_id: int, topics: Iterable[str]) -> None:
    """Send this member no more mails about these topics."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        user.mail_off = sorted({*user.mail_off, *topics})
        user.save(update_fields=["mail_off"])
