"""The moderators' page: its subject, the actions that fit, and the form of one action."""

import json
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.forms.play import read_number
from games.models import Audit, ChatLine, Match, Seat
from games.moderation.actions import ABOUT_LINE, ABOUT_MATCH, ABOUT_MEMBER, ABOUT_REPORT, CHOICES, perform
from games.moderation.forms import ActionForm
from games.moderation.hints import standings
from games.moderation.matches import Partial, check_impartial
from games.moderation.models import Report
from games.moderation.reports import behind, open_to
from games.moderation.sanctions import SILENCING, in_force
from games.queries.play import match_and_seats
from games.services.operation.admin_actions import NoReason, note
from games.services.refusals import Refused
from games.table import table_for

About = dict[str, Any]


class LookForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=500,
        help_text=gettext_lazy("Kept in the audit, with your name."),
        widget=forms.TextInput(attrs={"size": 60}),
    )


def about(request: HttpRequest, moderator: User) -> About:
    """Return the report, member, match and line that the query names; Http404 when one is missing."""
    found: About = dict.fromkeys(("report", "member", "match", "line"))
    there: dict[str, QuerySet[Any]] = {
        "report": open_to(moderator, Report.objects.all()),
        "member": User.objects.all(),
        "match": Match.objects.all(),
        "line": ChatLine.objects.exclude(pk__in=behind(moderator)),
    }
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
    return found


def actions_for(found: About) -> list[str]:
    """Return the actions that fit the subject, those on the report first."""
    report, member, match, line = (found[name] for name in ("report", "member", "match", "line"))
    deeds: list[str] = [*ABOUT_REPORT] if report is not None and report.closed_at is None else []
    if member is not None and not member.is_guest:
        deeds += [Audit.Deed.WARN, Audit.Deed.MUTE, Audit.Deed.SUSPEND] if member.is_active else []
        deeds += [Audit.Deed.RENAME, *([Audit.Deed.LIFT] if in_force(member, SILENCING) else [])]
        deeds += [Audit.Deed.BAN] if member.is_active else []
    if line is not None:
        deeds += [Audit.Deed.UNHIDE if line.hidden else Audit.Deed.HIDE]
    deeds += _deeds_for_match(match) if match is not None else []
    assert set(deeds) <= {*ABOUT_REPORT, *ABOUT_MEMBER, *ABOUT_LINE, *ABOUT_MATCH}
    return [str(deed) for deed in deeds]


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
    deeds = actions_for(found)
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
    form, status = ActionForm(data, deed=deed, title=title, seats=seats), 200
    if data is not None:
        status = 400
        if form.is_valid():
            try:
                perform(deed, moderator=moderator, **form.cleaned_data, **found)
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
    seats = table_for(*match_and_seats(match.pk), None)["seats"]
    return [(seat["number"], seat["name"]) for seat in seats if seat["kind"] == "person" and not seat["left"]]


def _names(found: About) -> dict[str, Any]:
    shown = {"member": "username", "match": "pk", "report": "pk"}
    return {name: getattr(found[name], field) if found[name] else "" for name, field in shown.items()}


def _shown(found: About) -> dict[str, Any]:
    member = found["member"]
    return {**found, "standing": standings([member])[member.pk] if member else ()}


def _groups(request: HttpRequest, found: About, deeds: list[str]) -> list[dict[str, Any]]:
    """Return the actions as links, grouped by report, member, chat line and match."""
    names = _names(found)
    headings = (
        *((_("The report"), ABOUT_REPORT), (_("The member"), ABOUT_MEMBER)),
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
    if deed in (Audit.Deed.SETTLE, Audit.Deed.DISMISS):
        return reverse("admin:moderation_report_changelist")
    return _address(request, None)


def look(request: HttpRequest, admin: User, match: Match) -> dict[str, Any]:
    """Return the context of a match's hidden state, with the state once the reason is in the audit.

    Partial for an admin who plays or played in the match, while it runs.
    """
    form = LookForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"form": form, "state": None}
    playing = Seat.objects.filter(match=match, user=admin, match__status=Match.Status.RUNNING)
    if playing.exists():
        raise Partial
    if form.is_valid():
        try:
            note(admin, Audit.Deed.LOOK, form.cleaned_data["reason"], match=match)
        except NoReason:
            form.add_error("reason", _("Say why."))
        else:
            now, context["seats"] = match_and_seats(match.pk)
            context["state"] = json.dumps(json.loads(bytes(now.state or b"null")), indent=1, ensure_ascii=False)
    return context
