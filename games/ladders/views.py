"""The pages of ladders, and what members do there."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.access import member_of, members_only, redirect_back
from accounts.models import User
from config.lib import rate_limits, sql
from games import broadcast
from games.clocks import to_ms
from games.clocks import until as until_words
from games.forms.play import read_number
from games.ladders import queries
from games.ladders.forms import AtOnceForm, PauseForm
from games.ladders.models import Change, Climber, Ladder
from games.ladders.panels import challenge_line
from games.ladders.services import challenging, standing
from games.ladders.services.locking import name_of as name_on_line
from games.rules import games, get_game, name_of
from games.services.hooks import ratings_of
from games.services.refusals import Invalid, TooOften
from games.views.once import once
from games.views.responses import posted, with_refusals


@require_safe
@sql.snapshot()
def ladders_page(request: HttpRequest) -> HttpResponse:
    """Show all ladders, one's own places, and the challenges that wait for one's answer."""
    me = request.user if isinstance(request.user, User) and not request.user.is_guest else None
    own = {row.ladder.game_slug: row for row in queries.places_of(me)} if me else {}
    lines = []
    for slug in filter(queries.has_ladder, games()):
        rows = queries.standing(queries.ladder_of(slug))
        lines.append(
            {"slug": slug, "name": name_of(slug), "many": rows.count(), "top": rows[:3], "mine": own.get(slug)}
        )
    waiting = [challenge_line(one, me.pk) for one in queries.challenges_to(me)] if me else []
    return render(request, "ladders/ladders.html", {"lines": lines, "challenges": waiting})


@require_safe
@sql.snapshot()
def ladder_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's ladder, fifty places a page, what one can do there, and what changed lately."""
    if not queries.has_ladder(slug):
        raise Http404
    ladder = queries.ladder_of(slug)
    mark = queries.mark_of(ladder)
    if request.GET.get("mark"):  # for a page that is open
        return HttpResponse(mark, content_type="text/plain", headers={"Cache-Control": "no-store"})
    page = Paginator(queries.standing(ladder), queries.PER_PAGE).get_page(request.GET.get("page"))
    me = queries.climber_of(ladder, request.user)
    mine = me if me is not None and me.place is not None else None
    lines = lines_of(slug, list(page), mine)
    context = {
        "game": get_game(slug),
        "socket": f"/ws/?series={broadcast.ticket_to(name_on_line(slug))}",
        "mark": mark,
        "games": [{"slug": one, "name": name_of(one)} for one in games() if queries.has_ladder(one)],
        "page": page,
        "lines": lines,
        "me": mine,
        "elsewhere": mine is not None and all(line["climber"].pk != mine.pk for line in lines),
        "paused_until": until_words(to_ms(mine.paused_until)) if mine and mine.paused_until else "",
        "challenges": _challenges(ladder, mine),
        "at_once": AtOnceForm(initial={"at_once": mine.at_once} if mine else None),
        "pause": PauseForm(),
        "changes": [_change(one) for one in queries.history(ladder)],
    }
    return render(request, "ladders/ladder.html", context)


def lines_of(slug: str, climbers: list[Climber], me: Climber | None) -> list[dict[str, Any]]:
    """Return what the page shows of these places: to somebody on the ladder, whom they can challenge, or why not."""
    numbers = [one.pk for one in climbers]
    ratings = ratings_of(slug, [one.user_id for one in climbers if one.user_id])
    matches = queries.matches_under_way(numbers)
    near = [one for one in climbers if me and one.pk != me.pk and not challenging.is_out_of_reach(me, one)]
    reasons = challenging.why_not(me, near) if me and near else {}
    return [
        {
            "climber": one,
            "rating": ratings.get(one.user_id or 0),
            "matches": matches[one.pk],
            "is_me": me is not None and one.pk == me.pk,
            "is_near": one.pk in reasons,
            "why_not": reasons.get(one.pk, ""),
        }
        for one in climbers
    ]


def _challenges(ladder: Ladder | None, me: Climber | None) -> list[dict[str, Any]]:
    if ladder is None or me is None:
        return []
    return [challenge_line(one, me.user_id or 0) for one in queries.open_challenges(ladder, me)]


def _change(change: Change) -> dict[str, Any]:
    made = change.challenge
    return {
        "row": change,
        "name": queries.called(change.climber),
        "other": queries.called(change.other) if change.other else "",
        "is_void": made is not None and made.state == made.State.VOID,
    }


@login_required
@require_safe
def my_place(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the page of a ladder on which the member stands, or to its first."""
    if not queries.has_ladder(slug):
        raise Http404
    me = queries.climber_of(queries.ladder_of(slug), member_of(request))
    place = me.place if me is not None and me.place else 0
    number = (place - 1) // queries.PER_PAGE + 1 if place else 1
    address = reverse("ladder", args=[slug]) + (f"?page={number}" if number > 1 else "")
    return redirect(address + ("#me" if place else ""))


def _ladder(slug: str) -> Ladder:
    ladder = queries.ladder_of(slug) if queries.has_ladder(slug) else None
    if ladder is None:
        raise Http404
    return ladder


def _checked(form: Form) -> Form:
    """Return a valid form. Invalid, with its first error."""
    if not form.is_valid():
        raise Invalid(str(next(iter(form.errors.values()))[0]))
    return form


@posted
@with_refusals
@members_only
@once
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Join a ladder, or say how many matches at once one wants from now on."""
    if not queries.has_ladder(slug):
        raise Http404
    _moves_on(request)
    data = _checked(AtOnceForm(request.POST)).cleaned_data
    standing.join(game_slug=slug, user=member_of(request), at_once=data["at_once"])
    return redirect("ladder-me", slug=slug)


@posted
@with_refusals
@members_only
@once
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    """Pause for some days, or resume, as `wish` says."""
    _moves_on(request)
    ladder, user = _ladder(slug), member_of(request)
    if request.POST.get("wish") == "resume":
        standing.resume(ladder_id=ladder.pk, user=user)
    else:
        standing.pause(ladder_id=ladder.pk, user=user, days=_checked(PauseForm(request.POST)).cleaned_data["days"])
    return redirect("ladder-me", slug=slug)


@posted
@with_refusals
@members_only
@once
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a ladder."""
    _moves_on(request)
    standing.leave(ladder_id=_ladder(slug).pk, user=member_of(request))
    return redirect("ladder", slug=slug)


@posted
@with_refusals
@members_only
@once
def challenge(request: HttpRequest, slug: str) -> HttpResponse:
    """Challenge somebody who stands above."""
    if not rate_limits.allows(request, "invite"):
        raise TooOften
    number = read_number(request.POST.get("climber", "")) or 0
    challenging.challenge(ladder_id=_ladder(slug).pk, user=member_of(request), climber_id=number)
    return redirect("ladder-me", slug=slug)


@posted
@with_refusals
@members_only
@once
def accept(request: HttpRequest, ladder_challenge_id: int) -> HttpResponse:
    """Accept a challenge: its match begins."""
    if not rate_limits.allows(request, "join"):
        raise TooOften
    match = challenging.accept(challenge_id=_number(ladder_challenge_id), user=member_of(request))
    return redirect("match", match_id=match.pk)


@posted
@with_refusals
@members_only
@once
def decline(request: HttpRequest, ladder_challenge_id: int) -> HttpResponse:
    """Decline a challenge; `free` is whether the page said that it costs no place."""
    free = request.POST.get("free") == "1"
    challenging.decline(challenge_id=_number(ladder_challenge_id), user=member_of(request), free=free)
    return redirect_back(request, "ladders")


@posted
@with_refusals
@members_only
@once
def withdraw(request: HttpRequest, ladder_challenge_id: int) -> HttpResponse:
    """Withdraw one's own challenge."""
    ladder = challenging.withdraw(challenge_id=_number(ladder_challenge_id), user=member_of(request))
    return redirect("ladder-me", slug=ladder.game_slug)


def _moves_on(request: HttpRequest) -> None:
    """Count that somebody joins, leaves or pauses. TooOften."""
    if not rate_limits.allows(request, "ladder"):
        raise TooOften


def _number(sent: int) -> int:
    return sent if sent < 2**63 else 0
