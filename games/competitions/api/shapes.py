"""What the API says of tournaments, and what is sent to them."""

from typing import Annotated, Any, Literal

from django.utils.translation import gettext_noop as _
from ninja import Query
from pydantic import AwareDatetime

from games.api.shapes.given import Whole, Yes
from games.api.shapes.parts import LARGEST, Given, Listed, Moment, Shape, Slug, said
from games.competitions.models import LONGEST_REASON, LONGEST_WORDS

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
    id: int = said(_("The number by which its organiser names it."), 88)
    match: int | None = said(_("The number of its match, if you may look at it."), 4711)
    seats: list[dict[str, Any]] = said(_("Who sits there, and how they came out."), [{"number": 5, "name": "Ann"}])


class OfferShape(Shape):
    """A place that one is asked to take."""

    tournament: int = said(_("The number of the tournament."), 31)
    name: str = said(_("Its name."), "Winter cup")
    by: str = said(_("Who asks; empty for a former member."), "Olga")
    gone: str = said(_("Whose place it is; empty for a former member."), "Bob")
    reason: str = said(_("Why, as everybody reads it."), "Bob is ill.")


class OfferListed(Listed):
    """The places that one is asked to take."""

    items: list[OfferShape] = said(_("The places, the oldest question first."), [])


class TournamentShape(TournamentLine):
    """A tournament and how it stands."""

    words: str = said(_("What its organiser says of it."), "For everybody.")
    why_not: str = said(_("Why you cannot sign up, in words; empty if you can, or take part."), "")
    rounds: int | None = said(_("How many rounds it has; null if that is open."), 5)
    entrants: list[EntrantShape] = said(_("Who takes part, the best first."), [])
    tables: list[TableOfTournament] = said(_("The tables of the latest round."), [])
    corrections: list[str] = said(_("What was corrected, in words."), [])
    ready: bool | None = said(
        _("Whether you wait for a table of one in one evening; null if it is none, or you do not take part."), None
    )
    offer: OfferShape | None = said(_("The place that you are asked to take; null if you are not."), None)
    deeds: list[str] = said(_("What you, as its organiser, may do to it now."), ["extend", "void"])
    link: str = said(
        _("The link by which you may pass it on; empty if it is not for you to do so."),
        "https://club-y.example/tournaments/31/",
    )


class Entering(Given):
    """Signing up."""

    token: str = said(_("The secret of its link, if it is by invitation."), "", default="", max_length=64)


class Readiness(Given):
    """Whether one waits for a table."""

    wish: Yes = said(_("Whether you wait for a table; else you pause."), True)


class TablesListed(Listed):
    """Tables of a tournament."""

    items: list[TableOfTournament] = said(_("The tables of this part of the list, the latest round first."), [])


class TournamentRecord(Shape):
    """The record of a tournament."""

    record: dict[str, Any] = said(
        _("The record, as the page gives it: draws, tables, results and the secret of the draws."), {}
    )


class PlaceAnswer(Given):
    """An answer to who is asked to take a place."""

    accepts: Yes = said(_("Whether you take the place; else you decline."), True)


class NewTournament(Given):
    """A tournament to be announced. What is left out is as the page proposes it."""

    name: str = said(_("Its name."), "Winter cup", max_length=200)
    words: str = said(_("What players should know."), "For everybody.", default="", max_length=2 * LONGEST_WORDS)
    game: Slug
    options: dict[str, Any] = said(
        _("Its options, as the game’s schema has them; others are as usual."), {}, default={}
    )
    format: Literal["swiss", "groups", "robin", "knockout", "arena"] = said(
        _("How it is played: swiss, groups, robin, knockout, arena."), "swiss"
    )
    seats: Whole | None = said(_("How many seats a table has."), 4, default=None, ge=2, le=20)
    rounds: Whole | None = said(
        _("Of a swiss one: how many rounds; 0: as many as are needed."), 0, default=None, ge=0, le=100
    )
    advance: Whole | None = said(
        _("Of groups and knock-out: how many of each table go on; 0: half of them."), 0, default=None, ge=0, le=20
    )
    matches: Whole | None = said(
        _("Of groups: how many matches each group plays at once."), 1, default=None, ge=1, le=100
    )
    pace: str | None = said(
        _("The time control of its matches; one in one evening is live."), "3d", default=None, max_length=10
    )
    days: Whole | None = said(_("How many days a round may take; not of one evening."), 14, default=None, ge=1, le=1000)
    evening: Whole | None = said(_("Of one evening: how many minutes it takes."), 120, default=None, ge=1, le=10_000)
    judge: Literal["bots", "standing"] = said(
        _("What becomes of a table that still runs at the limit: bots finish it, or the points count as they stand."),
        "bots",
        default="bots",
    )
    begins_at: AwareDatetime = said(
        _("When sign-up ends and it begins, with a time zone."), "2026-12-10T19:00:00+00:00"
    )
    least: Whole | None = said(_("With fewer who take part it is cancelled."), 8, default=None, ge=1, le=LARGEST)
    most: Whole | None = said(_("How many can take part."), 32, default=None, ge=1, le=LARGEST)
    rated: Yes = said(_("Whether its matches are rated."), True, default=True)
    access: Literal["public", "link", "club"] = said(
        _("Who may take part: public, link or club."), "public", default="public"
    )
    club: Whole | None = said(
        _("The number of the club for whose members it is, which you organise."), None, default=None, ge=1, le=LARGEST
    )
    lowest_rating: Whole | None = said(_("The lowest rating with which one may sign up."), None, default=None)
    highest_rating: Whole | None = said(_("The highest rating."), None, default=None)
    least_ended: Whole | None = said(_("How many matches one must have ended before."), 0, default=None)
    least_reliability: Whole | None = said(_("The least reliability, per cent."), 0, default=None)


class TournamentDeed(Given):
    """What its organiser does to a tournament."""

    deed: Literal["begin", "cancel", "extend", "replace", "take-out", "decide", "void"] = said(
        _(
            "begin now; cancel before it begins; extend the running round; replace somebody, or take-out; decide or "
            "void a table. The tournament says which are possible."
        ),
        "extend",
    )
    reason: str = said(
        _("Why: everybody who sees the tournament reads it. Not needed to begin."),
        "Many are ill.",
        default="",
        max_length=2 * LONGEST_REASON,
    )
    days: Whole | None = said(_("To extend: by how many days."), 3, default=None, ge=0, le=1000)
    number: Whole | None = said(
        _("To replace or take out: whose place, by their number in the tournament."), 5, default=None, ge=0, le=LARGEST
    )
    by: str | None = said(_("To replace: the name of who is asked to come."), "Zoe", default=None, max_length=150)
    table: Whole | None = said(_("To decide or void: the `id` of the table."), 88, default=None, ge=1, le=LARGEST)
