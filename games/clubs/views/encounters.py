"""The pages of club matches, and what members do there."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import Hidden, View, member_of, members_only
from accounts.models import User
from config.lib import clock, rate_limits, sql
from games.catalogue import games_shown
from games.clocks import when
from games.clubs import encounters, telling
from games.clubs.forms.encounters import ChallengeForm
from games.clubs.models import Board, Encounter, Lineup
from games.clubs.services.encounters import challenging, lining_up
from games.clubs.services.encounters.refusals import NotForOrganisers
from games.forms.play import read_number
from games.models import Club, Membership
from games.queries.clubs import membership
from games.services.refusals import Invalid, Refused, TooOften
from games.views.once import once
from games.views.responses import LARGEST, posted, to_sign_up, with_refusals

STATE = Encounter.State
PER_PAGE = 25


def club_of(request: HttpRequest, club_id: int) -> Club:
    """Return the club for a person who may see it; Hidden for others."""
    club = Club.objects.filter(pk=club_id).first() if club_id < LARGEST else None
    if club is None:
        raise Hidden(request.path)
    row = membership(club.pk, request.user)
    if not club.is_listed and (row is None or row.state not in (Membership.State.IN, Membership.State.INVITED)):
        raise Hidden(request.path)
    return club


def encounter_of(request: HttpRequest, encounter_id: int) -> Encounter:
    """Return the club match for a person who may see it; Hidden for others."""
    found = encounters.found(encounter_id) if encounter_id < LARGEST else None
    if found is None or not encounters.may_see(found, request.user):
        raise Hidden(reverse("club-match", args=[encounter_id]))
    return found


def _member(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) and not request.user.is_guest else None


@require_safe
@sql.snapshot()
def of_club(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the matches of a club against others, the latest first, those that this person may see."""
    club, me = club_of(request, club_id), _member(request)
    is_in = me is not None and (row := membership(club.pk, me)) is not None and row.is_in
    rows = encounters.of_club(club) if is_in else encounters.of_club(club).filter(public=True)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    lines = [telling.line(one) for one in page if is_in or encounters.may_see(one, request.user)]
    context = {"club": club, "page": page, "lines": lines, "own_clubs": clubs_to_challenge_with(me, club)}
    return render(request, "games/clubs/encounters.html", context)


def clubs_to_challenge_with(me: User | None, club: Club) -> list[Club]:
    """Return the other clubs in whose name this person may challenge one."""
    if me is None:
        return []
    rows = Membership.objects.filter(user=me, state=Membership.State.IN).exclude(role=Membership.Role.MEMBER)
    return [row.club for row in rows.exclude(club=club).select_related("club").order_by("club__name")]


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
def challenge(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the form by which a club is challenged, and challenge it; a visitor or guest is led to sign-up."""
    club = club_of(request, club_id)
    playable = [game for game in games_shown() if challenging.sizes(game["slug"])]
    slug = request.POST.get("game") or request.GET.get("game") or playable[0]["slug"]
    if slug not in [game["slug"] for game in playable]:
        raise Hidden(request.path)
    if (me := _member(request)) is None:
        return to_sign_up(f"{request.path}?{urlencode({'game': slug})}")
    own = clubs_to_challenge_with(me, club)
    if not own:
        raise NotForOrganisers
    form = ChallengeForm(request.POST if request.method == "POST" else None, game_slug=slug, clubs=own)
    status = 400 if form.is_bound else 200
    if form.is_valid():
        try:
            return _challenge(request, club, form.wishes())
        except Refused as refusal:  # the form keeps what was chosen
            form.add_error(None, str(refusal))
            status = 400 if isinstance(refusal, Invalid) else refusal.status
    context = {"form": form, "club": club, "game": form.game, "games": playable, "several": len(own) > 1}
    return render(request, "games/clubs/challenge.html", context, status=status)


@once
def _challenge(request: HttpRequest, club: Club, wishes: dict[str, Any]) -> HttpResponse:
    return redirect("club-match", encounter_id=challenged(request, club, wishes).pk)


def challenged(request: HttpRequest, club: Club, wishes: dict[str, Any]) -> Encounter:
    """Return the challenge of a club that is made now. TooOften, or what the service refuses."""
    _within(request, "club_match")
    user = member_of(request)
    with transaction.atomic():
        made = challenging.challenge(user=user, other_id=club.pk, **wishes)
        if not rate_limits.allows_reader(request, "club_match_again", f"{user.pk}:{club.pk}"):
            raise TooOften(_("You have challenged this club three times within the last 24 hours."))
    return made


def _within(request: HttpRequest, action: str) -> None:
    if not rate_limits.allows(request, action):
        raise TooOften


@require_safe
@sql.snapshot()
def page(request: HttpRequest, encounter_id: int) -> HttpResponse:
    """Show a club match: both line-ups, its tables, the sum, and what is asked of the reader."""
    encounter, me = encounter_of(request, encounter_id), _member(request)
    sides = [telling.side(encounter, side, me) for side in encounters.SIDES]
    context = {
        "encounter": encounter,
        "state": encounter.state,
        "sides": sides,
        "facts": telling.facts(encounter),
        "badge": telling.BADGES.get(STATE(encounter.state), ""),
        "moment": telling.moment(encounter),
        "is_public": encounters.is_public(encounter),
        "answer_by": when(encounter.answer_by),
        "seed": bytes(encounter.server_seed).hex() if encounter.state == STATE.OVER else "",
        **for_reader(encounter, me),
        **(lineups(encounter, sides, me) if encounter.state == STATE.ACCEPTED else tables(encounter, me)),
    }
    return render(request, "games/clubs/encounter.html", context)


def for_reader(encounter: Encounter, me: User | None) -> dict[str, Any]:
    """Return what is asked of the reader: an answer, whether they play, the order of their line-up."""
    if me is None:
        return {}
    organised = encounters.organised_by(encounter, me)
    is_early = encounter.begins_at > clock.now()
    open_ = encounter.state == STATE.ACCEPTED and is_early
    said = Lineup.objects.filter(encounter=encounter, user=me).first()
    names = encounters.names(encounter)
    mine = encounters.sides_of(encounter, me)
    return {
        "answers": encounter.state == STATE.OFFERED and 1 in organised and encounter.answer_by > clock.now(),
        "withdraws": encounter.state == STATE.OFFERED and 0 in organised,
        "calls_off": encounter.state == STATE.ACCEPTED and bool(organised),
        "plays_for": [(side, names[side]) for side in mine] if open_ else [],
        "said": said,
        "at_stake": telling.at_stake(encounter) if open_ else "",
        "said_for": names[said.side] if said is not None else "",
        "orders": organised if open_ else [],
    }


def lineups(encounter: Encounter, sides: list[dict[str, Any]], me: User | None) -> dict[str, Any]:
    """Return both line-ups in order, who would sit first in front; who says that they play can be none."""
    rows = [lining_up.lineup(encounter, side["side"]) for side in sides]
    ratings = lining_up.ratings_of(encounter.game_slug, [row.user_id or 0 for both in rows for row in both])
    many = min(encounter.most_tables, *(len(line) // encounter.a_side for line in rows))
    for side, line in zip(sides, rows, strict=True):
        side["line"] = [
            {
                **telling.player(row, me),
                "id": row.pk,
                "place": place,
                "rating": ratings.get(row.user_id or 0),
                "left_over": many > 0 and place > many * encounter.a_side,
            }
            for place, row in enumerate(line, 1)
        ]
    return {"lineups": True, "many": many}


def tables(encounter: Encounter, me: User | None) -> dict[str, Any]:
    """Return what is shown of the tables of one that has begun, and how both clubs stand."""
    boards = encounters.boards_of(encounter)
    found = encounters.points_of(boards)
    first, second = found.sums
    shown = [telling.board(encounter, board, me) for board in boards]
    return {
        "boards": shown,
        "sums": [encounters.points(one) for one in found.sums] if boards else [],
        "ahead": None if first == second else 0 if first > second else 1,
        "points": found,
        "left_over": bool(boards) and me is not None and encounters.left_over(encounter).filter(user=me).exists(),
        "my_match": next((one for one in shown if one["mine"] and one["state"] == Board.State.RUNNING), None),
    }


def _deed(view: Callable[[HttpRequest, int], None]) -> View:
    """Make a view a deed at a club match that its person may see: by POST, once for each key, refusals shown."""

    @wraps(view)
    def seen(request: HttpRequest, encounter_id: int) -> HttpResponse:
        encounter_of(request, encounter_id)
        view(request, encounter_id)
        return redirect("club-match", encounter_id=encounter_id)

    return posted(with_refusals(members_only(once(seen))))


@_deed
def answer(request: HttpRequest, encounter_id: int) -> None:
    """Accept or decline a challenge, as `wish` says."""
    accepts = request.POST.get("wish") == "accept"
    challenging.answer(encounter_id=encounter_id, user=member_of(request), accepts=accepts)


@_deed
def withdraw(request: HttpRequest, encounter_id: int) -> None:
    """Take a challenge back, or call the club match off."""
    challenging.withdraw(encounter_id=encounter_id, user=member_of(request))


@_deed
def play(request: HttpRequest, encounter_id: int) -> None:
    """Say that one plays, or not, as `wish` says; `side` is for which club."""
    side, plays = read_number(request.POST.get("side", "")), request.POST.get("wish") == "play"
    lining_up.say(encounter_id=encounter_id, user=member_of(request), plays=plays, side=side)


@_deed
def line_up(request: HttpRequest, encounter_id: int) -> None:
    """Put a line-up into the order of its numbers, or by rating, as `wish` says."""
    side = read_number(request.POST.get("side", ""))
    lining_up.order(
        encounter_id=encounter_id,
        user=member_of(request),
        side=-1 if side is None else side,
        numbers=None if request.POST.get("wish") == "rating" else _places(request.POST),
    )


def _places(post: QueryDict) -> dict[int, int]:
    """Return the numbers of a posted line-up, by the ids of its rows."""
    found = {}
    for name in post:
        row, place = read_number(name.removeprefix("place_")[:19]), read_number(post.get(name, "")[:9])
        if name.startswith("place_") and row is not None and place is not None:
            found[row] = place
    return found
