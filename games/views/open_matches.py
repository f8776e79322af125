"""Opening a table, and all that is done at it until it starts; rematches."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import member_of
from accounts.names import BOT_SUFFIX
from accounts.services import guests
from accounts.services.guests import TooManyGuests, ensure_player
from config.lib import rate_limits
from config.lib.formats import about_people
from games.catalogue import games_shown
from games.forms.lobby import NewMatchForm
from games.forms.options import fewest, usual_options
from games.forms.people import members_named, names_in
from games.forms.play import read_new_part, read_part
from games.models import Club, Match
from games.queries import clubs, people, play
from games.rules import catalogue, games, get_game, lesson
from games.services.lobby import closing, lessons, opening, readiness
from games.services.lobby import guests as seating
from games.services.refusals import GuestsCannot, Invalid, Refused, TooFast, TooOften, Unconfirmed
from games.time_controls import PATIENT, TIME_CONTROLS
from games.views.once import once
from games.views.refusals import too_late
from games.views.responses import (
    ViewedMatch,
    back,
    find,
    match_response,
    player_action,
    posted,
    rematch_shown,
    to_sign_up,
    with_refusals,
)

LONGEST_NAME = 100  # characters of a guest's name that are looked at


@posted
@with_refusals
@once
def quick_match(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a match against bots, strong and easy in turn; a visitor plays as a guest.

    Who never played the game is first led to the page that offers its lesson: `lesson` is the answer, `yes` or `no`.
    """
    if slug not in games():
        raise Http404
    taught, answer = lesson(slug), request.POST.get("lesson", "")
    if taught is not None and answer not in ("yes", "no") and people.is_new_to(request.user, slug):
        return redirect("lesson", slug=slug)
    try:
        player = ensure_player(request)
    except TooManyGuests as error:
        raise TooFast from error
    _within(request, "table")
    if taught is not None and answer == "yes":
        match = lessons.start_lesson(
            user=player,
            game_slug=slug,
            pace=PATIENT,
            options=usual_options(get_game(slug)),
            **read_new_part(request.POST),
        )
        return redirect("match", match_id=match.pk)
    seats = catalogue(slug).quick_seats
    match = opening.create_match(
        creator=player,
        game_slug=slug,
        size=seats,
        options=usual_options(get_game(slug)),
        bots=(["strong", "easy"] * seats)[: seats - 1],
        access=Match.Access.INVITATION,
        pace=PATIENT,
        **read_new_part(request.POST),
    )
    return redirect("match", match_id=match.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
def new_match(request: HttpRequest) -> HttpResponse:
    """Show the form of a new table, and open the table; a visitor is led to sign-up, and back."""
    slug = _slug(request)
    if slug not in games():
        raise Http404
    if not request.user.is_authenticated:
        return to_sign_up(f"{reverse('new-match')}?{urlencode({**request.GET.dict(), 'game': slug})}")
    post = request.POST if request.method == "POST" else None
    challenged = _challenged(request)
    known = list(dict.fromkeys([*challenged, *people.known_names(request.user)]))
    own = list(clubs.clubs_of(request.user))
    form = NewMatchForm(post, game_slug=slug, initial=_initial(request, challenged, own), known=known, clubs=own)
    status = 400 if form.is_bound else 200
    if form.is_valid():
        try:
            return _open(request, form.wishes())
        except GuestsCannot:
            raise
        except Refused as refusal:  # the form keeps what was chosen
            form.add_error(None, str(refusal))
            status = 400 if isinstance(refusal, Invalid | Unconfirmed) else refusal.status
    said = about_people(_("Challenge %(names)s"), challenged) if challenged else ""
    context = {"form": form, "game": form.game, "games": games_shown(), "challenged": said}
    return render(request, "games/lobby/new_match.html", context, status=status)


def _challenged(request: HttpRequest) -> list[str]:
    """Return the members whom the address of the form names: it is opened by "Challenge"."""
    try:
        found = members_named(" ".join(names_in(request.GET.getlist("invited"))))
    except ValidationError:  # there is no such member any more
        return []
    return [member.username for member in found if member.pk != request.user.pk]


def _initial(request: HttpRequest, challenged: list[str], own: Sequence[Club]) -> dict[str, Any]:
    """Return what the form proposes: with whom, of which club and how fast, as far as the address says so."""
    pace = request.GET.get("pace", "")
    found: dict[str, Any] = {"rated": "rated" if member_of(request).is_confirmed else ""}
    found |= {"pace": pace} if pace in TIME_CONTROLS else {}
    if any(str(club.pk) == request.GET.get("club") for club in own):
        found |= {"access": Match.Access.CLUB, "club": request.GET["club"]}
    if challenged:
        size = max(1 + len(challenged), fewest(get_game(_slug(request))))
        found |= {"invited": ", ".join(challenged), "access": Match.Access.INVITATION, "size": size}
        found["takes_bots"] = any(name.endswith(BOT_SUFFIX) for name in challenged)
        if member_of(request).bots.filter(username__in=challenged).exists():
            found["rated"] = ""
    return found


def _slug(request: HttpRequest) -> str:
    return request.POST.get("game") or request.GET.get("game") or games()[0]


@once
def _open(request: HttpRequest, wishes: dict[str, Any]) -> HttpResponse:
    _within(request, "table")
    _within(request, "invite", times=len(wishes["invited"]))
    match = opening.create_match(creator=member_of(request), **read_new_part(request.POST), **wishes)
    return redirect("match", match_id=match.pk)


@posted
@with_refusals
def join(request: HttpRequest, match_id: int) -> HttpResponse:
    """Sit down at an open table; a visitor as a guest, by its link, or is led to sign-up, which names it, and back."""
    token = request.POST.get("token", "")[:64]
    if not request.user.is_authenticated and not play.takes_guests(token, match_id):
        return _sign_up_for(request, match_id, token)
    return _join(request, match_id, token)


@once
def _join(request: HttpRequest, match_id: int, token: str) -> HttpResponse:
    _within(request, "join")
    if not (play.opens(token, match_id) or play.late_invitation(match_id, request.user)):
        find(request, match_id)
    part = read_part(request.POST)
    if _sits_as_guest(request):
        named, name = partial(guests.named_guest, request), request.POST.get("guest", "")[:LONGEST_NAME]
        guest = seating.sit_down(match_id=match_id, name=name, named=named, token=token, **part)
        guests.log_in(request, guest)
    else:
        opening.join(match_id=match_id, user=member_of(request), token=token, **part)
    return redirect("match", match_id=match_id)


def _sits_as_guest(request: HttpRequest) -> bool:
    """Return whether who sits down has typed a name for it, now or before: at no table are there two of one name."""
    if not request.user.is_authenticated:
        return True
    user = member_of(request)
    return user.is_guest and ("guest" in request.POST or not guests.is_drawn(user.username))


def _sign_up_for(request: HttpRequest, match_id: int, token: str) -> HttpResponse:
    """Lead a visitor who would sit down to sign-up, and back to the table."""
    if play.opens(token, match_id):
        return to_sign_up(reverse("join-link", args=[token]))
    find(request, match_id)
    return to_sign_up(f"/matches/{match_id}/")


@player_action
@once
def leave(request: HttpRequest, match_id: int) -> HttpResponse:
    """Leave a table that has not started."""
    find(request, match_id)
    closing.leave(match_id=match_id, user=member_of(request))
    return redirect("lobby")


@player_action
@once
def here(request: HttpRequest, match_id: int) -> HttpResponse:
    """Say that one is here, before a live match starts."""
    find(request, match_id)
    readiness.say_here(match_id=match_id, user=member_of(request))
    return redirect("match", match_id=match_id)


@player_action
@once
def start(request: HttpRequest, match_id: int) -> HttpResponse:
    """Start now, with bots in the free seats."""
    find(request, match_id)
    level = request.POST.get("level", opening.FILLING_BOT)
    opening.start_with_bots(match_id=match_id, user=member_of(request), level=level)
    return redirect("match", match_id=match_id)


@player_action
@once
def invite(request: HttpRequest, match_id: int) -> HttpResponse:
    find(request, match_id)
    try:
        asked = members_named(" ".join(names_in(request.POST.getlist("name"))))
    except ValidationError as error:
        raise Invalid(" ".join(error.messages)) from error
    _within(request, "invite", times=len(asked))
    opening.invite(match_id=match_id, user=member_of(request), guests=asked)
    return redirect("match", match_id=match_id)


@player_action
@once
def decline(request: HttpRequest, match_id: int) -> HttpResponse:
    shown = find(request, match_id)
    closing.decline(match_id=match_id, user=member_of(request))
    words = _("%(game)s: you have declined, and those at the table are told.")
    messages.success(request, words % {"game": shown.match.game.name})
    return back(request, match_id, "home")


@player_action
@once
def rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    """Ask for a rematch, or come to the one that another asks for; say who could not be asked."""
    shown, user = find(request, match_id), member_of(request)
    others = [seat.user_id for seat in shown.seats if seat.user_id not in (None, user.pk)]
    if rematch_shown(shown) is not None:
        _within(request, "join")
        unasked: list[str] = []
    else:
        _within(request, "table")
        _within(request, "invite", times=len(others))
        unasked = opening.unasked(match_id, user)
    following = opening.rematch(match_id=match_id, user=user, **read_new_part(request.POST))
    for why in unasked:
        messages.info(request, why)
    return redirect("match", match_id=following.pk)


@require_safe
@with_refusals
def join_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the open table of an invitation link."""
    match = get_object_or_404(Match, token=token.replace("\0", ""), access=Match.Access.LINK)
    shown = ViewedMatch(request, *play.match_and_seats(match.pk))
    if shown.viewer is not None:
        return redirect("match", match_id=match.pk)
    if shown.match.status != Match.Status.OPEN:
        raise too_late(shown.match)
    return match_response(shown, token=token)


def _within(request: HttpRequest, action: str, *, times: int = 1) -> None:
    """Refuse (TooOften) what this person has done too often lately; an invitation counts for each who is asked."""
    if not rate_limits.allows(request, action, times=times):
        raise TooOften
