"""The page on which a sandbox is opened: from a record that is brought, or from a match of this site."""

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import Hidden, member_of, members_only
from config.lib import rate_limits
from games.forms.play import read_number
from games.forms.sandboxes import RecordForm, SandboxForm
from games.models import Match
from games.record import record_of
from games.services.records import checking, sandboxes
from games.services.records.checking import Sound
from games.services.refusals import Invalid, Refused, TooOften
from games.views.once import once
from games.views.responses import find, with_refusals


class Brought(NamedTuple):
    """A record that was brought: its text for the next form to carry, or the match of this site of which it is."""

    record: object
    text: str
    source: Match | None


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
@with_refusals
@once
def sandbox(request: HttpRequest) -> HttpResponse:
    """Show the form for a record; then what is in it and how to play on; then open the sandbox."""
    if request.method != "POST":
        return _from_match(request) if "match" in request.GET else _page(request, {"form": RecordForm()})
    if not rate_limits.allows(request, "sandbox"):
        raise TooOften
    try:
        brought = _brought(request)
    except Invalid as refusal:
        return _page(request, {"form": RecordForm(), "refusal": refusal}, status=400)
    if brought is None:
        form = RecordForm(request.POST, request.FILES)
        form.is_valid()
        return _page(request, {"form": form}, status=400)
    try:
        sound = checking.checked(brought.record)
    except Invalid as refusal:
        return _page(request, {"form": RecordForm(), "refusal": refusal}, status=400)
    return _begun(request, brought, sound)


def _from_match(request: HttpRequest) -> HttpResponse:
    """Show how to play on from a step of a match that has ended; nothing is checked before it is sent."""
    source = _source(request, request.GET.get("match"))
    step = min(read_number(request.GET.get("step", "0")) or 0, max(source.turns - 1, 0))
    form = choices_of(None, source.game.levels, source.size, step)
    brought = Brought(None, "", source)
    about = {"game": source.game, "size": source.size, "last": source.turns - 1, "checked": False}
    return _page(request, {"choices": form, "brought": brought, **about})


def _source(request: HttpRequest, number: str | None) -> Match:
    """Return a match that has ended and that this person may see. Hidden, Invalid."""
    match_id = read_number(number)
    if match_id is None:
        raise Hidden(reverse("sandbox"))
    match = find(request, match_id).match
    if match.status != Match.Status.ENDED or not match.state or match.turns == 0:
        raise Invalid(_("A sandbox begins from a match that has ended."))
    return match


def _brought(request: HttpRequest) -> Brought | None:
    """Return the record of this request: of a match of this site, or as it was sent; None without one. Invalid."""
    if "match" in request.POST:
        match = _source(request, request.POST["match"])
        shown = find(request, match.pk)
        return Brought(record_of(shown.match, shown.seats), "", shown.match)
    form = RecordForm(request.POST, request.FILES)
    if not form.is_valid():
        return None
    sent = form.cleaned_data["record"]
    text = sent if isinstance(sent, str) else sent.decode("utf-8", "replace")
    return Brought(checking.read(sent), text, None)


def _begun(request: HttpRequest, brought: Brought, sound: Sound) -> HttpResponse:
    """Open the sandbox, if it is said how; else ask."""
    is_sent = "kind" in request.POST
    form = choices_of(request.POST if is_sent else None, sound.game.levels, sound.size, sound.last)
    if is_sent and form.is_valid():
        within_limits(request, form.cleaned_data)
        try:
            match = sandboxes.open_from(
                user=member_of(request), sound=sound, source=brought.source, **form.cleaned_data
            )
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("match", match_id=match.pk)
    about = {"game": sound.game, "size": sound.size, "last": sound.last, "checked": True}
    status = 400 if is_sent else 200
    return _page(request, {"choices": form, "brought": brought, **about}, status=status)


def within_limits(request: HttpRequest, wishes: dict[str, Any]) -> None:
    """Count a table that is opened, and whom it asks, as at every other door. TooOften."""
    asks = len(wishes["invited"]) if wishes["kind"] == Match.Sandbox.FRIENDS else 0
    is_fine = rate_limits.allows(request, "table") and (not asks or rate_limits.allows(request, "invite", times=asks))
    if not is_fine:
        raise TooOften


def choices_of(sent: Any, levels: tuple[str, ...], size: int, step: int) -> SandboxForm:
    initial = {"step": step, "kind": Match.Sandbox.BOTS, "level": levels[0] if levels else ""}
    return SandboxForm(sent, levels=levels, size=size, initial=initial)


def _page(request: HttpRequest, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    return render(request, "games/records/sandbox.html", context, status=status)
