"""The operation page in the admin: the state of the site, and what an admin may do about it."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import View, member_of
from games.forms.operation import ReasonForm, TimeForm
from games.forms.play import read_number
from games.models import Match, Puzzle, Sweep
from games.services.clocks import outages
from games.services.operation import admin_actions, samples
from games.services.operation.site_status import counts, operation_context
from games.services.refusals import Refused
from games.views.responses import LARGEST, posted

RUN_SITE, GIVE_TIME = "games.change_sweep", "games.change_match"  # superusers have both

Do = Callable[[dict[str, Any]], str]
Row = TypeVar("Row", bound=Model)


def for_admins(permission: str) -> Callable[[View], View]:
    """Make a view part of the admin, for people with this permission; others are refused (403)."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not member_of(request).has_perm(permission):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return admin.site.admin_view(wrapped)

    return decorate


@require_safe
@for_admins(RUN_SITE)
def page(request: HttpRequest) -> HttpResponse:
    context = {"title": _("Operation"), **operation_context(), "curves": samples.curves()}
    return _render(request, "admin/operation/page.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins(RUN_SITE)
def give_time_to_all(request: HttpRequest) -> HttpResponse:
    """Give every running clock some hours, confirmed with a reason."""

    def give(answer: dict[str, Any]) -> str:
        admin_actions.give_time_to_all(admin=member_of(request), **answer)
        words = _("Time is given to every running clock: %(owed)d matches get it with the next sweep.")
        return words % {"owed": outages.owed_matches().count()}

    running = Match.objects.filter(status=Match.Status.RUNNING).count()
    context = {"title": _("Give time to all"), "running": running, "back": reverse("operation")}
    return _confirmed(request, "give_time_to_all", TimeForm, give, context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins(GIVE_TIME)
def give_time(request: HttpRequest) -> HttpResponse:
    """Give the matches named by the address (`match`, one or several) some hours."""
    ids = _match_ids(request)

    def give(answer: dict[str, Any]) -> str:
        given, idle = admin_actions.give_time_to_matches(admin=member_of(request), match_ids=ids, **answer)
        words = ngettext("%(count)d match was given time.", "%(count)d matches were given time.", given)
        return " ".join(filter(None, [words % {"count": given}, _idle(idle)]))

    back = reverse("admin:games_match_changelist")
    if not 0 < len(ids) <= admin_actions.MOST_MATCHES:
        wrong = _("Choose from 1 to %(most)d matches.") % {"most": admin_actions.MOST_MATCHES}
        messages.error(request, wrong)
        return redirect(back)
    matches = Match.objects.only("game_slug", "status", "paused_at").in_bulk(ids)
    if len(matches) != len(ids):
        raise Http404
    if len(ids) == 1:
        back = reverse("admin:games_match_change", args=ids)
    context = {"title": _("Give time"), "matches": [matches[number] for number in ids], "back": back}
    return _confirmed(request, "give_time", TimeForm, give, context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins(RUN_SITE)
def release(request: HttpRequest, sweep_id: int) -> HttpResponse:
    """Let the sweep that the fuse stopped go on."""
    sweep = _row(Sweep.objects.all(), sweep_id)

    def go_on(answer: dict[str, Any]) -> str:
        admin_actions.release(admin=member_of(request), sweep=sweep, **answer)
        return _("The sweep is running again: for an hour the fuse stops nothing.")

    context = {"title": _("Resume the stopped sweep"), "sweep": sweep, "back": reverse("operation")}
    return _confirmed(request, "release", ReasonForm, go_on, context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins(RUN_SITE)
def undo(request: HttpRequest, sweep_id: int) -> HttpResponse:
    sweep = _row(Sweep.objects.all(), sweep_id)

    def take_back(answer: dict[str, Any]) -> str:
        done = admin_actions.undo_sweep(admin=member_of(request), sweep=sweep, **answer)
        return admin_actions.undone_words(done)

    done = counts([sweep.pk]).get(sweep.pk, {})
    context = {"title": _("Undo this sweep"), "sweep": sweep, "done": done, "back": reverse("operation")}
    return _confirmed(request, "undo", ReasonForm, take_back, context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins(RUN_SITE)
def withdraw_puzzle(request: HttpRequest, puzzle_id: int) -> HttpResponse:
    """Take a puzzle from its day, with a reason; a worker makes another."""
    puzzle = _row(Puzzle.objects.all(), puzzle_id)

    def withdraw(answer: dict[str, Any]) -> str:
        admin_actions.withdraw_puzzle(admin=member_of(request), puzzle=puzzle, **answer)
        return _("The puzzle is withdrawn. Another takes its day within a minute.")

    back = reverse("admin:games_puzzle_changelist")
    context = {"title": _("Withdraw this puzzle"), "puzzle": puzzle, "back": back}
    return _confirmed(request, "withdraw_puzzle", ReasonForm, withdraw, context)


@posted
@for_admins(RUN_SITE)
def look_again(request: HttpRequest, match_id: int) -> HttpResponse:
    """Let the next sweep look at a match that was set aside."""
    match = _row(Match.objects.only("game_slug"), match_id)
    if admin_actions.look_again(admin=member_of(request), match=match):
        messages.success(request, _("The next sweep looks at match %(number)d again.") % {"number": match.pk})
    else:
        messages.info(request, _("Match %(number)d is not set aside any more.") % {"number": match.pk})
    return redirect("operation")


@posted
@for_admins(RUN_SITE)
def resume_mails(request: HttpRequest) -> HttpResponse:
    """Let the mails go on that the fuse stopped, and write again to the addresses that it took for bad."""
    if done := admin_actions.resume_mails(admin=member_of(request)):
        words = _("Mails are sent again. Mails to send once more: %(mails)d. Addresses turned on: %(addresses)d.")
        messages.success(request, words % {"mails": done[0], "addresses": done[1]})
    else:
        messages.info(request, _("The mails are not stopped any more."))
    return redirect("operation")


def _confirmed(
    request: HttpRequest, name: str, form_class: type[ReasonForm], do: Do, context: dict[str, Any]
) -> HttpResponse:
    """Do what the posted form asks for and redirect; else show the form with its errors."""
    status, refusal = 200, None
    form = form_class(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            messages.success(request, do(form.cleaned_data))
        except Refused as refused:
            status, refusal = refused.status, refused
        else:
            return redirect(context["back"])
    elif form.is_bound:
        status = 400
    context |= {"form": form, "refusal": refusal, "last": admin_actions.last_act(member_of(request))}
    return _render(request, f"admin/operation/{name}.html", context, status)


def _render(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, template, {**admin.site.each_context(request), **context}, status=status)


def _row(rows: QuerySet[Row], number: int) -> Row:
    if number >= LARGEST:
        raise Http404
    return get_object_or_404(rows, pk=number)


def _match_ids(request: HttpRequest) -> list[int]:
    """Return the ids in the address, each once; none if one of them is invalid."""
    numbers = [read_number(text) for text in request.GET.getlist("match")[: admin_actions.MOST_MATCHES + 1]]
    return list(dict.fromkeys(number for number in numbers if number is not None)) if all(numbers) else []


def _idle(number: int) -> str:
    if not number:
        return ""
    return ngettext(
        "In %(count)d match it is no member’s move: no time was given there.",
        "In %(count)d matches it is no member’s move: no time was given there.",
        number,
    ) % {"count": number}
