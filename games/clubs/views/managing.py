"""What its owner and its organisers do to a club, and to who belongs to it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from accounts.access import member_of
from accounts.models import User
from config.lib import rate_limits
from games.clubs.forms.making import ClubForm
from games.clubs.services import joining, making, roles
from games.clubs.services.refusals import OrganisersOnly
from games.clubs.views.finding import deed, of_members, to_club, within
from games.forms.play import read_number
from games.models import Club, Membership
from games.services.refusals import Invalid, Refused, TooOften
from games.views.once import once
from games.views.responses import with_refusals

LONGEST_NAME = 100  # of what is typed as somebody's


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
def edit(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show what a club says of itself as a form, and change it."""
    club, me = of_members(request, club_id)
    if not me.organises:
        raise OrganisersOnly
    renames, status = me.role == Membership.Role.OWNER, 200
    there = {"name": club.name, "words": club.words, "access": club.access}
    form = ClubForm(request.POST if request.method == "POST" else None, initial=there, renames=renames)
    if form.is_bound:
        status = 400
        if form.is_valid():
            try:
                return _changed(request, club, form)
            except ValidationError as error:
                form.add_error("name", error)
            except Refused as refusal:  # the form keeps the text
                form.add_error(None, str(refusal))
                status = refusal.status
    return render(request, "games/clubs/edit.html", {"form": form, "club": club, "owns": renames}, status=status)


@once
def _changed(request: HttpRequest, club: Club, form: ClubForm) -> HttpResponse:
    within(request, "manage_club")
    making.change(club_id=club.pk, user=member_of(request), **form.cleaned_data)
    messages.success(request, _("Saved."))
    return to_club(club.pk)


@deed
def invite(request: HttpRequest, club_id: int) -> HttpResponse:
    """Invite somebody by name; the same person once a day."""
    guest = invited(request, club_id, request.POST.get("name", "")[:LONGEST_NAME].replace("\0", ""))
    messages.success(request, _("%(name)s is invited.") % {"name": guest.username})
    return to_club(club_id, "#people")


def invited(request: HttpRequest, club_id: int, name: str) -> User:
    """Return the member of this name, whom the club invites now. TooOften, or what the service refuses."""
    within(request, "invite")
    with transaction.atomic():
        guest = joining.invite(club_id=club_id, user=member_of(request), name=name)
        if not _may_again(request, "invite_again", club_id, guest.pk):
            raise TooOften(_("%(name)s was invited to this club within the last 24 hours.") % {"name": guest.username})
    return guest


def _may_again(request: HttpRequest, action: str, club_id: int, person: int) -> bool:
    """Count what a club does to somebody, who is mailed by it; return whether that is within its limit."""
    return rate_limits.allows_reader(request, action, f"{club_id}:{person}")


@deed
def renew(request: HttpRequest, club_id: int) -> HttpResponse:
    """Make the link that invites anew."""
    within(request, "manage_club")
    making.renew_link(club_id=club_id, user=member_of(request))
    messages.success(request, _("There is a new link. The old one opens nothing any more."))
    return to_club(club_id, "#inviting")


@deed
def dissolve(request: HttpRequest, club_id: int) -> HttpResponse:
    """Dissolve a club."""
    name = making.dissolve(club_id=club_id, user=member_of(request))
    messages.success(request, _("The club “%(name)s” is dissolved.") % {"name": name})
    return redirect("clubs")


DEEDS: dict[str, Callable[[int, User, int], Any]] = {  # with the club's id, who does it, and to whom
    "let-in": lambda club, user, person: joining.let_in(club_id=club, user=user, asker_id=person),
    "refuse": lambda club, user, person: joining.refuse(club_id=club, user=user, asker_id=person),
    "take-back": lambda club, user, person: joining.take_back(club_id=club, user=user, guest_id=person),
    "remove": lambda club, user, person: roles.remove(club_id=club, user=user, member_id=person),
    "let-back": lambda club, user, person: roles.let_back(club_id=club, user=user, member_id=person),
    "organiser": lambda club, user, person: roles.make_organiser(club_id=club, user=user, member_id=person, wish=True),
    "no-organiser": lambda club, user, person: roles.make_organiser(
        club_id=club, user=user, member_id=person, wish=False
    ),
    "hand-over": lambda club, user, person: roles.hand_over(club_id=club, user=user, member_id=person),
}

ANSWERS = {  # to who asks to join, said to who answered
    "let-in": gettext_noop("%(name)s belongs to the club now, and is told by mail."),
    "refuse": gettext_noop("%(name)s is not let in, and is told by mail."),
}


@deed
def people(request: HttpRequest, club_id: int) -> HttpResponse:
    """Do to somebody of a club what `deed` says."""
    person = read_number(request.POST.get("person", "")) or 0
    act_on(request, club_id, request.POST.get("deed", ""), person)
    if (words := ANSWERS.get(request.POST["deed"])) is None:
        return to_club(club_id, "#people")
    name = User.objects.values_list("username", flat=True).get(pk=person)
    messages.success(request, _(words) % {"name": name})
    return to_club(club_id)  # who else asks stands at the head of the page


def act_on(request: HttpRequest, club_id: int, name: str, person: int) -> None:
    """Do to the person of this id what the deed of this name is. TooOften, Invalid, or what the service refuses."""
    within(request, "manage_club")
    act = DEEDS.get(name)
    if act is None:
        raise Invalid(_("That cannot be done here."))
    with transaction.atomic():
        act(club_id, member_of(request), person)
        if name == "organiser" and not _may_again(request, "organiser_again", club_id, person):
            raise TooOften(_("They were made an organiser twice within the last 24 hours."))
