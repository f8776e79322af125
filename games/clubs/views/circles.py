"""The pages of circles of friends, and what their members do there."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.db import transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import Hidden, View, member_of, members_only
from accounts.models import User
from config.lib import rate_limits, sql
from config.lib.formats import listing
from games.catalogue import lobby_words
from games.clocks import when
from games.clubs import circles
from games.clubs.forms.circles import NameForm, WeeklyForm
from games.clubs.models import LONGEST_CIRCLE_NAME, Circle
from games.clubs.services.circles import keeping, opening
from games.forms.play import read_number
from games.models import Match, Seat
from games.rules import get_game
from games.services.refusals import Invalid, Refused, TooOften
from games.views.once import once
from games.views.responses import LARGEST, posted, with_refusals


@require_safe
@members_only
@sql.snapshot()
def mine(request: HttpRequest) -> HttpResponse:
    """Show the circles of the member, and those into which they are asked."""
    user = member_of(request)
    context = {"lines": _lines(list(circles.of(user))), "asking": _lines(circles.asking(user))}
    return render(request, "games/clubs/circles.html", context)


def _lines(found: Sequence[Circle]) -> list[dict[str, Any]]:
    """Return what pages show of each of these circles."""
    names, tables = circles.names_of(found), circles.open_tables(found)
    return [
        {
            "circle": circle,
            "members": names[circle.pk],
            "maker": circle.maker.username if circle.maker else _("former member"),
            "next": when(circle.next_at) if circle.next_at else "",
            "table": tables.get(circle.pk),
        }
        for circle in found
    ]


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
@members_only
def new(request: HttpRequest) -> HttpResponse:
    """Show who of an ended match would be asked into a circle, and make it."""
    user = member_of(request)
    match = match_of(request, read_number((request.POST.get("match") or request.GET.get("match", ""))[:19]) or 0)
    asked = [one.username for one in keeping.others_of(match.pk, user)]
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": _proposed(match, user, asked)})
    status = 400 if form.is_bound else 200
    if form.is_valid():
        try:
            return _make(request, match, form.cleaned_data["name"])
        except Refused as refusal:
            form.add_error(None, str(refusal))
            status = 400 if isinstance(refusal, Invalid) else refusal.status
    return render(request, "games/clubs/new_circle.html", {"form": form, "match": match, "asked": asked}, status=status)


def _proposed(match: Match, user: User, others: Sequence[str]) -> str:
    """Return a name by which a circle is told from others of the same game: those of its people, if they fit."""
    names = listing([user.username, *others])
    return names if len(names) <= LONGEST_CIRCLE_NAME else match.game_name


def match_of(request: HttpRequest, number: int) -> Match:
    """Return the ended match of this number in which the member sat; Hidden for others."""
    sat = Seat.objects.filter(match=number if number < LARGEST else 0, user=request.user.pk).select_related("match")
    seat = sat.filter(match__status=Match.Status.ENDED).first()
    if seat is None:
        raise Hidden(request.path)
    return seat.match


@once
def _make(request: HttpRequest, match: Match, name: str) -> HttpResponse:
    return redirect("friends", circle_id=made(request, match, name).pk)


def made(request: HttpRequest, match: Match, name: str) -> Circle:
    """Return the circle of those who sat in a match. TooOften, or what the service refuses."""
    _within(request, "circle")
    user = member_of(request)
    with transaction.atomic():
        known = set(circles.of(user).values_list("pk", flat=True))
        circle = keeping.keep_together(match_id=match.pk, user=user, name=name)
        for row in circles.members(circle) if circle.pk not in known else []:
            if not (row.accepted or rate_limits.allows_reader(request, "circle_again", f"{user.pk}:{row.user_id}")):
                words = _("You asked %(name)s into two circles within the last 24 hours.")
                raise TooOften(words % {"name": row.user.username})
    return circle


def _within(request: HttpRequest, action: str) -> None:
    if not rate_limits.allows(request, action):
        raise TooOften


@require_safe
@members_only
@sql.snapshot()
def page(request: HttpRequest, circle_id: int) -> HttpResponse:
    """Show a circle to who belongs to it, or is asked."""
    circle, user = circle_of(request, circle_id), member_of(request)
    rows = circles.members(circle)
    me = next(row for row in rows if row.user_id == user.pk)
    chosen = {"weekday": circle.weekday, "hour": circle.hour} if circle.weekday is not None else {}
    zone = _("In your time zone: %(zone)s.") % {"zone": user.time_zone}
    context = {
        **_lines([circle])[0],
        "me": me,
        "rows": [{"name": row.user.username, "accepted": row.accepted, "user": row.user} for row in rows],
        "facts": [circle.pace.label, *lobby_words(get_game(circle.game_slug), circle.options)],
        "name_form": NameForm(initial={"name": circle.name}),
        "weekly_form": WeeklyForm(initial=chosen, zone=zone),
    }
    return render(request, "games/clubs/circle.html", context)


def circle_of(request: HttpRequest, circle_id: int) -> Circle:
    """Return the circle for who belongs to it or is asked; Hidden for others."""
    circle = Circle.objects.select_related("maker").filter(pk=circle_id if circle_id < LARGEST else 0).first()
    if circle is None or not isinstance(request.user, User) or circles.row_of(circle, request.user) is None:
        raise Hidden(reverse("friends", args=[circle_id]))
    return circle


def _deed(view: Callable[[HttpRequest, int], HttpResponse | None]) -> View:
    """Make a view a deed at a circle of the member: by POST, once for each key, with refusals shown."""

    @wraps(view)
    def seen(request: HttpRequest, circle_id: int) -> HttpResponse:
        circle_of(request, circle_id)
        return view(request, circle_id) or redirect("friends", circle_id=circle_id)

    return posted(with_refusals(members_only(once(seen))))


@_deed
def answer(request: HttpRequest, circle_id: int) -> HttpResponse | None:
    """Accept or decline being of a circle, as `wish` says."""
    accepts = request.POST.get("wish") == "accept"
    keeping.answer(circle_id=circle_id, user=member_of(request), accepts=accepts)
    return None if accepts else redirect("circles")


@_deed
def leave(request: HttpRequest, circle_id: int) -> HttpResponse:
    """Leave a circle."""
    keeping.leave(circle_id=circle_id, user=member_of(request))
    return redirect("circles")


@_deed
def rename(request: HttpRequest, circle_id: int) -> None:
    """Give a circle another name."""
    keeping.rename(circle_id=circle_id, user=member_of(request), name=_checked(NameForm(request.POST))["name"])


@_deed
def table(request: HttpRequest, circle_id: int) -> HttpResponse:
    """Open a table for the circle now."""
    return redirect("match", match_id=opened(request, circle_id).pk)


def opened(request: HttpRequest, circle_id: int) -> Match:
    """Return the table that is opened for the circle now. TooOften, or what the service refuses."""
    _within(request, "table")
    with transaction.atomic():
        match = opening.open_now(circle_id=circle_id, user=member_of(request))
        if not rate_limits.allows_reader(request, "circle_table", str(circle_id)):
            raise TooOften(_("Ten tables were opened for this circle within the last 24 hours."))
    return match


@_deed
def weekly(request: HttpRequest, circle_id: int) -> None:
    """Choose the weekly hour, end the weekly table, pause it or let it go on, as `wish` says."""
    user, wish = member_of(request), request.POST.get("wish")
    if wish in ("pause", "resume"):
        opening.pause(circle_id=circle_id, user=user, paused=wish == "pause")
    elif wish == "none":
        opening.set_weekly(circle_id=circle_id, user=user, weekday=None, hour=None)
    else:
        opening.set_weekly(circle_id=circle_id, user=user, **_checked(WeeklyForm(request.POST)))


def _checked(form: Form) -> dict[str, Any]:
    """Return the data of a valid form. Invalid, with its first error."""
    if not form.is_valid():
        raise Invalid(str(next(iter(form.errors.values()))[0]))
    return form.cleaned_data
