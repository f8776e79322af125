"""Members' pages: report a member, chat line or match; confirm having read a warning."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import member_of
from accounts.models import User
from config.lib import clock, rate_limits
from games.forms.play import read_number
from games.moderation.forms import ReportForm
from games.moderation.models import Report, Sanction
from games.moderation.reports import report, waiting
from games.moderation.sanctions import READ
from games.services.refusals import CannotWrite, Refused, TooOften
from games.views.chat import line_for
from games.views.once import once
from games.views.responses import find, posted, with_refusals


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
@login_required
def report_page(request: HttpRequest) -> HttpResponse:
    """Report what `?member=`, `?line=` or `?match=` names."""
    reporter, about = member_of(request), _about(request)
    if reporter.is_guest:
        raise CannotWrite(_("Guests cannot report. Sign up first; your matches stay yours."))
    form = ReportForm(request.POST if request.method == "POST" else None)
    before, status = waiting(reporter=reporter, **about), 400 if form.is_bound else 200
    if form.is_valid():
        try:
            return _report(request, before, about, form.cleaned_data)
        except Refused as refusal:  # the form keeps the text
            form.add_error(None, str(refusal))
            status = refusal.status
    context = {"form": form, "there": before, **{f"about_{name}": thing for name, thing in about.items()}}
    return render(request, "moderation/report.html", context, status=status)


@once
def _report(request: HttpRequest, before: Report | None, about: dict[str, Any], said: dict[str, Any]) -> HttpResponse:
    if before is None and not rate_limits.allows(request, "report"):
        raise TooOften
    now = report(reporter=member_of(request), **said, **about)
    messages.success(request, _confirmation(before, now))
    match = about.get("match") or (about["line"].match if about.get("line") else None)
    return redirect("match", match_id=match.pk) if match else redirect("home")


def _confirmation(before: Report | None, now: Report) -> str:
    """Return the message for the reporter; `before` is the open report that existed already."""
    if before is None or before.pk != now.pk:
        return _("Thank you. A moderator will look at it.")
    if before.words != now.words:
        return _("Thank you. You had already reported this: your text was added to that report.")
    return _("You have already reported this. A moderator will look at it.")


def _about(request: HttpRequest) -> dict[str, Any]:
    """Return the reported line, match or member; Http404 when this person may not see it."""
    line, match = read_number(request.GET.get("line")), read_number(request.GET.get("match"))
    name = request.GET.get("member", "")[:100].replace("\0", "")
    if line is not None:
        return {"line": line_for(request, line)}
    if match is not None:
        return {"match": find(request, match).match}
    if not name:
        raise Http404
    return {"member": get_object_or_404(User, username=name, is_guest=False, is_active=True)}


@posted
@login_required
def read_warning(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """Mark a warning as read, so that pages no longer show it."""
    number = sanction_id if sanction_id < 2**63 else 0
    mine = Sanction.objects.filter(pk=number, member=member_of(request), kind__in=READ)
    if not mine.exists():
        raise Http404
    mine.filter(ended_at=None).update(ended_at=clock.now())
    return redirect("home")
