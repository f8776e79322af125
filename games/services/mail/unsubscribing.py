"""Unsubscribing by a link without log-in, whose token names the member and the topics."""

from collections.abc import Iterable

from django.core import signing
from django.db import transaction

from accounts.models import User
from games.models import TOPICS

ALL = tuple(TOPICS)
SALT = "games.mails"


class BadToken(Exception):
    """The link is not ours, is damaged, or its member is gone."""


def token(user_id: int, topics: Iterable[str]) -> str:
    """Return the token of the link; it never expires, as mails are kept."""
    return signing.dumps([user_id, list(topics)], salt=SALT)


def read(text: str) -> tuple[User, list[str]]:
    """Return the member and the topics of a token. BadToken."""
    try:
        user_id, topics = signing.loads(text, salt=SALT)
    except signing.BadSignature as error:
        raise BadToken from error
    if user := User.objects.filter(pk=user_id).first():
        return user, [topic for topic in topics if topic in ALL]
    raise BadToken


def turn_off(user_id: int, topics: Iterable[str]) -> None:
    """Turn off the member's mails about these topics. BadToken when they are gone meanwhile."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
        if user is None:
            raise BadToken
        off = user.topics_off | set(topics)
        user.mail_off, user.chat_mails = sorted(off - {"chat"}), "chat" not in off
        user.save(update_fields=["mail_off", "chat_mails"])
