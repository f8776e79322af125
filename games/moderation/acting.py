"""The moderators' form: what it is about, which deeds fit, and the deed itself."""

import json
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.chat import ChatLine
from games.forms import read_number
from games.models import Match
from games.moderation.audit import NoReason, note
from games.moderation.deeds import ABOUT_LINE, ABOUT_MATCH, ABOUT_MEMBER, ABOUT_REPORT, do
from games.moderation.forms import DeedForm
from games.moderation.models import Audit, Report
from games.moderation.reports import behind, open_to
from games.queries import seats_of
from games.services.refusals import Refused

About = dict[str, Any]


class LookForm(forms.Form):
    """Why an admin looks at what is hidden."""

    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=500,
        help_text=gettext_lazy("Kept in the audit, with your name."),
        widget=forms.TextInput(attrs={"size": 60}),
    )


def about(request: HttpRequest, moderator: User) -> About:
    """Return the report, member, match and line that the address names; Http404 when one is not there."""
    found: About = {"report": None, "member": None, "match": None, "line": None}
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


def deeds_for(found: About) -> list[str]:
    """Return what can be done about these, reports first."""
    deeds: list[str] = []
    if found["report"] is not None and found["report"].closed_at is None:
        deeds += ABOUT_REPORT
    if found["member"] is not None and not found["member"].is_guest:
        deeds += ABOUT_MEMBER
    if found["line"] is not None:
        deeds += [Audit.Deed.UNHIDE if found["line"].hidden else Audit.Deed.HIDE]
    if found["match"] is not None:
        ended = found["match"].status == Match.Status.ENDED
        running = found["match"].status == Match.Status.RUNNING
        deeds += [Audit.Deed.VOID] if found["match"].rated or ended else []
        deeds += [] if ended else [Audit.Deed.END]
        deeds += [Audit.Deed.TIME, Audit.Deed.REPLACE] if running else []
    assert set(deeds) <= {*ABOUT_REPORT, *ABOUT_MEMBER, *ABOUT_LINE, *ABOUT_MATCH}
    return [str(deed) for deed in deeds]


def act(request: HttpRequest, moderator: User) -> tuple[int, dict[str, Any] | None]:
    """Return status and context of the form, (200, None) when the deed was done."""
    found = about(request, moderator)
    match = found["match"]
    seats = [(seat.number, seat.username or "") for seat in seats_of(match) if seat.is_in] if match else []
    data = request.POST if request.method == "POST" else None
    form = DeedForm(data, deeds=deeds_for(found), seats=seats)
    status = 200
    if data is not None:
        status = 400
        if form.is_valid():
            try:
                do(moderator=moderator, **form.cleaned_data, **found)
            except NoReason:
                form.add_error("reason", _("Say why."))
            except Refused as refusal:
                status = refusal.status
                form.add_error(None, str(refusal))
            else:
                return 200, None
    return status, {"form": form, **found}


def look(request: HttpRequest, admin: User, match: Match) -> dict[str, Any]:
    """Return the context of the look at a match's hidden state: the state only after the reason was kept."""
    form = LookForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"form": form, "state": None}
    if form.is_valid():
        try:
            note(admin, Audit.Deed.LOOK, form.cleaned_data["reason"], match=match)
        except NoReason:
            form.add_error("reason", _("Say why."))
        else:
            state = json.loads(bytes(match.state or b"null"))
            context["state"] = json.dumps(state, indent=1, ensure_ascii=False)
            context["seats"] = seats_of(match)
    return context
