"""What is sent with deeds at tables and in matches."""

from typing import Annotated, Any, Literal

from django.utils.translation import gettext_noop as _
from pydantic import Strict

from games.api.shapes.parts import LARGEST, Given, Slug, said
from games.forms.play import LONGEST_PROMISE

Whole = Annotated[int, Strict()]
Yes = Annotated[bool, Strict()]
Nonce = Annotated[
    str,
    said(
        _("Your part of the seed of the dice: 1 to 64 letters, digits, - or _. Without it your seat adds nothing."),
        "kJ3_x",
        pattern=r"^[A-Za-z0-9_-]{0,64}$",
    ),
]
Seal = Annotated[
    str,
    said(
        _("The SHA-256 of a further number of yours, as hexadecimal: once the match runs, you open it."),
        "7c1c97df17c066924822b0af09a65251554962c61e23329aed04cd19020dc3b8",
        pattern=r"^([0-9a-f]{64})?$",
    ),
]
Promised = Annotated[
    str,
    said(
        _("What /dice/promise gave you: your part is drawn for its commitment, and the table gets those dice."),
        "44d5…:1796148000:Ab3",
        max_length=LONGEST_PROMISE,
    ),
]
Names = Annotated[
    list[Annotated[str, said(_("The name of a member."), "Bob", max_length=150)]],
    said(_("The names of the members who are invited."), ["Bob"], max_length=10),
]


class NewTable(Given):
    """A table to be opened."""

    game: Slug
    size: Whole = said(_("How many seats it has."), 2, ge=1, le=20)
    options: dict[str, Any] = said(
        _("Its options, as the game’s schema has them; others are as usual."), {}, default={}
    )
    pace: str = said(_("Its time control."), "3d", default="3d", max_length=10)
    access: Literal["open", "invitation", "link", "club"] = said(
        _("Who may join: open, invitation, link, club."), "open", default="open"
    )
    club: Whole | None = said(
        _("The number of the club for whose members it is."), None, default=None, ge=1, le=LARGEST
    )
    invited: Names = []
    bots: list[Annotated[str, said(_("The strength of a bot."), "strong", max_length=10)]] = said(
        _("The strengths of the bots that sit down at once."), ["strong"], default=[], max_length=20
    )
    rated: Yes = said(_("Whether it is to be rated."), False, default=False)
    lowest_rating: Whole | None = said(
        _("The lowest rating with which one may join."), None, default=None, ge=100, le=4000
    )
    highest_rating: Whole | None = said(_("The highest rating."), None, default=None, ge=100, le=4000)
    automatic_days_off: Yes = said(_("Whether days off may be taken automatically."), True, default=True)
    guests: Yes = said(_("Whether guests may sit down by the link of a casual table."), True, default=True)
    takes_bots: Yes = said(
        _("Whether bots of members may sit down; at a bot’s own table they may."), False, default=False
    )
    nonce: Nonce = ""
    seal: Seal = ""
    promise: Promised = ""


class QuickStart(Given):
    """A match against bots that starts at once."""

    lesson: Yes = said(_("Whether a coach goes with it, if the game has a first match with one."), False, default=False)
    nonce: Nonce = ""
    seal: Seal = ""
    promise: Promised = ""


class Joining(Given):
    """Sitting down at a table."""

    token: str = said(_("The token of its link, if it is opened by one."), "", default="", max_length=64)
    nonce: Nonce = ""
    seal: Seal = ""


class Nonced(Given):
    """What makes a table of which nothing more is to be said."""

    nonce: Nonce = ""
    seal: Seal = ""
    promise: Promised = ""


class Opened(Given):
    """The number that one had sealed."""

    nonce: str = said(
        _("The number of which you sent the seal; where nobody sealed any, a fresh one."),
        "c3",
        pattern=r"^[A-Za-z0-9_-]{1,64}$",
    )


class Starting(Given):
    """Starting with bots in the free seats."""

    level: str | None = said(_("How strong they are; as usual without it."), "regular", default=None, max_length=10)


class Inviting(Given):
    """Inviting members to a table."""

    names: Names


class Moving(Given):
    """A move."""

    ask: Whole = said(_("The number of the question that it answers."), 9, ge=0, le=999_999_999)
    key: str = said(
        _("A text of your own: the same move with the same key, sent again, is played once."),
        "m-4711-9",
        pattern=r"^[A-Za-z0-9_-]{1,40}$",
    )
    move: dict[str, Any] = said(_("The move, as the prompt allows it."), {"type": "lock", "row": 1, "col": 2})
    advised: Yes = said(_("Play it whatever the coach of a first match says."), False, default=False)
    confirmed: Yes = said(_("Play it though it cannot be taken back, if you wish to be asked."), False, default=False)


class Undoing(Given):
    """Taking back one's last move."""

    turn: Whole = said(_("The number of the turn, as `undo` of the table says."), 12, ge=0, le=999_999_999)


class Ordering(Given):
    """New standing orders."""

    orders: dict[str, Any] = said(_("All orders: those that are left out no longer hold."), {"pass_always": True})
    before: str = said(_("The `orders_mark` of those that you have seen."), "", default="", max_length=64)
    then: Literal["answer", "leave"] | None = said(
        _("If they would answer the open question: answer it, or leave it to you. Without it nothing is saved then."),
        "leave",
        default=None,
    )
    ask: Whole | None = said(_("The number of that question."), 9, default=None, ge=0, le=999_999_999)


class Noting(Given):
    """New notes."""

    notes: str = said(_("The notes, whole."), "Bob locks early.", max_length=40_000)
    before: str = said(_("The `mark` of those that you have seen."), "", default="", max_length=64)


class Wishing(Given):
    """A proposal, or an answer to one."""

    wish: Yes = said(_("Whether you propose it or agree; else you decline it, or take your wish back."), True)
    answers: Yes = said(
        _("Whether this answers a proposal: it is refused if that stands no longer."), False, default=False
    )


class Noticing(Given):
    """What one is told of a match."""

    notices: Literal["all", "reminders", "none"] = said(_("all, reminders or none."), "reminders")


class Foreseen(Given):
    """What new orders would answer: they are not saved before you say whether they may."""

    ask: int | None = said(_("The number of the question; null once the orders are saved."), 9)
    move: dict[str, Any] | None = said(_("The move that they would make."), {"type": "pass"})
    words: str = said(_("The same in words."), "pass")
