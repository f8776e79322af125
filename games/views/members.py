"""Pages of a member, found by name."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.models import User
from accounts.queries import member_named


def of_member(view: Callable[[HttpRequest, User], HttpResponse]) -> Callable[[HttpRequest, str], HttpResponse]:
    """Let a view show the member of this name; lead to how it is spelt, or to a page that knows nobody (404)."""

    @wraps(view)
    def wrapped(request: HttpRequest, name: str) -> HttpResponse:
        member = member_named(name)
        if member is None:
            return render(request, "games/people/nobody.html", {"name": name[:40]}, status=404)
        if member.username != name:
            assert request.resolver_match is not None
            return redirect(request.resolver_match.view_name, name=member.username)
        return view(request, member)

    return wrapped
