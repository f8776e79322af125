"""Tournaments for programs: which there are, how they stand, signing up and withdrawing."""

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils.translation import gettext_noop as _
from ninja import Query

from accounts.access import member_of
from games.api.kit import Routes, part_of
from games.api.shapes.given import Yes
from games.api.shapes.parts import At, Given, Listed, Moment, Number, OfGame, Shape, Slug, said
from games.competitions import queries, rows
from games.competitions.models import Tournament
from games.competitions.rows import corrections_of
from games.competitions.services import entering
from games.competitions.services.entering import open_to, why_not
from games.competitions.telling import correction_words, line_of
from games.competitions.views.finding import find, within
from games.competitions.views.standing import Standing
from games.queries.clubs import belongs
from games.rules import games

routes = Routes("tournaments")
STATE = Tournament.State
MOST = 20
Which = Annotated[
    Literal["mine", "open", "running", "over"], Query(description=_("mine, open, running or over."), examples=["open"])
]


class TournamentLine(Shape):
    """A tournament in a list."""

    id: int = said(_("Its number."), 31)
    name: str = said(_("Its name."), "Winter cup")
    game: Slug
    format: str = said(_("How it is played: swiss, groups, robin, knockout, arena."), "swiss")
    state: str = said(_("open, running, over or cancelled."), "open")
    pace: str = said(_("The time control of its matches."), "3d")
    rated: bool = said(_("Whether its matches are rated."), True)
    organiser: str = said(_("Who organises it; empty: the site, or a former member."), "Ann")
    entered: int = said(_("How many take part."), 14)
    most: int = said(_("How many can."), 64)
    begins_at: Moment = said(_("When it begins, or began."), "2026-12-01T18:00:00+00:00")
    opens: bool = said(_("Whether you can sign up now."), True)
    enters: bool = said(_("Whether you take part."), False)


class TournamentListed(Listed):
    """A list of tournaments."""

    items: list[TournamentLine] = said(_("The tournaments of this part of the list."), [])


class EntrantShape(Shape):
    """Who takes part, and how they stand."""

    number: int = said(_("Their number in the tournament."), 5)
    name: str = said(_("Their name."), "Ann")
    you: bool = said(_("Whether it is you."), False)
    left: str = said(_("In words, that they left; empty for who takes part."), "")
    line: dict[str, Any] = said(
        _("Their line of the standings, as the page has it; empty before the first result."), {}
    )


class TableOfTournament(Shape):
    """A table of a tournament."""

    round: int = said(_("The number of its round."), 1)
    number: int = said(_("Its number in the round."), 3)
    state: str = said(_("planned, running, over, judged or void."), "running")
    match: int | None = said(_("The number of its match, if you may look at it."), 4711)
    seats: list[dict[str, Any]] = said(_("Who sits there, and how they came out."), [{"number": 5, "name": "Ann"}])


class TournamentShape(TournamentLine):
    """A tournament and how it stands."""

    words: str = said(_("What its organiser says of it."), "For everybody.")
    why_not: str = said(_("Why you cannot sign up, in words; empty if you can, or take part."), "")
    rounds: int | None = said(_("How many rounds it has; null if that is open."), 5)
    entrants: list[EntrantShape] = said(_("Who takes part, the best first."), [])
    tables: list[TableOfTournament] = said(_("The tables of the latest round."), [])
    corrections: list[str] = said(_("What was corrected, in words."), [])


class Entering(Given):
    """Signing up."""

    token: str = said(_("The secret of its link, if it is by invitation."), "", default="", max_length=64)


class Readiness(Given):
    """Whether one waits for a table."""

    wish: Yes = said(_("Whether you wait for a table; else you pause."), True)


@routes.reads("/tournaments", TournamentListed, page="tournaments", words=_("Tournaments"))
def listed(request: HttpRequest, state: Which = "open", game: OfGame = "", cursor: At = "") -> dict[str, Any]:
    """The tournaments that one may see."""
    user, slug = member_of(request), game if game in games() else ""
    found = queries.under_way_of(user) if state == "mine" else queries.visible(user).filter(state=state)
    found = found.filter(game_slug=slug) if slug else found
    order = {"mine": "-state", "open": "begins_at", "running": "-began_at", "over": "-ended_at"}[state]
    found_part, following = part_of(queries.listed(found).order_by(order, "pk"), cursor, MOST)
    opened = [one for one in found_part if one.state == STATE.OPEN]
    opens, enters = open_to(opened, user), queries.entered_by(user, found_part)
    items = [_line(one, opens=one.pk in opens, enters=one.pk in enters) for one in found_part]
    return {"items": items, "next": following}


def _line(one: Tournament, *, opens: bool, enters: bool) -> dict[str, Any]:
    line = line_of(one, opens=opens, enters=enters)
    return {
        "id": one.pk,
        "name": one.name,
        "game": one.game_slug,
        "format": one.format,
        "state": one.state,
        "pace": one.pace_slug,
        "rated": one.rated,
        "organiser": one.organiser.username if one.organiser else "",
        "entered": line["entered"],
        "most": one.most,
        "begins_at": (one.began_at or one.begins_at).isoformat(timespec="seconds"),
        "opens": line["opens"],
        "enters": line["enters"],
    }


@routes.reads("/tournaments/{number}", TournamentShape, page="tournament", words=_("A tournament"))
def whole(request: HttpRequest, number: Number) -> dict[str, Any]:
    """A tournament, who takes part, how they stand, and the tables of its latest round."""
    return _told(request, number)


def _told(request: HttpRequest, number: int, token: str = "") -> dict[str, Any]:
    one, user = find(request, number, token), member_of(request)
    inside = one.access == Tournament.Access.CLUB and belongs(one.club_id, user)
    standing = Standing(one, user.pk, sees_tables=inside)
    me = next((player for player in standing.players.values() if player.user_id == user.pk), None)
    is_in, takes = me is not None and me.is_in, one.state == STATE.OPEN or (one.state == STATE.RUNNING and one.is_arena)
    reason = why_not(one, user, token) if takes and not is_in else ""
    rounds = queries.rounds_of(one)
    tables = standing.tables(rows.tables_of(one, rounds[-1].number)) if rounds else []
    corrections = correction_words(corrections_of(one), standing.by_id)
    return _line(one, opens=takes and not is_in and not reason, enters=is_in) | {
        "entered": standing.entered,
        "words": one.words,
        "why_not": reason,
        "rounds": standing.rounds,
        "entrants": _entrants(standing),
        "tables": [{name: table[name] for name in ("round", "number", "state", "match", "seats")} for table in tables],
        "corrections": [str(correction["words"]) for correction in corrections],
    }


def _entrants(standing: Standing) -> list[dict[str, Any]]:
    """Return everybody, the best first once anything has been counted."""
    names = ("number", "name", "you", "left")
    if standing.counted:
        told = standing.shown(standing.lines)
        return [
            {name: line[name] for name in names}
            | {"line": {key: value for key, value in line.items() if key not in (*names, "profile", "badge")}}
            for line in told
        ]
    return [{name: one[name] for name in names} | {"line": {}} for one in standing.people()]


@routes.acts("/tournaments/{number}/enter", TournamentShape, page="tournament-enter", words=_("Sign up"), then=_told)
def enter(request: HttpRequest, number: Number, given: Entering) -> int:
    """Sign up for a tournament."""
    tournament = find(request, number, given.token)
    within(request, "entry")
    entering.enter(tournament_id=tournament.pk, user=member_of(request), token=given.token)
    return tournament.pk


@routes.acts("/tournaments/{number}/withdraw", None, page="tournament-withdraw", words=_("Withdraw"))
def withdraw(request: HttpRequest, number: Number) -> None:
    """Withdraw; what one has reached stands."""
    entering.withdraw(tournament_id=find(request, number).pk, user=member_of(request))


@routes.acts("/tournaments/{number}/ready", None, page="tournament-ready", words=_("Wait for a table"))
def ready(request: HttpRequest, number: Number, given: Readiness) -> None:
    """Wait for a table of a tournament in one evening, or pause."""
    tournament = find(request, number)
    within(request, "ready")
    entering.be_ready(tournament_id=tournament.pk, user=member_of(request), ready=given.wish)
