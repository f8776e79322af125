"""What the API says of circles of friends, and what is sent to them."""

from typing import Any, Literal

from django.utils.translation import gettext_noop as _

from games.api.shapes.given import Whole
from games.api.shapes.parts import LARGEST, Given, Moment, Shape, Slug, said


class CircleLine(Shape):
    """A circle in a list."""

    id: int = said(_("Its number."), 4)
    name: str = said(_("Its name."), "Friday")
    members: list[str] = said(_("The names of who belongs to it."), ["Ann", "Bob"])
    maker: str = said(_("Who made it; empty for a former member."), "Ann")
    game: Slug
    next_at: Moment | None = said(_("When its next weekly table opens; null: none, or it rests."), None)
    table: int | None = said(_("The number of its table that waits for players."), 4711)


class CircleListed(Shape):
    """One's circles."""

    items: list[CircleLine] = said(_("The circles to which you belong, by name."), [])
    asking: list[CircleLine] = said(_("The circles into which you are asked, and have not answered."), [])
    next: str | None = said(_("The cursor of what follows; null at the end."), None)


class CirclePerson(Shape):
    """Somebody of a circle."""

    name: str = said(_("Their name."), "Bob")
    accepted: bool = said(_("Whether they belong to it; else they are asked."), True)


class CircleShape(CircleLine):
    """A circle."""

    me: Literal["in", "asked"] = said(_("What you are to it: in or asked."), "in")
    people: list[CirclePerson] = said(_("Who belongs to it, then who is asked."), [])
    options: dict[str, Any] = said(_("The options of its matches, as the game’s schema has them."), {})
    size: int = said(_("How many seats they have."), 2)
    pace: str = said(_("Its time control."), "3d")
    rated: bool = said(_("Whether its matches are rated."), False)
    weekday: int | None = said(_("The day of its weekly table, Monday is 0; null: none."), 4)
    hour: int | None = said(_("The hour of its weekly table."), 20)
    zone: str = said(_("The time zone of that hour; empty without one."), "Europe/Paris")
    paused: bool = said(_("Whether its weekly table rests."), False)


class CircleGiven(Given):
    """A circle to be made."""

    match: Whole = said(
        _("The number of an ended match in which you sat: who sat there is asked."), 4711, ge=1, le=LARGEST
    )
    name: str = said(_("Its name."), "Friday", max_length=200)


class CircleName(Given):
    """Another name."""

    name: str = said(_("Its name."), "Friday", max_length=200)


class Weekly(Given):
    """What becomes of the weekly table."""

    wish: Literal["set", "none", "pause", "resume"] = said(
        _("set: at this day and hour; none: no more; pause or resume."), "set"
    )
    weekday: Whole | None = said(_("The day, Monday is 0."), 4, default=None, ge=0, le=6)
    hour: Whole | None = said(_("The hour, in your time zone."), 20, default=None, ge=0, le=23)
