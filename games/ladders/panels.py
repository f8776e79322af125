"""Ladders on other pages: what waits on the home page, a member's places, whose ladder a match belongs to."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import clock
from games.clocks import time_left, to_ms
from games.ladders import queries
from games.ladders.models import Challenge
from games.ladders.services.challenging import FREE_DECLINE, costs
from games.models import Match, Seat
from games.queries.play import Person
from games.rules import name_of
from games.services.hooks import Series


def challenge_line(challenge: Challenge, me: int) -> dict[str, Any]:
    """Return what pages show of an open challenge to the member of this id, or of theirs."""
    return {
        "id": challenge.pk,
        "slug": challenge.ladder.game_slug,
        "game": challenge.ladder.game_name,
        "is_mine": challenge.challenger.user_id == me,
        "challenger": queries.called(challenge.challenger),
        "challenged": queries.called(challenge.challenged),
        "place": challenge.challenged.place or 0,
        "left": time_left(to_ms(queries.ends_at(challenge)), exact=False),
        "free": not costs(challenge) or queries.declines_freely(challenge.challenged, clock.now(), FREE_DECLINE),
        "uses_free": costs(challenge),
    }


def home_questions(request: HttpRequest) -> tuple[int, SafeString]:
    """Return how many challenges wait for an answer, and them as HTML; a hook of games (HOME_QUESTIONS)."""
    user = request.user
    if not isinstance(user, User) or user.is_guest:
        return 0, SafeString()
    waiting = [challenge_line(one, user.pk) for one in queries.challenges_to(user)]
    html = render_to_string("ladders/home.html", {"challenges": waiting}, request) if waiting else SafeString()
    return len(waiting), html


def game_link(game_slug: str) -> tuple[str, str] | None:
    """Return the address of a game's ladder, and what it is called, if it has one; a hook of games (GAME_LINKS)."""
    return (reverse("ladder", args=[game_slug]), _("Ladder")) if queries.has_ladder(game_slug) else None


def profile_panel(member: User) -> SafeString:
    """Return a member's places as HTML, empty without any; a hook of games (PROFILE_PANELS)."""
    places = queries.places_of(member)
    return render_to_string("ladders/profile.html", {"places": places}) if places else SafeString()


def belonging(matches: Sequence[int], user: Person) -> dict[int, Series]:
    """Return of which ladder these matches are, by id; a hook of games (WHERE_MATCHES_BELONG)."""
    rows = Challenge.objects.filter(match__in=matches).order_by().values_list("match", "ladder__game_slug")
    return {
        match: Series(
            _("Ladder of %(game)s") % {"game": name_of(slug)}, reverse("ladder", args=[slug]), "", _("To the ladder")
        )
        for match, slug in rows
    }


def match_head(match: Match, seats: Sequence[Seat], viewer: Seat | None) -> SafeString:
    """Return a line if a match is one of a ladder, else nothing; a hook of games (MATCH_HEADS)."""
    if match.size != queries.SEATS or match.creator_id is not None:  # nobody opened those of ladders
        return SafeString()
    found = queries.challenge_of(match)
    if found is None:
        return SafeString()
    context = {
        "challenge": found,
        "slug": found.ladder.game_slug,
        "name": queries.called(found.challenger),
        "is_mine": viewer is not None and viewer.number == found.seat,
    }
    return render_to_string("ladders/match_head.html", context)
