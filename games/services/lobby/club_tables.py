"""Tables for members of a club alone: who may open, join and be asked, and what leaving the club does there."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib.giving_way import lock_at_once
from config.lib.sockets import person_changed
from games.models import Club, Invitation, Match
from games.queries import clubs
from games.services.lobby import closing
from games.services.play.locking import lock_match
from games.services.refusals import Invalid, NotOfClub

OPEN, CLUB = Match.Status.OPEN, Match.Access.CLUB


def check_opening(access: str, club: Club | None, creator: User, *, waits: bool) -> None:
    """Refuse (NotOfClub) a table of a club by who does not belong to it; Invalid: such access without a club.

    If it `waits`, the club is locked: whoever leaves or dissolves it at this instant finds the table. A rematch, which
    holds its match, waits for no club.
    """
    if (access == CLUB) != (club is not None):
        raise Invalid(_("Choose the club for whose members the table is."))
    if club is not None and waits:
        list(Club.objects.select_for_update(no_key=True).filter(pk=club.pk))
    if club is not None and not clubs.belongs(club.pk, creator):
        raise NotOfClub


def refuse_strangers(match: Match, user: User) -> None:
    """Refuse (NotOfClub) a member who does not belong to the club of a table."""
    if match.is_of_club and not clubs.belongs(match.club_id, user):
        raise NotOfClub


def obstacles(access: str, club: Club | None, guests: Iterable[User]) -> dict[int, str]:
    """Return who cannot be asked to a table with such access, as they do not belong to its club: why, by their ids."""
    asked = list(guests)
    if access != CLUB or not asked:
        return {}
    inside = set(clubs.members_of(club.pk if club else 0).filter(user__in=asked).values_list("user_id", flat=True))
    why = _("%(name)s does not belong to the club of this table.")
    return {guest.pk: why % {"name": guest.username} for guest in asked if guest.pk not in inside}


def place_of_rematch(old: Match, user: User) -> tuple[str, Club | None]:
    """Return who may join a rematch that this member asks for: as before; without their club, who is invited."""
    if not old.is_of_club:
        return old.access, None
    return (CLUB, old.club) if clubs.belongs(old.club_id, user) else (Match.Access.INVITATION, None)


def leave_club(club_id: int, user_id: int) -> None:
    """Free the seats of who leaves a club at its open tables, and withdraw invitations there; they see no more of it.

    A hook (ON_LEAVING_CLUB), in the transaction in which they stopped belonging to it. Whoever sits down at this
    instant is waited for.
    """
    tables = _lock_open(club_id)
    Invitation.objects.filter(user=user_id, match__in=tables).delete()
    for match_id in tables:
        match, seats = lock_match(match_id)
        leaving = [seat for seat in seats if seat.user_id == user_id]
        if leaving:
            closing.get_up(match, seats, leaving)
    person_changed(user_id)  # their pages ask anew what they may see


def close_tables(club_id: int) -> None:
    """Close the open tables of a club; pages of its members ask anew what they may see.

    A hook (ON_DISSOLVING_CLUB), in the transaction that deletes it.
    """
    for match_id in _lock_open(club_id):
        match, seats = lock_match(match_id)
        closing.close(match, seats)
    for user_id in clubs.members_of(club_id).values_list("user_id", flat=True):
        person_changed(user_id)


def lock_tables(user: User) -> None:
    """Lock the open tables of all clubs to which somebody belongs. GiveWay.

    A hook (ON_ACCOUNT_CLOSING), of a transaction that holds the person's row and leaves the clubs next.
    """
    lock_at_once(_open_tables(clubs.club_ids_of(user)))


def _lock_open(club_id: int) -> list[int]:
    return list(_open_tables([club_id]).select_for_update(no_key=True).values_list("pk", flat=True))


def _open_tables(of: Any) -> QuerySet[Match]:
    """Return the open tables for members of these clubs, by number."""
    return Match.objects.filter(club__in=of, access=CLUB, status=OPEN).order_by("pk")
