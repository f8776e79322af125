"""The only way to record what a moderator or admin does, in the same transaction."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib.texts import clean_text
from games.models import LONGEST_REASON, Audit
from games.services.refusals import Refused


class NoReason(Refused):
    """A reason is required."""

    status = 400
    sentence = _("Say why.")


def reason_of(text: str) -> str:
    """Return the cleaned reason; NoReason when there is none."""
    reason = clean_text(text)[:LONGEST_REASON]
    if not reason:
        raise NoReason
    return reason


def note(moderator: User, deed: str, reason: str | None, *, details: str = "", **about: Any) -> Audit:
    """Append an audit row. NoReason for an empty reason; None for actions that need none."""
    why = "" if reason is None else reason_of(reason)
    return Audit.objects.create(moderator=moderator, deed=deed, reason=why, details=details[:200], **about)
