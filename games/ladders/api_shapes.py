"""What the API says of ladders, and what is sent to them."""

from typing import Literal

from django.utils.translation import gettext_noop as _

from games.api.shapes.given import Whole, Yes
from games.api.shapes.parts import GAME_NAME, LARGEST, Given, Listed, Moment, Shape, Slug, said
from games.ladders.forms import USUAL_PAUSE
from games.ladders.models import MOST_AT_ONCE
from games.ladders.services.standing import LONGEST_PAUSE


class LadderLine(Shape):
    """A ladder in the list."""

    game: Slug
    name: str = said(_("The name of the game."), GAME_NAME)
    climbers: int = said(_("How many stand on it."), 31)
    place: int | None = said(_("Your own place; null if you are not on it."), 12)


class LadderListed(Listed):
    """All ladders."""

    items: list[LadderLine] = said(_("The ladders, in the order of the games."), [])


class ClimberShape(Shape):
    """A place of a ladder."""

    id: int = said(_("The number by which one challenges who stands here."), 77)
    place: int = said(_("The place, from 1 on."), 12)
    name: str = said(_("Who stands here."), "Ann")
    you: bool = said(_("Whether it is you."), False)
    rating: int | None = said(_("Their rating in this game, if they have one."), 1480)
    paused: bool = said(_("Whether they pause: nobody can challenge them then."), False)
    matches: list[int] = said(_("The numbers of their ladder matches under way."), [4711])
    near: bool = said(_("Whether they stand so near above you that you could challenge them."), True)
    why_not: str = said(_("Why you cannot challenge who stands near, in words; empty if you can."), "")


class OwnPlace(Shape):
    """How one stands on a ladder."""

    place: int = said(_("The place, from 1 on."), 12)
    at_once: int = said(_("At how many ladder matches at once you play."), 2)
    paused_until: Moment | None = said(_("Until when you pause; null if you do not."), None)


class ChangeShape(Shape):
    """A change of a ladder."""

    at: Moment
    kind: str = said(_("joined, left, won, yielded, lapsed, fell or absent."), "won")
    name: str = said(_("Whose place changed."), "Ann")
    other: str = said(_("Whom they met; empty without anybody."), "Bob")
    before: int | None = said(_("From which place."), 12)
    after: int | None = said(_("To which place."), 11)


class ChallengeShape(Shape):
    """An open challenge to you, or of you."""

    id: int = said(_("Its number."), 501)
    game: Slug
    by: str = said(_("Who challenges."), "Bob")
    free: bool = said(_("Whether declining it costs no place now."), True)
    to: str = said(_("Who is challenged."), "Ann")
    answer_by: Moment = said(_("Until when it is to be answered."), "2026-12-03T18:00:00+00:00")


class ChallengeListed(Listed):
    """Challenges to one."""

    items: list[ChallengeShape] = said(_("The open challenges to you on all ladders, the most urgent first."), [])


class LadderShape(Listed):
    """A part of a ladder."""

    items: list[ClimberShape] = said(_("The places, from the top."), [])
    place: int | None = said(_("Your own place; null if you are not on it."), 12)
    me: OwnPlace | None = said(_("How you stand on it; null if you do not."), None)
    changes: list[ChangeShape] = said(_("What changed lately, the newest first."), [])
    challenges: list[ChallengeShape] = said(_("Open challenges to you and of you, the most urgent first."), [])


class JoiningLadder(Given):
    """Joining a ladder."""

    at_once: Whole = said(_("At most so many ladder matches at once."), 2, default=2, ge=1, le=MOST_AT_ONCE)


class Challenging(Given):
    """Challenging somebody."""

    climber: Whole = said(_("The number of who is challenged, as the ladder says it."), 77, ge=1, le=LARGEST)


class Pausing(Given):
    """A pause on a ladder, or its end."""

    wish: Literal["pause", "resume"] = said(_("pause or resume."), "pause", default="pause")
    days: Whole = said(_("To pause: for how many days."), USUAL_PAUSE, default=USUAL_PAUSE, ge=1, le=LONGEST_PAUSE.days)


class Declining(Given):
    """Declining a challenge."""

    free: Yes = said(
        _("Whether to decline only if that costs no place: `free` of the challenge, as you have seen it."),
        True,
        default=False,
    )
