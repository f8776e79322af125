"""Circles of friends on other pages: an ended match offers one, and who is asked into one sees it at home."""

from collections.abc import Sequence

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from accounts.models import User
from games.clubs import circles
from games.clubs.services.circles.keeping import others_of
from games.models import Match, Seat


def match_panel(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> SafeString:
    """Return the way to a circle as HTML: of a table, its own; at the end of any match, a new one (MATCH_PANELS)."""
    if match.creator_id is not None and match.status != Match.Status.ENDED:  # nothing, as on most pages of matches
        return SafeString()
    user = viewer.user if viewer is not None else None
    if user is None or user.is_guest:
        return SafeString()
    circle = circles.of_match(match) if match.creator_id is None else None
    if circle is not None and circles.row_of(circle, user) is not None:
        return render_to_string("games/clubs/circle_line.html", {"circle": circle})
    if match.status != Match.Status.ENDED or match.started_at is None:
        return SafeString()
    made = circles.of(user).filter(match=match).first()
    if made is not None:
        return render_to_string("games/clubs/circle_line.html", {"circle": made})
    return render_to_string("games/clubs/keep.html", {"match": match}) if others_of(match.pk, user) else SafeString()


def home_panel(request: HttpRequest) -> SafeString:
    """Return the circles into which a member is asked as HTML, if any; a hook (HOME_PANELS)."""
    user = request.user
    if not isinstance(user, User) or user.is_guest:
        return SafeString()
    found = circles.asking(user)
    names = circles.names_of(found) if found else {}
    asking = [{"circle": circle, "members": names[circle.pk]} for circle in found]
    return render_to_string("games/clubs/home_circles.html", {"asking": asking}, request) if asking else SafeString()
