"""Club matches in words: how they stand, what they are, who sits where."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.catalogue import lobby_words
from games.clocks import when
from games.clubs import encounters
from games.clubs.models import Board, BoardSeat, Encounter, Lineup
from games.models import Club
from games.queries.clubs import belongs
from games.rules import get_game
from games.time_controls import pace_name

STATE = Encounter.State
BADGES = {STATE.OFFERED: "game", STATE.ACCEPTED: "game", STATE.RUNNING: "good"}


def moment(encounter: Encounter) -> str:
    """Return in words when it begins, began or ended; empty of one that never began."""
    if encounter.state in encounters.ANNOUNCED:
        return _("begins %(when)s") % {"when": when(encounter.begins_at)}
    if encounter.state == STATE.RUNNING and encounter.began_at:
        return _("since %(when)s") % {"when": when(encounter.began_at)}
    return _("ended %(when)s") % {"when": when(encounter.ended_at)} if encounter.ended_at else ""


def facts(encounter: Encounter) -> list[str]:
    """Return what is played, a fact each."""
    game = get_game(encounter.game_slug)
    return [
        encounter.game_name,
        *lobby_words(game, encounter.options),
        ngettext("%(num)d seat at a table", "%(num)d seats at a table", encounter.seats) % {"num": encounter.seats},
        ngettext("%(num)d table at most", "%(num)d tables at most", encounter.most_tables)
        % {"num": encounter.most_tables},
        pace_name(encounter.pace_slug),
        _("rated") if encounter.rated else _("casual"),
    ]


def at_stake(encounter: Encounter) -> str:
    """Return in a sentence what a yes costs: how many matches, at which pace, rated or not."""
    words = {"game": encounter.game_name, "pace": pace_name(encounter.pace_slug), "when": when(encounter.begins_at)}
    if encounter.rated:
        return _("Who plays has one match of %(game)s, %(pace)s, rated; it begins %(when)s.") % words
    return _("Who plays has one match of %(game)s, %(pace)s, casual; it begins %(when)s.") % words


def line(encounter: Encounter) -> dict[str, Any]:
    """Return what a list shows of a club match."""
    first, second = encounters.names(encounter)
    return {
        "url": reverse("club-match", args=[encounter.pk]),
        "first": first,
        "second": second,
        "game": encounter.game_slug,
        "game_name": encounter.game_name,
        "state": encounter.state,
        "state_words": encounter.get_state_display(),
        "badge": BADGES.get(STATE(encounter.state), ""),
        "score": _score(encounter),
        "moment": moment(encounter),
    }


def _score(encounter: Encounter) -> str:
    """Return the sums of one that is over; empty of others."""
    sums = encounters.final(encounter) if encounter.state == STATE.OVER else None
    return encounters.score(*sums) if sums is not None else ""


def side(encounter: Encounter, number_of_side: int, reader: User | None) -> dict[str, Any]:
    """Return a club as the page shows it: name, and where its page is, if this reader may see that."""
    club = encounters.clubs(encounter)[number_of_side]
    return {
        "side": number_of_side,
        "name": encounters.names(encounter)[number_of_side],
        "url": reverse("club", args=[club.pk]) if club is not None and _is_shown(club, reader) else "",
        "gone": club is None,
    }


def _is_shown(club: Club, reader: User | None) -> bool:
    return club.is_listed or (reader is not None and belongs(club.pk, reader))


def player(row: Lineup | None, reader: User | None) -> dict[str, Any]:
    """Return somebody of a line-up as pages name people."""
    user = row.user if row is not None else None
    return {
        "name": user.username if user else _("former member"),
        "person": user is not None,
        "user": user,
        "you": user is not None and reader is not None and user.pk == reader.pk,
    }


def board(encounter: Encounter, table: Board, reader: User | None) -> dict[str, Any]:
    """Return a table as the page shows it: seats, how they came out, points of both clubs, its match."""
    seats = [_seat(place, reader) for place in encounters.seated(table)]
    given = encounters.table_points(table)
    match = table.match
    return {
        "number": table.number,
        "state": table.state,
        "state_words": table.get_state_display(),
        "seats": seats,
        "mine": any(seat["you"] for seat in seats),
        "points": [encounters.points(one) for one in given] if given is not None else [],
        "match": match.pk if match is not None else None,
        "moves": match.turns if match is not None else 0,
    }


def _seat(place: BoardSeat, reader: User | None) -> dict[str, Any]:
    return {**player(place.player, reader), "side": place.player.side, "rank": place.rank, "away": place.away}
