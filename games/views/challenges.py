"""Standing challenges: one's own, and accepting those of others."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.access import member_of, members_only
from config.lib import rate_limits
from games.forms.challenges import ChallengeForm
from games.forms.play import read_new_part
from games.models import StandingChallenge
from games.queries import challenges as reads
from games.rules import get_game
from games.services.lobby import challenges
from games.services.refusals import Refused, TooOften
from games.time_controls import pace_of
from games.views.once import once
from games.views.responses import posted, to_sign_up, with_refusals


def lines(found: Iterable[StandingChallenge]) -> list[dict[str, Any]]:
    """Return what pages show of standing challenges."""
    return [
        {
            "id": one.pk,
            "member": one.member,
            "game": one.game_slug,
            "name": get_game(one.game_slug).name,
            "pace": pace_of(one.pace_slug).label,
            "rated": one.rated,
            "takes_bots": one.takes_bots,
            "size": one.size,
            "most": one.most,
            "under_way": getattr(one, "under_way", 0),
            "paused": one.paused,
        }
        for one in found
    ]


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
@members_only
def standing(request: HttpRequest) -> HttpResponse:
    """Show a member's own standing challenges, and the form of a further one."""
    member, status = member_of(request), 200
    initial = {"rated": member.is_confirmed, "game": request.GET.get("game", "")}
    form = ChallengeForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound:
        status = 400
        if form.is_valid():
            try:
                return _offer(request, form.wishes())
            except Refused as refusal:
                form.add_error(None, str(refusal))
                status = refusal.status
    context = {"form": form, "challenges": lines(reads.own(member)), "unwilling": member.invitations_from == "none"}
    return render(request, "games/lobby/standing.html", context, status=status)


@once
def _offer(request: HttpRequest, wishes: dict[str, Any]) -> HttpResponse:
    if not rate_limits.allows(request, "table"):
        raise TooOften
    challenges.offer(member=member_of(request), **wishes)
    return redirect("standing")


@posted
@with_refusals
def accept(request: HttpRequest, challenge_id: int) -> HttpResponse:
    """Accept a standing challenge; a visitor is led to sign-up, and back to the open tables."""
    if not request.user.is_authenticated:
        return to_sign_up(reverse("lobby"))
    return _accept(request, challenge_id)


@once
def _accept(request: HttpRequest, challenge_id: int) -> HttpResponse:
    if not rate_limits.allows(request, "join"):
        raise TooOften
    part = read_new_part(request.POST)
    match = challenges.accept(challenge_id=_number(challenge_id), user=member_of(request), **part)
    return redirect("match", match_id=match.pk)


@posted
@with_refusals
@members_only
@once
def change(request: HttpRequest, challenge_id: int) -> HttpResponse:
    """Pause, resume or withdraw one's own standing challenge, as `wish` says."""
    wish, number, member = request.POST.get("wish"), _number(challenge_id), member_of(request)
    if wish == "withdraw":
        challenges.withdraw(challenge_id=number, member=member)
    else:
        challenges.pause(challenge_id=number, member=member, paused=wish == "pause")
    return redirect("standing")


def _number(challenge_id: int) -> int:
    return challenge_id if challenge_id < 2**63 else 0
