"""The moderators' page: its subject, the actions that fit, and the form of one action."""

import json
from datetime import timedelta
from typing import Any

from django import forms
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from config.lib import clock
from games.forms.play import read_number
from games.models import Audit, Match
from games.moderation.actions import (
    ABOUT_APPEAL,
    ABOUT_LINE,
    ABOUT_MATCH,
    ABOUT_MEMBER,
    ABOUT_REPORT,
    CHOICES,
    About,
    perform,
)
from games.moderation.forms import ActionForm
from games.moderation.hints import standings
from games.moderation.matches import Partial, check_impartial, plays_or_played
from games.moderation.members import ban_to_confirm, is_alone
from games.moderation.models import Appeal, Barred, Report
from games.moderation.queue import CLOSING, deeds_for, waiting_about
from games.moderation.reports import is_chat_closed, lines_open_to, open_to
from games.moderation.sanctions import SILENCING, in_force
from games.queries.play import match_and_seats
from games.queries.readable import why_unreadable
from games.services.operation.admin_actions import NoReason, done_before, mark_done, note
from games.services.refusals import Refused
from games.table import fresh_key, name_and_badge, table_for


class LookForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=500,
        help_text=gettext_lazy("Kept in the audit, with your name."),
        widget=forms.TextInput(attrs={"size": 60}),
    )
    key = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput, initial=fresh_key)


def about(request: HttpRequest, moderator: User) -> About:
    """Return the report, appeal, address, member, match and line that the query names; Http404 when one is missing."""
    there: dict[str, QuerySet[Any]] = {
        "report": open_to(moderator, Report.objects.select_related("member", "match", "line", "club", "taken_by")),
        "appeal": Appeal.objects.select_related("sanction__member").exclude(sanction__member=moderator),
        "barred": Barred.objects.all() if moderator.is_superuser else Barred.objects.none(),
        "member": User.objects.all(),
        "match": Match.objects.all(),
        "line": lines_open_to(moderator),
    }
    found: About = dict.fromkeys(there)
    for name, rows in there.items():
        if name in request.GET:
            found[name] = rows.filter(pk=read_number(request.GET[name]) or 0).first()
            if found[name] is None:
                raise Http404
    if not any(found.values()):
        raise Http404
    report, line = found["report"], found["line"]
    if report is not None:
        found |= {name: getattr(report, name) for name in ("member", "match", "line")}
    elif line is not None:
        found |= {"member": line.user, "match": line.match}
    elif found["appeal"] is not None:
        found["member"] = found["appeal"].sanction.member
    return found


def actions_for(found: About, moderator: User) -> list[str]:
    """Return the actions that fit the subject and who acts, those on the report first."""
    member, match, line, appeal = (found[name] for name in ("member", "match", "line", "appeal"))
    deeds: list[str] = [*deeds_for(found["report"], moderator)] if found["report"] is not None else []
    if found["report"] is not None and is_chat_closed(found["report"], moderator):
        deeds += [Audit.Deed.READ]
    if appeal is not None:
        deeds += ABOUT_APPEAL if appeal.state == Appeal.State.OPEN else ()
    deeds += [Audit.Deed.UNBAR] if found["barred"] is not None else []
    if member is not None:
        deeds += _deeds_for_member(member, moderator)
    if line is not None:
        deeds += [Audit.Deed.UNHIDE if line.hidden else Audit.Deed.HIDE]
    deeds += _deeds_for_match(match) if match is not None else []
    return [str(deed) for deed in deeds]


def _deeds_for_member(member: User, moderator: User) -> list[str]:
    """Return the actions that fit a member; a ban takes two, unless nobody else moderates."""
    proposed = ban_to_confirm(member)
    may_ban = is_alone(moderator) or (proposed is not None and proposed.by_id != moderator.pk)
    ban = [Audit.Deed.BAN] if may_ban else [Audit.Deed.PROPOSE] if proposed is None else []
    may_change = moderator.is_superuser and member != moderator and not (member.is_guest or member.is_bot)
    return [
        *([Audit.Deed.WARN, Audit.Deed.MUTE, Audit.Deed.SUSPEND] if member.is_active else []),
        *[Audit.Deed.RENAME, *([Audit.Deed.LIFT] if in_force(member, SILENCING) else [])],
        *(ban if member.is_active else []),
        *[Audit.Deed.NOTE, Audit.Deed.LINKS],
        *([Audit.Deed.ADDRESS, Audit.Deed.RIGHTS] if may_change else []),
    ]


def _deeds_for_match(match: Match) -> list[str]:
    """Return the actions that fit a match; voiding a running unrated match would only end it."""
    counts = (match.status == Match.Status.ENDED or match.rated) and match.ending != Match.Ending.CALLED_OFF
    return [
        *([Audit.Deed.TIME, Audit.Deed.REPLACE] if match.status == Match.Status.RUNNING else []),
        *([Audit.Deed.END] if match.status != Match.Status.ENDED else []),
        *([Audit.Deed.VOID] if counts and match.started_at and not match.voided_at else []),
    ]


def act(request: HttpRequest, moderator: User) -> tuple[int, dict[str, Any]]:
    """Return status and context of the list of actions, or of the form of the action that is named.

    Once it is performed the status is 302, and the context has its title (`done`) and where to go on (`to`).
    """
    found = about(request, moderator)
    deeds = actions_for(found, moderator)
    deed = request.POST.get("deed") or request.GET.get("deed", "")
    context = {"title": _("What can be done"), "groups": _groups(request, found, deeds), **_shown(found)}
    if deed in deeds:
        try:
            if found["match"] is not None and deed in (*ABOUT_LINE, *ABOUT_MATCH):
                check_impartial(moderator, found["match"].pk)  # even the form tells of the other players
        except Partial as refusal:
            return refusal.status, context | {"error": str(refusal)}
        return _ask(request, moderator, found, deed)
    if deed or request.method == "POST":
        return 400, context | {"error": _("That cannot be done here. Choose from the list.")}
    return 200, context


def _ask(request: HttpRequest, moderator: User, found: About, deed: str) -> tuple[int, dict[str, Any]]:
    title = CHOICES[deed].titled(_names(found))
    seats = _seats(found["match"]) if deed == Audit.Deed.REPLACE else []
    data = request.POST if request.method == "POST" else None
    others = waiting_about(found["report"], moderator) if deed in ABOUT_REPORT else 0
    form, status = ActionForm(data, deed=deed, title=title, seats=seats, others=others), 200
    if data is not None:
        status = 400
        if form.is_valid():
            try:
                perform(deed, moderator=moderator, about=found, **form.cleaned_data)
            except NoReason:
                form.add_error("reason", _("Say why."))
            except Refused as refusal:
                status = refusal.status
                form.add_error(None, str(refusal))
            else:
                return 302, {"done": title, "to": _after(request, deed)}
    context = {"title": title, "form": form, "deed": deed, "choice": CHOICES[deed]}
    return status, context | {"back": _address(request, None)} | _shown(found)


def _seats(match: Match) -> list[tuple[int, str]]:
    if why_unreadable(match):
        return []
    seats = table_for(*match_and_seats(match.pk), None)["seats"]
    return [(seat["number"], seat["name"]) for seat in seats if seat["kind"] == "person" and not seat["left"]]


def _names(found: About) -> dict[str, Any]:
    shown = {"member": "username", "match": "pk", "report": "pk", "barred": "pattern"}
    return {name: getattr(found[name], field) if found[name] else "" for name, field in shown.items()}


def _shown(found: About) -> dict[str, Any]:
    member = found["member"]
    return {**found, "standing": standings([member])[member.pk] if member else ()}


def _groups(request: HttpRequest, found: About, deeds: list[str]) -> list[dict[str, Any]]:
    """Return the actions as links, grouped by report, member, chat line and match."""
    names = _names(found)
    headings = (
        *((_("The report"), ABOUT_REPORT), (_("The appeal"), ABOUT_APPEAL), (_("The address"), (Audit.Deed.UNBAR,))),
        (_("The member"), ABOUT_MEMBER),
        *((_("The chat line"), ABOUT_LINE), (_("The match"), ABOUT_MATCH)),
    )
    groups = []
    for heading, about_it in headings:
        links = [
            {"to": _address(request, deed), "choice": CHOICES[deed], "title": CHOICES[deed].titled(names)}
            for deed in deeds
            if deed in about_it
        ]
        groups += [{"heading": heading, "links": links}] if links else []
    return groups


def _address(request: HttpRequest, deed: str | None) -> str:
    query = request.GET.copy()
    query.pop("deed", None)
    if deed is not None:
        query["deed"] = deed
    return f"{request.path}?{query.urlencode()}"


def _after(request: HttpRequest, deed: str) -> str:
    """Return where to go on: to the list of actions, or from a closed report to the queue."""
    if deed in CLOSING:
        return reverse("admin:moderation_report_changelist")
    if deed == Audit.Deed.READ:
        return reverse("admin:moderation_report_change", args=[request.GET["report"]])
    if deed == Audit.Deed.UNBAR:
        return reverse("admin:moderation_barred_changelist")
    return _address(request, None)


def look(request: HttpRequest, admin: User, match: Match) -> dict[str, Any]:
    """Return the context of a match's hidden state, with the state once the reason is in the audit.

    Partial for an admin who plays or played in the match, while it runs.
    """
    form = LookForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"form": form, "state": None}
    if plays_or_played(admin).filter(match=match, match__status=Match.Status.RUNNING).exists():
        raise Partial
    if form.is_valid():
        try:
            with transaction.atomic():
                key = form.cleaned_data["key"]
                used = done_before(admin, key)
                if not (used and _has_just_looked(admin, match, key)):
                    note(admin, Audit.Deed.LOOK, form.cleaned_data["reason"], match=match)
                    mark_done(admin, "" if used else key)
        except NoReason:
            form.add_error("reason", _("Say why."))
        else:
            now, seats = match_and_seats(match.pk)
            context["seats"] = [(seat, name_and_badge(seat)) for seat in seats]
            context["state"] = json.dumps(json.loads(bytes(now.state or b"null")), indent=1, ensure_ascii=False)
    return context


def _has_just_looked(admin: User, match: Match, key: str) -> bool:
    """Return whether this form was sent within the last minute, by a second click."""
    looks = Audit.objects.filter(moderator=admin, deed=Audit.Deed.LOOK, match=match, key=key)
    return looks.filter(at__gt=clock.now() - timedelta(minutes=1)).exists()
