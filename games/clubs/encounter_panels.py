"""Club matches on other pages: of a club, at home, and the line of a match that is a table of one."""

from collections.abc import Sequence

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib.formats import number
from games.clubs import encounters, telling
from games.models import Club, Match, Membership, Seat
from games.services.hooks import Series

SHOWN = 5


def club_panel(request: HttpRequest, club: Club, mine: Membership | None) -> SafeString:
    """Return the last matches of a club against others as HTML; a hook (CLUB_PANELS)."""
    is_in = mine is not None and mine.is_in
    rows = encounters.of_club(club) if is_in else encounters.of_club(club).filter(public=True)
    lines = [telling.line(one) for one in rows[:SHOWN] if is_in or encounters.may_see(one, request.user)]
    organised = Membership.objects.filter(user=request.user.pk, state=Membership.State.IN).exclude(club=club)
    may_challenge = request.user.pk is not None and organised.exclude(role=Membership.Role.MEMBER).exists()
    if not lines and not may_challenge and not is_in:
        return SafeString()
    context = {
        "club": club,
        "lines": lines,
        "may_challenge": may_challenge,
        "organises": mine is not None and mine.organises,
    }
    return render_to_string("games/clubs/club_panel.html", context, request)


def home_panel(request: HttpRequest) -> SafeString:
    """Return the challenges to a member's clubs, and where they have not said whether they play; (HOME_PANELS)."""
    user = request.user
    if not isinstance(user, User) or user.is_guest:
        return SafeString()
    to_answer = [telling.line(one) for one in encounters.to_answer(user, SHOWN)]
    asked = [telling.line(one) for one in encounters.asked_of(user, SHOWN)]
    if not to_answer and not asked:
        return SafeString()
    return render_to_string("games/clubs/home_panel.html", {"to_answer": to_answer, "asked": asked}, request)


def match_head(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> SafeString:
    """Return which table of which club match a match is as HTML, empty for others; a hook (MATCH_HEADS).

    Whoever may not see a club match learns neither who plays in it nor its address.
    """
    board = encounters.of_match(match) if match.creator_id is None else None
    if board is None:
        return SafeString()
    encounter = board.encounter
    person = User.objects.filter(pk=viewer.user_id).first() if viewer is not None and viewer.user_id else None
    is_shown = encounters.is_public(encounter) or (person is not None and encounters.may_see(encounter, person))
    first, second = encounters.names(encounter) if is_shown else ("", "")
    context = {
        "first": first,
        "second": second,
        "url": reverse("club-match", args=[encounter.pk]) if is_shown else "",
        "table": board.number,
        "void": board.state == board.State.VOID,
    }
    return render_to_string("games/clubs/match_head.html", context)


def belonging(matches: Sequence[int], user: User) -> dict[int, Series]:
    """Return of which club match, and which table of it, these matches are, by id; a hook (WHERE_MATCHES_BELONG).

    Whoever may not see a club match learns neither who plays in it nor its address.
    """
    found: dict[int, Series] = {}
    boards = list(encounters.of_matches(matches))
    seen = encounters.seen_by(user, {board.encounter_id: board.encounter for board in boards}.values())
    for board in boards:
        encounter = board.encounter
        table = _("table %(table)s") % {"table": number(board.number)}
        if encounter.pk in seen:
            name, url = " – ".join(encounters.names(encounter)), reverse("club-match", args=[encounter.pk])
        else:
            name, url = _("A club match"), ""
        if board.match_id is not None:
            found[board.match_id] = Series(name, url, table, _("To the club match"))
    return found
