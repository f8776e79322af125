"""What moderators do to a club, each deed with a reason in the audit: another name or no words, or its end."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.clubs.services import making
from games.clubs.services.locking import lock
from games.models import Audit, Club, Membership
from games.services.operation.admin_actions import done_before, mark_done, note
from games.services.refusals import Refused


class OwnClub(Refused):
    """A moderator does not correct a club that they own or organise."""

    status = 403


def correct(*, club_id: int, moderator: User, reason: str, name: str, blank: bool, key: str = "") -> Club:
    """Give a club another name, unless it is the same, and take its description away, if so; return it.

    A form that is posted twice, told by its `key`, is performed once. NoReason, NoClub, OwnClub; ValidationError
    about the name.
    """
    with transaction.atomic():
        club = lock(club_id)
        if done_before(moderator, key):
            return club
        _check_impartial(club, moderator)
        before = club.name
        if name != before:
            making.rename(club, name)
        if blank:
            club.words = ""
            club.save(update_fields=["words"])
        changes = [f"{before} → {club.name}" if club.name != before else "", _("no description") if blank else ""]
        note(moderator, Audit.Deed.CLUB, reason, details=f"{club.pk}: {', '.join(filter(None, changes))}")
        mark_done(moderator, key)
    return club


def dissolve(*, club_id: int, moderator: User, reason: str, key: str = "") -> None:
    """Dissolve a club; its members are told by mail. NoReason, NoClub, OwnClub."""
    with transaction.atomic():
        club = lock(club_id)
        if done_before(moderator, key):
            return
        _check_impartial(club, moderator)
        note(moderator, Audit.Deed.CLUB, reason, details=f"{club.pk}: {club.name}, {_('dissolved')}")
        mark_done(moderator, key)
        making.take_down(club)


def _check_impartial(club: Club, moderator: User) -> None:
    roles = (Membership.Role.OWNER, Membership.Role.ORGANISER)
    if not moderator.is_superuser and Membership.objects.filter(club=club, user=moderator, role__in=roles).exists():
        raise OwnClub(_("You organise this club: leave it to another moderator."))
