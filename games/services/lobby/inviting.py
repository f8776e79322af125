"""Inviting members to a table: who may ask whom, and one open invitation at a time for a pair."""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from accounts.models import Follow, User
from config.lib import clock
from config.lib.steps import delete_in_steps
from games import broadcast
from games.models import Invitation, Kind, LastInvitation, Match, Seat
from games.services.mail.notices import note
from games.services.refusals import NotAsked, UnconfirmedHost

WAIT = timedelta(days=1)  # after an invitation that was not accepted
OPEN = Match.Status.OPEN


def ask(match: Match, host: User, guests: Sequence[User]) -> None:
    """Invite all of these members to an open table, or nobody, in the caller's transaction.

    Who is invited there already is left as they are. UnconfirmedHost, NotAsked with a reason for each.
    """
    asked = set(match.invitations.filter(declined=False).values_list("user_id", flat=True))
    new = sorted((guest for guest in guests if guest.pk not in asked), key=lambda guest: guest.pk)
    if not new:
        return
    if not host.is_confirmed:
        raise UnconfirmedHost
    pairs = [_locked(host, guest) for guest in new]
    if reasons := [why for pair in pairs if (why := _obstacle(pair))]:
        raise NotAsked(" ".join(reasons))
    for pair in pairs:
        pair.match, pair.at, pair.accepted = match, clock.now(), False
        pair.save()
    ask_all(match, new)


def ask_all(match: Match, guests: Sequence[User]) -> None:
    """Invite members whom no single other asks: of a circle that they chose, or whom `ask` has looked at."""
    for guest in sorted(guests, key=lambda guest: guest.pk):
        Invitation.objects.update_or_create(match=match, user=guest, defaults={"declined": False})
    people = sorted(guest.pk for guest in guests)
    note(match, Kind.INVITED, people)
    broadcast.match_changed(match.pk, match.version, people=people)
    broadcast.asked(match.pk, people)


def obstacles(host: User, guests: Sequence[User]) -> dict[int, str]:
    """Return why the host cannot invite some of these members now: a sentence by the member's id."""
    known = {pair.guest_id: pair for pair in LastInvitation.objects.filter(host=host, guest__in=guests)}
    pairs = [known.get(guest.pk) or LastInvitation(host=host, guest=guest) for guest in guests]
    return {pair.guest_id: why for pair in pairs if (why := _obstacle(pair))}


def note_accepted(match: Match, guest: User) -> None:
    """Record that the member came: whoever invited them need not wait to do so again."""
    LastInvitation.objects.filter(match=match, guest=guest).update(accepted=True)


def forget_old() -> int:
    """Delete what no longer holds anybody up; return how much."""
    old = LastInvitation.objects.filter(at__lt=clock.now() - WAIT)
    return delete_in_steps(old.filter(Q(accepted=True) | Q(match=None) | ~Q(match__status=OPEN)))


def _locked(host: User, guest: User) -> LastInvitation:
    LastInvitation.objects.get_or_create(host=host, guest=guest)
    pair = LastInvitation.objects.select_for_update().get(host=host, guest=guest)
    pair.host, pair.guest = host, guest
    return pair


def _obstacle(pair: LastInvitation) -> str:
    """Return in a sentence why the host may not invite the guest now; empty if they may."""
    names = {"name": pair.guest.username}
    if why := unwished(pair.host, pair.guest):
        return why
    if pair.accepted or pair.guest.owner_id == pair.host.pk:  # whoever tries their bot asks it often
        return ""
    if Invitation.objects.filter(match=pair.match_id, user=pair.guest, declined=False, match__status=OPEN).exists():
        return _("%(name)s has not answered your last invitation yet.") % names
    if clock.now() < pair.at + WAIT:
        return _("You invited %(name)s within the last 24 hours. Wait a day before you ask again.") % names
    return ""


def unwished(host: User, guest: User) -> str:
    """Return in a sentence that the guest takes no invitations from the host; empty if they do."""
    names = {"name": guest.username}
    if guest.invitations_from == User.Invitations.NONE:
        return _("%(name)s takes no invitations.") % names
    if guest.invitations_from == User.Invitations.KNOWN and not _knows(guest, host):
        return _("%(name)s takes invitations only from members whom they follow or have played with.") % names
    return ""


def _knows(guest: User, host: User) -> bool:
    """Return whether the guest follows the host, or sat with them in a match that began."""
    if Follow.objects.filter(follower=guest, followed=host).exists():
        return True
    with_host = Exists(Seat.objects.filter(match=OuterRef("match"), user=host))
    return Seat.objects.filter(with_host, user=guest, match__started_at__isnull=False).exists()
