"""Circles of friends for programs: list, make, answer, leave, rename, open tables."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from games.api.kit import Routes, checked
from games.api.shapes.parts import Number
from games.api.shapes.table import TableShape
from games.api.shown import table_answer
from games.clubs import circles
from games.clubs.api.circle_shapes import CircleGiven, CircleListed, CircleName, CircleShape, Weekly
from games.clubs.api.encounter_shapes import Answering
from games.clubs.forms.circles import NameForm
from games.clubs.models import Circle
from games.clubs.services.circles import keeping, opening
from games.clubs.views.circles import circle_of, made, match_of, opened

routes = Routes("circles")


@routes.reads("/circles", CircleListed, page="circles", words=_("Your circles of friends"))
def mine(request: HttpRequest) -> dict[str, Any]:
    """One's circles, and those into which one is asked."""
    user = member_of(request)
    return {"items": _lines(list(circles.of(user))), "asking": _lines(circles.asking(user)), "next": None}


def _lines(found: Sequence[Circle]) -> list[dict[str, Any]]:
    names, tables = circles.names_of(found), circles.open_tables(found)
    return [
        {
            "id": one.pk,
            "name": one.name,
            "members": names[one.pk],
            "maker": one.maker.username if one.maker else "",
            "game": one.game_slug,
            "next_at": one.next_at.isoformat(timespec="seconds") if one.next_at else None,
            "table": tables.get(one.pk),
        }
        for one in found
    ]


@routes.reads("/circles/{number}", CircleShape, page="friends", words=_("A circle of friends"))
def whole(request: HttpRequest, number: Number) -> dict[str, Any]:
    """A circle, for who belongs to it or is asked."""
    return _told(request, number)


def _told(request: HttpRequest, number: int) -> dict[str, Any]:
    one, user = circle_of(request, number), member_of(request)
    rows = circles.members(one)
    is_in = next(row for row in rows if row.user_id == user.pk).accepted
    return _lines([one])[0] | {
        "me": "in" if is_in else "asked",
        "people": [{"name": row.user.username, "accepted": row.accepted} for row in rows],
        "options": one.options,
        "size": one.size,
        "pace": one.pace_slug,
        "rated": one.rated,
        "weekday": one.weekday,
        "hour": one.hour,
        "zone": one.zone,
        "paused": one.paused,
    }


@routes.acts(
    "/circles",
    CircleShape,
    page="new-circle",
    words=_("Keep the people of a match together"),
    more=_("Each of them is asked. Of a match of which you have made one, the answer is that circle."),
    then=_told,
    status=201,
)
def new(request: HttpRequest, given: CircleGiven) -> int:
    """Make a circle of who sat in an ended match."""
    match = match_of(request, given.match)
    return made(request, match, checked(NameForm({"name": given.name}))["name"]).pk


@routes.acts("/circles/{number}/answer", None, page="friends-answer", words=_("Accept or decline being of a circle"))
def answer(request: HttpRequest, number: Number, given: Answering) -> None:
    """Accept or decline being of a circle."""
    circle_of(request, number)
    keeping.answer(circle_id=number, user=member_of(request), accepts=given.accepts)


@routes.acts("/circles/{number}/leave", None, page="friends-leave", words=_("Leave a circle of friends"))
def leave(request: HttpRequest, number: Number) -> None:
    """Leave a circle."""
    circle_of(request, number)
    keeping.leave(circle_id=number, user=member_of(request))


@routes.acts(
    "/circles/{number}",
    CircleShape,
    page="friends-rename",
    method="PATCH",
    words=_("Give a circle another name"),
    then=_told,
)
def rename(request: HttpRequest, number: Number, given: CircleName) -> int:
    """Give a circle another name."""
    circle_of(request, number)
    keeping.rename(circle_id=number, user=member_of(request), name=checked(NameForm({"name": given.name}))["name"])
    return number


@routes.acts(
    "/circles/{number}/table",
    TableShape,
    page="friends-table",
    words=_("Open a table for a circle"),
    more=_("All who belong to it are invited."),
    then=table_answer,
    status=201,
)
def table(request: HttpRequest, number: Number) -> int:
    """Open a table for the circle now."""
    circle_of(request, number)
    return opened(request, number).pk


@routes.acts(
    "/circles/{number}/weekly",
    CircleShape,
    page="friends-weekly",
    words=_("Choose the hour of the weekly table"),
    more=_("Or have none, let it rest, or go on."),
    then=_told,
)
def weekly(request: HttpRequest, number: Number, given: Weekly) -> int:
    """Choose the weekly hour, end the weekly table, let it rest or go on."""
    circle_of(request, number)
    about: dict[str, Any] = {"circle_id": number, "user": member_of(request)}
    if given.wish in ("pause", "resume"):
        opening.pause(**about, paused=given.wish == "pause")
    elif given.wish == "none":
        opening.set_weekly(**about, weekday=None, hour=None)
    else:
        opening.set_weekly(**about, weekday=-1 if given.weekday is None else given.weekday, hour=given.hour)
    return number
