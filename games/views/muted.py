"""Whom a member has muted: the list among their people, and the button to hear somebody again."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people import member_of, members_only
from games.services import spoken
from games.views.showing import posted


def muted_panel(request: HttpRequest, member: User) -> SafeString:
    """Return the list as HTML; a hook of accounts (CIRCLE_PANELS)."""
    people = [row.person for row in spoken.muted_by(member)]
    return render_to_string("people/muted.html", {"muted": people}, request)


@posted
@members_only
def hear(request: HttpRequest, name: str) -> HttpResponse:
    """Read again what somebody writes whom one had muted."""
    if spoken.hear(user=member_of(request), name=name):
        messages.success(request, _("You hear %(name)s again.") % {"name": name})
    else:
        messages.info(request, _("You have muted nobody of that name."))
    return redirect("circle")
