"""A member's settings, days off, and the people whom they follow, have blocked, or do not hear; sandboxes."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as now_
from django.utils.translation import gettext_noop as _

from accounts import queries
from accounts.access import member_of
from accounts.forms import SettingsForm
from accounts.models import User
from accounts.services import days_off, membership
from config.lib import clock
from games.api.kit import Routes, checked, part_of, within
from games.api.models import Scope
from games.api.shapes.parts import At, MemberName
from games.api.shapes.settings import (
    DaysOffGiven,
    DaysOffShape,
    PersonListed,
    SandboxGiven,
    SettingsGiven,
    SettingsShape,
)
from games.api.shapes.table import TableShape
from games.api.shown import find, table_answer
from games.models import Match
from games.record import record_of
from games.services.chat import lines
from games.services.records import checking, sandboxes
from games.services.refusals import Invalid
from games.views.sandboxes import choices_of, within_limits

routes = Routes("me")
MOST = 50
FIELDS = (
    *("language", "time_zone", "colours", "reduced_motion", "single_keys"),
    *("asks_before_final", "invitations_from", "named_in_records"),
)


@routes.reads("/settings", SettingsShape, page="settings", words=_("Your settings"))
def shown(request: HttpRequest) -> dict[str, Any]:
    """One's settings."""
    return _told(request)


def _fresh(request: HttpRequest) -> User:
    return User.objects.get(pk=member_of(request).pk)


def _told(request: HttpRequest) -> dict[str, Any]:
    user = _fresh(request)
    return {name: getattr(user, name) for name in FIELDS}


@routes.posts(
    "/settings",
    SettingsShape,
    page="settings",
    method="PATCH",
    words=_("Change your settings"),
    more=_("What is left out stays as it is. Account, password and addresses are changed on pages alone."),
)
def change(request: HttpRequest, given: SettingsGiven) -> dict[str, Any]:
    """Change one's settings."""
    user = _fresh(request)
    wanted = {name: getattr(user, name) for name in FIELDS}
    wanted |= {name: value for name, value in given.model_dump().items() if value is not None}
    wanted["named_in_records"] = "true" if wanted["named_in_records"] else "false"
    membership.change_times(user_id=user.pk, **checked(SettingsForm(wanted, instance=user)))
    return _told(request)


@routes.reads("/settings/days-off", DaysOffShape, page="days-off", words=_("Your days off"))
def days(request: HttpRequest) -> dict[str, Any]:
    """One's days off of this year and later."""
    return _days(request)


def _days(request: HttpRequest) -> dict[str, Any]:
    user, now = _fresh(request), clock.now_ms()
    year = days_off.today(user).year
    return {
        "days": [
            {"day": day["day"], "by_itself": day["by_itself"], "ahead": day["from"] > now}
            for day in user.vacation
            if day["day"] >= f"{year}-01-01"
        ],
        "left": days_off.left(user, year),
        "left_next": days_off.left(user, year + 1),
        "by_itself": user.vacation_by_itself,
    }


@routes.posts(
    "/settings/days-off",
    DaysOffShape,
    page="days-off",
    method="PATCH",
    words=_("Take days off, or give them back"),
    more=_("And whether the site takes them for you. Days that have begun stay."),
)
def change_days(request: HttpRequest, given: DaysOffGiven) -> dict[str, Any]:
    """Book days off, give back days to come, say whether the site takes them itself."""
    user = member_of(request)
    if (given.first is None) != (given.last is None):
        raise Invalid(now_("Send the first and the last of the days."))
    if given.first is not None and given.last is not None:
        try:
            days_off.book(user_id=user.pk, first=given.first, last=given.last)
        except days_off.NotBooked as refusal:
            raise Invalid(str(refusal)) from refusal
    if given.give_back:
        days_off.cancel(user_id=user.pk, days=[day.isoformat() for day in given.give_back])
    if given.by_itself is not None:
        days_off.let(user_id=user.pk, by_itself=given.by_itself)
    return _days(request)


@routes.reads("/me/followed", PersonListed, page="circle", words=_("Whom you follow"))
def followed(request: HttpRequest, cursor: At = "") -> dict[str, Any]:
    """Whom one follows, by name."""
    return _named(queries.followed_by(member_of(request)), "followed", cursor)


@routes.reads("/me/blocked", PersonListed, page="circle", words=_("Whom you have blocked"))
def blocked(request: HttpRequest, cursor: At = "") -> dict[str, Any]:
    """Whom one has blocked, by name."""
    return _named(queries.blocked_by(member_of(request)), "blocked", cursor)


@routes.reads("/me/muted", PersonListed, page="circle", words=_("Whom you do not hear"))
def muted(request: HttpRequest, cursor: At = "") -> dict[str, Any]:
    """Whom one does not hear in chats, by name."""
    return _named(lines.muted_by(member_of(request)), "person", cursor)


def _named(rows: QuerySet[Any], who: str, cursor: str) -> dict[str, Any]:
    found, following = part_of(rows, cursor, MOST)
    return {"items": [getattr(row, who).username for row in found], "next": following}


@routes.acts("/people/{name}/hear", None, page="hear", scope=Scope.MESSAGE, words=_("Hear somebody again"))
def hear(request: HttpRequest, name: MemberName) -> None:
    """Hear a person again; harmless if one does."""
    lines.unmute(user=member_of(request), name=name)


@routes.acts(
    "/sandboxes",
    TableShape,
    page="sandbox",
    words=_("Play on from a match that has ended"),
    more=_("Against bots, alone for all seats, or with friends; never rated."),
    then=table_answer,
    status=201,
)
def sandbox(request: HttpRequest, given: SandboxGiven) -> int:
    """Open a sandbox from a step of a match of this site."""
    within(request, "sandbox")
    seen = find(request, given.match)
    source = seen.match
    if source.status != Match.Status.ENDED or not source.state or source.turns == 0:
        raise Invalid(now_("A sandbox begins from a match that has ended."))
    if given.level is not None and given.level not in source.game.levels:
        raise Http404
    sound = checking.checked(record_of(source, seen.seats))
    levels = sound.game.levels
    sent = {
        "step": given.step,
        "kind": given.kind,
        "level": given.level or (levels[0] if levels else ""),
        "seat": "" if given.seat is None else given.seat,
        "invited": ", ".join(given.invited),
    }
    wishes = checked(choices_of(sent, levels, sound.size, sound.last))
    within_limits(request, wishes)
    return sandboxes.open_from(user=member_of(request), sound=sound, source=source, **wishes).pk
