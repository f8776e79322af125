"""The page of a match that cannot be read now, instead of an internal error: a middleware."""

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import page_not_found

from games.forms.play import read_number
from games.models import Match
from games.queries import play
from games.queries.readable import IN_WORDS, report, why_unreadable
from games.services import hooks

OTHERS = (Http404, PermissionDenied, SuspiciousOperation, DatabaseError)
RETRY_SECONDS = 600


class CannotBeShown(MiddlewareMixin):
    """Answer (503) that a match cannot be shown now when an error is that match's, to whom may see it."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Look at the match that the address names; None when the error has another reason."""
        if isinstance(exception, OTHERS):
            return None
        number = _number(request)
        match = Match.objects.filter(pk=number).first() if number is not None else None
        if match is None or not why_unreadable(match):
            return _page(request) if isinstance(exception, IN_WORDS) else None
        report(match.pk, exception)
        return _page(request, match) if _may_know(request, match) else page_not_found(request, exception)


def _may_know(request: HttpRequest, match: Match) -> bool:
    """Return whether this person may see the match, or is in the admin, whose door has let them in."""
    found = request.resolver_match
    is_admin = found is not None and found.route.startswith("admin/")
    is_visible = is_admin or play.visible_to(request.user).filter(pk=match.pk).exists()
    return is_visible or hooks.may_watch(match, request.user, request.session)


def _number(request: HttpRequest) -> int | None:
    """Return the number of the match that the address names; None if it names none."""
    named = request.resolver_match.kwargs if request.resolver_match else {}
    found = named.get("match_id") or named.get("object_id") or request.GET.get("match")
    number = read_number(str(found)) if found is not None else None
    return number if number is not None and number < 2**63 else None


def _page(request: HttpRequest, match: Match | None = None) -> HttpResponse:
    answer = render(request, "games/play/unreadable.html", {"match": match}, status=503)
    answer["Retry-After"] = str(RETRY_SECONDS)
    answer["Cache-Control"] = "no-store"
    return answer
