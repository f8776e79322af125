"""The one way to write down what a moderator or admin does: in the transaction in which it is done."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib.texts import clean_text
from games.models import LONGEST_REASON, Audit
from games.services.refusals import Refused


class NoReason(Refused):
    """Nothing is done without saying why."""

    status = 400
    sentence = _("Say why.")


def reason_of(text: str) -> str:
    """Return the reason as it is kept; NoReason when there is none."""
    reason = clean_text(text)[:LONGEST_REASON]
    if not reason:
        raise NoReason
    return reason


def note(moderator: User, deed: str, reason: str | None, *, details: str = "", **about: Any) -> Audit:
    """Append a row: who, when, what, why, about whom or what. NoReason; None is for what needs no reason."""
    why = "" if reason is None else reason_of(reason)
    return Audit.objects.create(moderator=moderator, deed=deed, reason=why, details=details[:200], **about)
