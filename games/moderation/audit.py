"""The one way to write down what a moderator does: in the transaction in which it is done."""

from typing import Any

from accounts.models import User
from accounts.texts import clean_text
from games.moderation.models import LONGEST_REASON, Audit


class NoReason(Exception):
    """Nothing is done without saying why."""


def reason_of(text: str) -> str:
    """Return the reason as it is kept; NoReason when there is none."""
    reason = clean_text(text)[:LONGEST_REASON]
    if not reason:
        raise NoReason
    return reason


def note(moderator: User, deed: str, reason: str, *, details: str = "", **about: Any) -> Audit:
    """Append a row: who, when, what, why, about whom or what. NoReason."""
    return Audit.objects.create(
        moderator=moderator, deed=deed, reason=reason_of(reason), details=details[:200], **about
    )
