"""What the API says of chats, and what is said there."""

from django.utils.translation import gettext_noop as _

from games.api.shapes.given import Whole, Yes
from games.api.shapes.parts import GAME_NAME, LARGEST, Given, Listed, Moment, Shape, said


class LineShape(Shape):
    """A line of a chat."""

    id: int = said(_("The number of the line."), 812)
    name: str = said(_("Who wrote it; empty for a former member."), "Bob")
    badge: str = said(_("What staff is called; empty for others."), "")
    seat: int | None = said(_("The seat of who wrote it, if they sit there."), 1)
    channel: str = said(_("players, watchers, or club."), "players")
    mine: bool = said(_("Whether you wrote it."), False)
    text: str = said(_("What it says; empty if it is hidden, or you do not hear its writer."), "Good luck, @Ann!")
    hidden: bool = said(_("Whether a moderator has hidden it."), False)
    muted: bool = said(_("Whether you do not hear its writer."), False)
    for_me: bool = said(_("Whether it calls you by your name."), True)
    new: bool = said(_("Whether you have not read it."), True)
    at: Moment


class ChatShape(Listed):
    """The chat of a match, the latest lines first."""

    items: list[LineShape] = said(_("The lines, the latest first."), [])
    channel: str = said(_("Where you would write: players or watchers."), "players")
    silent: str = said(_("Why you may not write here, in words; empty if you may."), "")


class Saying(Given):
    """A line for a chat."""

    text: str = said(_("The line. @ and a name calls somebody."), "Good luck, @Bob!", max_length=4000)


class Reading(Given):
    """How far one has read."""

    line: Whole = said(_("The number of the last line that you have read."), 812, ge=0, le=LARGEST)


class Muting(Given):
    """Whom one no longer hears."""

    line: Whole = said(_("The number of a line that they wrote."), 812, ge=1, le=LARGEST)
    mute: Yes = said(_("Whether you do not want to hear them; else you do again."), True)


class MentionShape(Shape):
    """A line that calls you and that you have not read: the latest of its match."""

    line: int = said(_("The number of the line."), 812)
    name: str = said(_("Who wrote it."), "Bob")
    match: int = said(_("The number of the match."), 4711)
    game: str = said(_("The name of the game."), GAME_NAME)


class MentionListed(Listed):
    """Unread mentions of you."""

    items: list[MentionShape] = said(_("The latest of each match."), [])
