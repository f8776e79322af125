"""What waits for a person: open questions, proposals of other players, invitations; on pages and live."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from config.lib import sql
from config.lib.formats import about_people, number
from games import questions
from games.catalogue import lobby_words
from games.clocks import time_left, to_ms, until
from games.models import Match, Seat
from games.offers import AWAITED, named, offered
from games.queries import play
from games.queries.play import Person
from games.queries.readable import each
from games.services import hooks
from games.services.chat import mentions
from games.services.hooks import host_of
from games.services.lobby import joining
from games.table import Table, deadline_told, headline_named, match_line, seat_name, seat_of_viewer, table_for
from games.views.responses import find

CARDS_SHOWN = 30
LINES_SHOWN = 2  # of a question, on a card
NO_STORE = {"Cache-Control": "no-store"}


def line_of(match: Match, user: Person, table: Table | None = None) -> dict[str, Any]:
    """Return what a list shows of a match, as this person may see it in its `table`."""
    seats = list(match.seats.all())
    mine = seat_of_viewer(seats, user.pk)
    line = match_line(match, seats, mine)
    return line | {
        "opponents": named(line["opponents"], offered(match, seats, user)),
        "id": match.pk,
        "is_arranged": match.creator_id is None,  # nobody opened those of tournaments and ladders
        "series": None,
        "headline": headline_named(table or table_for(match, seats, mine)),
        "you": mine.number if mine else None,
        "seated": mine is not None,
        "is_asked": mine is not None and mine.is_in and mine.ask is not None,
        "due": due_words(match, seats, mine),
        "proposals": proposals(match, seats, mine),
        "ending": match.ending,
        "rank": mine.rank if mine else None,
        "score": mine.score if mine else None,
    }


def card_of(match: Match, user: Person) -> dict[str, Any]:
    """Return the line of a match that waits for this person, with what it asks and the buttons of a few answers."""
    seats = list(match.seats.all())
    mine = seat_of_viewer(seats, user.pk)
    table = table_for(match, seats, mine)
    answers = questions.answers_of(table)
    return line_of(match, user, table) | {
        "ask": table["ask"],
        "question": [line.html for line in questions.question_of(table)[:LINES_SHOWN]] if answers else [],
        "answers": [{"move": json.dumps(answer.move), "words": answer.words} for answer in answers],
    }


def lines_of(matches: Iterable[Match], user: Person) -> list[dict[str, Any]]:
    """Return what a list shows of each of these matches that can be read."""
    return each(matches, lambda match: line_of(match, user))


def mark_talk(user: Person, *lists: Sequence[dict[str, Any]]) -> None:
    """Set for each of these lines whether its chat has something that the person has not read."""
    fresh = mentions.with_news(user, [line["id"] for lines in lists for line in lines])
    for lines in lists:
        for line in lines:
            line["talk"] = line["id"] in fresh


def mark_series(user: Person, *lists: Sequence[dict[str, Any]]) -> None:
    """Set for each of these lines to which tournament or ladder its match belongs; nothing is looked up if none can."""
    arranged = [line for lines in lists for line in lines if line["is_arranged"]]
    found = hooks.series_of([line["id"] for line in arranged], user)
    for line in arranged:
        line["series"] = found.get(line["id"])


def due_words(match: Match, seats: Sequence[Seat], mine: Seat | None) -> str:
    """Return until when this person's clock runs, or that of the game, in words; empty if none does."""
    at = deadline_told(match, seats, mine) if mine is not None else None
    if at is None and mine is not None and mine.ask is not None:
        at = match.ends_at
    return _("%(left)s left, %(until)s") % {"left": time_left(to_ms(at)), "until": until(to_ms(at))} if at else ""


def waiting_cards(user: Person) -> list[dict[str, Any]]:
    """Return the first CARDS_SHOWN matches that wait for this person.

    Decisions by least time left, then proposals, then invitations; as some are answered, others come.
    """
    turns = play.matches_of(play.my_turns(user)[:CARDS_SHOWN])
    asked = {match.pk for match in turns}
    proposed = [match for match in play.matches_of(play.proposed_to(user)[:CARDS_SHOWN]) if match.pk not in asked]
    decisions = [*turns, *proposed][:CARDS_SHOWN]
    return [
        *each(decisions, lambda match: card_of(match, user)),
        *each(
            play.invited_to(user).prefetch_related(AWAITED)[: CARDS_SHOWN - len(decisions)],
            lambda match: line_of(match, user) | invitation(match, user),
        ),
    ]


def more_cards(waiting: int, cards: Sequence[object]) -> str:
    """Return in words that more matches wait than are shown; empty if these are all."""
    if waiting <= len(cards):
        return ""
    return _("The first %(shown)s of %(all)s; the next come as you answer.") % {
        "shown": number(len(cards)),
        "all": number(waiting),
    }


def waits_headline(count: int, questions: int = 0) -> str:
    """Return how many matches wait for a person, in words; without any, how many `questions` beside them."""
    if not count and not questions:
        return _("Nothing waits for you")
    if not count:
        words = ngettext("One question waits for you", "%(n)s questions wait for you", questions)
        return words % {"n": number(questions)}
    return ngettext("One match waits for you", "%(n)s matches wait for you", count) % {"n": number(count)}


def invitation(match: Match, user: Person) -> dict[str, Any]:
    """Return who invites this person to an open match, in a sentence, and what it will be."""
    seats = list(match.seats.all())
    hosts = [seat_name(seat) for seat in seats if seat.is_in]
    if not hosts and (circle := host_of(match)):
        hosts = [circle]
    said = (
        ngettext("%(names)s asks you for a rematch", "%(names)s ask you for a rematch", len(hosts))
        if play.played_before(match, user)
        else ngettext("%(names)s invites you", "%(names)s invite you", len(hosts))
    )
    rated = _("rated") if match.rated else _("casual")
    return {
        "invitation": about_people(said, hosts),
        "why_not": joining.why_not(match, user, seats),
        "commitment": match.commitment,
        "facts": [str(match.pace.label), rated, *lobby_words(match.game, match.options)],
    }


def proposals(match: Match, seats: Sequence[Seat], mine: Seat | None) -> list[dict[str, str]]:
    """Return what others propose to this person at a running match, not answered yet: address and sentence."""
    if mine is None or not mine.is_in or match.status != Match.Status.RUNNING:
        return []
    others = [seat for seat in seats if seat.may_propose and seat is not mine]
    pausing = [seat_name(seat) for seat in others if seat.wants_pause]
    stopping = [seat_name(seat) for seat in others if seat.wants_call_off]
    found = []
    if pausing and mine.wants_pause is None and match.paused_at is None and match.ends_at is None:
        words = ngettext("%(names)s proposes a pause", "%(names)s propose a pause", len(pausing))
        found.append({"address": "pause", "words": about_people(words, pausing)})
    if stopping and mine.wants_call_off is None:
        words = ngettext("%(names)s proposes to call it off", "%(names)s propose to call it off", len(stopping))
        found.append({"address": "call-off", "words": about_people(words, stopping)})
    return found


def _answers(match: Match, seats: Sequence[Seat], mine: Seat | None) -> list[str]:
    """Return in sentences who declined what this person proposed, or an invitation to their table."""
    if mine is None or not mine.is_in:
        return []
    if match.status == Match.Status.OPEN:
        names = play.invited_names(match, declined=True)
        return [about_people(_("Declined: %(names)s"), names)] if names else []
    others = [seat for seat in seats if seat.may_propose and seat is not mine]
    pause = [seat_name(seat) for seat in others if mine.wants_pause and seat.wants_pause is False]
    call_off = [seat_name(seat) for seat in others if mine.wants_call_off and seat.wants_call_off is False]
    said = (
        (pause, ngettext("%(names)s declines the pause", "%(names)s decline the pause", len(pause))),
        (call_off, ngettext("%(names)s will not call it off", "%(names)s will not call it off", len(call_off))),
    )
    return [about_people(words, names) for names, words in said if names]


@require_safe
@sql.snapshot()
def news(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return what others ask or answer this person at a match, for an open page; 204 if it is nothing."""
    shown = find(request, match_id)
    match, seats, mine = shown.match, shown.seats, shown.viewer
    invited = match.status == Match.Status.OPEN and mine is None and play.is_invited(match, request.user)
    asked, answers = proposals(match, seats, mine), _answers(match, seats, mine)
    if not (invited or asked or answers):
        return HttpResponse(status=204, headers=NO_STORE)
    context = {
        "match": match,
        "invitation": invitation(match, request.user) if invited else None,
        "match_line": {"id": match.pk, "proposals": asked},
        "answers": answers,
    }
    return HttpResponse(render_to_string("games/lobby/news.html", context, request), headers=NO_STORE)
