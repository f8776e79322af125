"""What the API says of club matches, and what is sent to them."""

from typing import Any

from django.utils.translation import gettext_noop as _
from pydantic import AwareDatetime

from games.api.shapes.given import Whole, Yes
from games.api.shapes.parts import LARGEST, Given, Listed, Moment, Shape, Slug, said
from games.clubs.models import LONGEST_MESSAGE
from games.clubs.services.encounters.challenging import MOST_TABLES


class EncounterLine(Shape):
    """A club match in a list."""

    id: int = said(_("Its number."), 3)
    names: list[str] = said(
        _("The names of both clubs; who challenged comes first."), ["The dice of Lyon", "Dice at Dawn"]
    )
    game: Slug
    state: str = said(_("offered, accepted, declined, lapsed, withdrawn, called_off, running or over."), "accepted")
    begins_at: Moment = said(_("When it begins, or was to."), "2026-12-10T19:00:00+00:00")
    score: list[float] | None = said(_("The sums of both clubs; null until it is over."), [150.0, 50.0])


class EncounterListed(Listed):
    """The matches of a club against others."""

    items: list[EncounterLine] = said(_("The club matches that you may see, the latest first."), [])


class LineupRow(Shape):
    """Who says that they play."""

    id: int = said(_("The number by which a line-up is put into order."), 41)
    name: str = said(_("Their name."), "Ann")
    you: bool = said(_("Whether it is you."), False)
    place: int = said(_("Their place in the line-up, from 1 on."), 1)
    rating: int | None = said(_("Their rating in this game, if they have one."), 1480)
    left_over: bool = said(_("Whether they would have no table if it began now."), False)


class EncounterSide(Shape):
    """One of both clubs."""

    side: int = said(_("0: who challenged; 1: who was challenged."), 0)
    name: str = said(_("Its name."), "The dice of Lyon")
    club: int | None = said(_("Its number, if you may see the club."), 8)
    lineup: list[LineupRow] = said(_("Who says that they play, in order, until it begins."), [])
    points: float = said(_("What it has by now."), 150.0)


class EncounterSeat(Shape):
    """Who sits at a table of a club match."""

    name: str = said(_("Their name."), "Ann")
    you: bool = said(_("Whether it is you."), False)
    side: int = said(_("For which club they play: 0 or 1."), 0)
    rank: int | None = said(_("How they came out, from 1 on."), 1)
    away: bool = said(_("Whether their place was lost, as they ran out of time or resigned."), False)


class EncounterTable(Shape):
    """A table of a club match."""

    number: int = said(_("Its number, from 1 on."), 1)
    state: str = said(_("planned, running, over or void."), "running")
    match: int | None = said(_("The number of its match."), 4711)
    seats: list[EncounterSeat] = said(_("Who sits there, in the order of seats."), [])
    points: list[float] | None = said(_("What it gives to both clubs; null while it counts for nothing."), [100.0, 0.0])


class OwnWord(Shape):
    """What you have said about playing."""

    side: int = said(_("For which club: 0 or 1."), 0)
    plays: bool = said(_("Whether you play."), True)


class EncounterShape(EncounterLine):
    """A club match."""

    options: dict[str, Any] = said(_("The options of its matches, as the game’s schema has them."), {})
    seats: int = said(_("How many seats each table has."), 2)
    most_tables: int = said(_("How many tables there are at most."), 4)
    pace: str = said(_("The time control of its matches."), "3d")
    rated: bool = said(_("Whether its matches are rated."), True)
    words: str = said(_("What the challenger says to the other club."), "Come on!")
    answer_by: Moment = said(_("Until when a challenge is to be answered."), "2026-12-07T19:00:00+00:00")
    sides: list[EncounterSide] = said(_("Both clubs."), [])
    tables: list[EncounterTable] = said(_("Its tables, once it has begun."), [])
    answers: bool = said(_("Whether your answer, as an organiser, is awaited."), False)
    withdraws: bool = said(_("Whether you may take the challenge back, or call the club match off."), False)
    plays_for: list[int] = said(_("For which sides you may say that you play, until it begins."), [0])
    orders: list[int] = said(_("Which line-ups you may put into order."), [])
    own_word: OwnWord | None = said(_("What you have said about playing; null before."), {"side": 0, "plays": True})
    seed: str = said(_("The server’s seed by which tables were seated, in hex; empty until it is over."), "9f3c")


class EncounterGiven(Given):
    """A challenge to another club."""

    own: Whole = said(_("The number of the club in whose name you challenge, which you organise."), 8, ge=1, le=LARGEST)
    game: Slug
    options: dict[str, Any] = said(
        _("Its options, as the game’s schema has them; others are as usual."), {}, default={}
    )
    seats: Whole = said(_("How many seats each table has: both clubs have as many."), 2, ge=2, le=20)
    most_tables: Whole = said(_("How many tables there are at most."), 4, default=4, ge=1, le=MOST_TABLES)
    pace: str = said(_("The time control of its matches, one by correspondence."), "3d", default="3d", max_length=10)
    begins_at: AwareDatetime = said(
        _("When line-ups close and it begins, with a time zone: between an hour and sixty days from now."),
        "2026-12-10T19:00:00+00:00",
    )
    rated: Yes = said(_("Whether its matches are rated."), True, default=True)
    words: str = said(_("A message to the other club."), "Come on!", default="", max_length=LONGEST_MESSAGE)


class Answering(Given):
    """An answer."""

    accepts: Yes = said(_("Whether you accept; else you decline."), True)


class PlayingFor(Given):
    """Whether one plays."""

    plays: Yes = said(_("Whether you play."), True)
    side: Whole | None = said(_("For which club, if you belong to both: 0 or 1."), 0, default=None, ge=0, le=1)


class LineupOrder(Given):
    """The order of a line-up."""

    side: Whole = said(_("Whose line-up: 0 or 1."), 0, ge=0, le=1)
    order: list[Whole] | None = said(
        _("The numbers of its rows, the first seated first; null: by rating."),
        [41, 43, 42],
        default=None,
        max_length=500,
    )
