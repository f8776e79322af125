"""Members' pages: reports and their outcome, sanctions and appeals; the public figures of moderation."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import member_of
from accounts.models import User
from config.lib import clock, rate_limits
from config.lib.texts import written
from games.forms.play import read_number
from games.moderation import appeals, figures, queue
from games.moderation.forms import AppealForm, ReportForm
from games.moderation.models import Report, Sanction
from games.moderation.reports import report, waiting
from games.moderation.sanctions import READ
from games.queries.clubs import visible_club
from games.services.refusals import CannotWrite, Refused, TooOften
from games.views.chat import line_for
from games.views.once import once
from games.views.responses import find, posted, with_refusals

REPORTS_A_PAGE = 20


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
@login_required
def report_page(request: HttpRequest) -> HttpResponse:
    """Report what `?member=`, `?line=`, `?match=`, `?club=` or `?tournament=` names."""
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
    line = about.get("line")
    match, club = (about.get(name) or getattr(line, name, None) for name in ("match", "club"))
    if about.get("tournament"):
        return redirect("tournaments")
    if match is not None:
        return redirect("match", match_id=match.pk)
    return redirect("club", club_id=club.pk) if club is not None else redirect("home")


def _confirmation(before: Report | None, now: Report) -> str:
    """Return the message for the reporter; `before` is the open report that existed already."""
    if before is None or before.pk != now.pk:
        return _("Thank you. A moderator will look at it.")
    if before.words != now.words:
        return _("Thank you. You had already reported this: your text was added to that report.")
    return _("You have already reported this. A moderator will look at it.")


def _about(request: HttpRequest) -> dict[str, Any]:
    """Return the reported line, match, club, tournament or member; Http404 when this person may not see it."""
    line, match = read_number(request.GET.get("line")), read_number(request.GET.get("match"))
    club, tournament = read_number(request.GET.get("club")), read_number(request.GET.get("tournament"))
    name = request.GET.get("member", "")[:100].replace("\0", "")
    if line is not None:
        return {"line": line_for(request, line)}
    if match is not None:
        return {"match": find(request, match).match}
    if club is not None:
        if (there := visible_club(club, request.user)) is None:
            raise Http404
        return {"club": there}
    if tournament is not None:
        return {"tournament": import_string(settings.REPORTED_TOURNAMENT)(request, tournament)}
    if not name:
        raise Http404
    return {"member": get_object_or_404(User, username=name, is_active=True)}


@require_safe
@login_required
def my_reports(request: HttpRequest) -> HttpResponse:
    """Show a member's own reports, and what became of each."""
    page = Paginator(queue.made_by(member_of(request)), REPORTS_A_PAGE).get_page(request.GET.get("page"))
    lines = [{"report": one, "subject": queue.subject(one), "outcome": queue.outcome(one)} for one in page]
    return render(request, "moderation/reports.html", {"lines": lines, "page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
@login_required
def sanction_page(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """Show a member a sanction of theirs and why; a post appeals against it."""
    number = sanction_id if sanction_id < 2**63 else 0
    found = get_object_or_404(Sanction.objects.select_related("member"), pk=number, member=member_of(request))
    return _appealing(request, found)


@require_http_methods(["GET", "HEAD", "POST"])
def closed_account(request: HttpRequest, token: str) -> HttpResponse:
    """Show why an account is banned to who has just given its password; a post appeals against it."""
    found = appeals.sanction_behind(token)
    if found is None or found.member is None:
        late = {"written": written(request.POST)}
        return render(request, "moderation/closed_late.html", late, status=404)
    return _appealing(request, found)


def _appealing(request: HttpRequest, sanction: Sanction) -> HttpResponse:
    form, status = AppealForm(request.POST if request.method == "POST" else None), 200
    if form.is_bound:
        status = 400
        if form.is_valid():
            try:
                appeals.appeal(sanction=sanction, words=form.cleaned_data["words"])
            except Refused as refusal:
                form.add_error(None, str(refusal))
                status = refusal.status
            else:
                messages.success(request, _("Thank you. Another moderator reads your appeal, and answers by mail."))
                return redirect(request.path)
    return render(request, "moderation/sanction.html", {"form": form, **appeals.page_of(sanction)}, status=status)


@require_safe
def figures_page(request: HttpRequest) -> HttpResponse:
    """Show what moderators did in the last months, in figures."""
    return render(request, "moderation/figures.html", {"months": figures.months(), "heads": figures.HEADS})


def reports_panel(request: HttpRequest, member: User) -> SafeString:
    """Return the way to one's reports as HTML; a hook of accounts (CIRCLE_PANELS)."""
    return render_to_string("moderation/my_reports_link.html", {"made": queue.made_by(member).exists()}, request)


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
