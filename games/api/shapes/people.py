"""What the API says of members."""

from django.utils.translation import gettext_noop as _

from games.api.shapes.given import Yes
from games.api.shapes.parts import Given, Moment, Name, Shape, Slug, said


class DuelShape(Shape):
    """Your record against a member in one game."""

    game: Slug
    won: int = said(_("How many you have won."), 3)
    lost: int = said(_("How many you have lost."), 2)
    tied: int = said(_("How many were even."), 0)


class ReliabilityShape(Shape):
    """How many of the last finished matches a member played without a time-out."""

    kept: int = said(_("Those without one."), 48)
    matches: int = said(_("All of them: fifty at most."), 50)


class ProfileShape(Shape):
    """A member, as their profile shows them to you."""

    name: Name
    badge: str = said(_("What staff is called; empty for others."), "")
    since: Moment = said(_("When they became a member: the day."), "2025-03-01")
    is_me: bool = said(_("Whether it is you."), False)
    follows: bool = said(_("Whether you follow them."), True)
    blocked: bool = said(_("Whether you have blocked them."), False)
    reliability: ReliabilityShape | None = said(
        _("How often they let no time run out; null before the first finished match."), {"kept": 48, "matches": 50}
    )
    replies: list[int] | None = said(
        _("The quartiles of their reply times (ms); null while there are too few."), [600000, 3600000, 36000000]
    )
    duels: list[DuelShape] = said(_("Your record against them."), [{"game": "yay", "won": 3, "lost": 2, "tied": 0}])


class Bond(Given):
    """A wish about a member."""

    wish: Yes = said(_("Whether you want it; else it ends."), True)


class RatingShape(Shape):
    """A member's rating in a game."""

    game: Slug
    rating: int = said(_("The rating, in whole points."), 1612)
    provisional: bool = said(_("Whether it rests on few matches."), False)
    matches: int = said(_("How many rated matches it rests on."), 41)
    wins: int = said(_("How many of them were won."), 17)


class RatingListed(Shape):
    """A member's ratings."""

    items: list[RatingShape] = said(_("Their ratings, by game."), [])
    next: None = said(_("Always null: all are here."), None)
