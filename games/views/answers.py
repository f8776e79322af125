"""The page behind a button of a mail: one answer, chosen, which one press gives without log-in."""

from datetime import UTC
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from accounts.models import User
from config.lib import clock, rate_limits, sql, time_zones
from games import questions
from games.models import Kind, Match
from games.queries import play
from games.services.mail import answering
from games.services.mail.wording import facts_of, sentence_of
from games.services.refusals import Refused, TooOften
from games.table import headline, name_and_badge

BAD = "games/mail/answer.html"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, token: str) -> HttpResponse:
    """Show the answer that a link stands for and what it would bring, and give it when the button is pressed.

    No session is made, and nothing else is shown of the match than the mail showed.
    """
    received = getattr(request, "scope", {}).get("received") or clock.now_ms()
    try:
        link = answering.read(token)
    except answering.BadLink:
        is_within = rate_limits.allows_from(request, "bad_link")
        return render(request, BAD, {"state": "bad" if is_within else "often"}, status=404 if is_within else 429)
    user = link.user
    reader = person_of(request)
    if reader is not None and not reader.is_guest and reader.pk != user.pk:
        return render(request, BAD, _context(link) | {"state": "others", "LANGUAGE_CODE": get_language()}, status=403)
    with translation.override(user.language), timezone.override(time_zones.zone(user.time_zone) or UTC):
        page = _page(request, link, received)
    page["Content-Language"] = user.language
    return page


def _page(request: HttpRequest, link: answering.Link, received: int) -> HttpResponse:
    if request.method != "POST":
        return _shown(request, link)
    try:
        if not (rate_limits.allows_post_of(link.user.pk) and _within(request, link)):
            raise TooOften
        answering.give(link, received=received)
    except Refused as refusal:
        return _shown(request, link, refusal)
    except (DatabaseError, ObjectDoesNotExist):
        if User.objects.filter(pk=link.user.pk).exists():
            raise
        return render(request, BAD, {"state": "bad"}, status=404)  # the account was closed at this moment
    return HttpResponseRedirect(request.path)


def _within(request: HttpRequest, link: answering.Link) -> bool:
    return link.act != answering.JOIN or rate_limits.allows_of(request, "join", link.user)


@sql.snapshot()
def _shown(request: HttpRequest, link: answering.Link, refusal: Refused | None = None) -> HttpResponse:
    standing = answering.standing_of(link)
    context = _context(link) | {"state": standing.state, "refusal": refusal if standing.state == "open" else None}
    if standing.state == "open" and standing.match is not None and standing.table is not None:
        context |= _about(link, standing)
    elif standing.match is not None:
        context |= _of(link, standing.match, is_open=False)
    return render(request, BAD, context, status=refusal.status if refusal else 200)


def _context(link: answering.Link) -> dict[str, Any]:
    return {"name": link.user.username, "match_id": link.match_id, "act": link.act, "LANGUAGE_CODE": link.user.language}


def _about(link: answering.Link, standing: answering.Standing) -> dict[str, Any]:
    """Return what the page says of the question and of the answer; it is what the mail said."""
    match, table = standing.match, standing.table
    assert match is not None and table is not None
    about = _of(link, match, is_open=True) | {
        "headline": headline(table) if table["ask"] is not None else "",
        "question": questions.question_of(table),
        "facts": facts_of(match) if link.act in (answering.JOIN, answering.DECLINE) else [],
    }
    if link.act == answering.MOVE and link.move is not None:
        told = questions.answer_in_words(table, link.move)
        return about | {"words": told.words, "outcome": told.outcome}
    if link.act == answering.DAY:
        return about | {"words": _("I need a day more"), "outcome": answering.day_words(link.user)}
    return about | {
        "headline": sentence_of(Kind.INVITED, match, link.user),
        "words": _("Accept") if link.act == answering.JOIN else _("Decline"),
        "outcome": answering.invited_words(link.act, match),
    }


def _of(link: answering.Link, match: Match, *, is_open: bool) -> dict[str, Any]:
    """Return which match it is about: its game, and the others who sit there, unless the member has left them."""
    seats = play.seats_of(match)
    others = [name_and_badge(seat) for seat in seats if seat.user_id != link.user.pk and not seat.is_free]
    may_know = is_open or any(seat.user_id == link.user.pk for seat in seats)
    return {"match": match, "others": others if may_know else []}
