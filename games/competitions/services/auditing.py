"""What moderators do to tournaments stands in the audit as well."""

from accounts.models import User
from games.competitions.models import Correction, Tournament
from games.models import Audit
from games.services.operation.admin_actions import note

MODERATE = "moderation.moderate"


def audit(
    tournament: Tournament, user: User, kind: Correction.Kind, reason: str, *, member: User | None = None
) -> None:
    """Note what a moderator did, and whom it concerns; of anybody else nothing. NoReason without one."""
    if user.has_perm(MODERATE):
        details = f"{tournament.name} ({tournament.pk}): {kind.label}"
        note(user, Audit.Deed.CONTEST, reason, details=details, member=member)
