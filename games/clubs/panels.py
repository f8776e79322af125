"""Clubs on other pages: what waits on the home page, and a member's clubs."""

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from accounts.models import User
from games.clubs import queries
from games.models import Membership
from games.queries.clubs import with_news


def home_panel(request: HttpRequest) -> SafeString:
    """Return invitations, who asks to join and unread chats as HTML; a hook of games (HOME_PANELS)."""
    user = request.user
    if not isinstance(user, User) or user.is_guest or not Membership.objects.filter(user=user).exists():
        return SafeString()
    waits = {
        "invited": list(queries.invitations(user)),
        "waiting": list(queries.to_answer(user)),
        "news": list(with_news(user)),
    }
    return render_to_string("games/clubs/home.html", waits, request) if any(waits.values()) else SafeString()


def profile_panel(member: User) -> SafeString:
    """Return the clubs of a member that everybody may see as HTML, empty without any; a hook (PROFILE_PANELS)."""
    found = list(queries.shown_on_profile(member))
    return render_to_string("games/clubs/profile.html", {"clubs": found}) if found else SafeString()
