"""What the API says of boards, teams and championships."""

from django.utils.translation import gettext_noop as _

from games.api.shapes.parts import Listed, Moment, Name, Shape, Slug, said


class RowShape(Shape):
    """A line of a board."""

    rank: int = said(_("The rank: equal ratings share one."), 12)
    name: Name
    badge: str = said(_("What staff is called, and whose a member’s bot is; empty for others."), "")
    you: bool = said(_("Whether it is you."), False)
    rating: int = said(_("The rating, in whole points."), 1612)
    provisional: bool = said(_("Whether it rests on few matches."), False)
    matches: int = said(_("How many rated matches were played."), 41)
    wins: int = said(_("How many of them were won."), 17)
    last_active: Moment


class BoardShape(Listed):
    """A part of a board."""

    items: list[RowShape] = said(_("The lines, the best first."), [])
    seasons: list[str] = said(_("The seasons of the game, the latest first."), ["2026-Q4"])
    place: int | None = said(_("Your own rank; null if you are not on the board, or it is not known now."), 12)


class ClubBoardShape(Listed):
    """A part of a club's board."""

    items: list[RowShape] = said(_("The lines, the best first."), [])
    game: Slug
    season: str = said(_("Of which season it is."), "2026-Q4")


class TeamShape(Shape):
    """A team that played together."""

    rank: int = said(_("The rank: equal scores share one."), 1)
    score: int = said(_("What they reached together."), 412)
    members: list[str] = said(_("Who played, in the order of seats."), ["Ann", "Bob"])
    match: int | None = said(_("The number of their match, if everybody may look at it."), 4711)
    at: Moment


class TeamListed(Listed):
    """The best teams."""

    items: list[TeamShape] = said(_("The teams, the best first."), [])


class ChampionsShape(Shape):
    """A championship that is over."""

    season: str = said(_("Of which season it is."), "2026-Q4")
    tournament: int | None = said(_("The number of its tournament."), 31)
    first: str | None = said(_("Who came first; empty for a former member, null for nobody."), "Ann")
    second: str | None = said(_("Who came second, likewise."), "Bob")
    third: str | None = said(_("Who came third, likewise."), None)


class ChampionsListed(Listed):
    """The championships of a game."""

    items: list[ChampionsShape] = said(_("The championships that are over, the latest first."), [])
