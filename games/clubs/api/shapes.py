"""What the API says of clubs, and what is sent to them."""

from typing import Annotated, Literal

from django.utils.translation import gettext_noop as _
from ninja import Query

from games.api.shapes.parts import Given, Listed, Moment, Shape, said
from games.models import LONGEST_CLUB_NAME, LONGEST_CLUB_WORDS

Access = Literal["open", "request", "invitation"]
Search = Annotated[str, Query(description=_("A part of the name."), examples=["dice"], max_length=LONGEST_CLUB_NAME)]
Mine = Annotated[bool, Query(description=_("Only those to which you belong."), examples=[False])]
Waiting = Annotated[
    Literal["asked", "invited", "out"],
    Query(description=_("asked: who asks to join; invited; out: who is kept out."), examples=["asked"]),
]


class ClubLine(Shape):
    """A club in a list."""

    id: int = said(_("Its number."), 8)
    name: str = said(_("Its name."), "The dice of Lyon")
    words: str = said(_("What it says of itself."), "We play on Thursdays.")
    access: str = said(_("Who may join: open, request or invitation."), "open")
    size: int = said(_("How many belong to it."), 23)


class ClubListed(Listed):
    """A list of clubs."""

    items: list[ClubLine] = said(_("The clubs of this part of the list."), [])


class AwaitingClub(ClubLine):
    """A club that invites you, or that you have asked."""

    me: str = said(_("invited or asked."), "invited")


class AwaitingClubListed(Listed):
    """The clubs between which and the member an answer is open."""

    items: list[AwaitingClub] = said(_("The clubs that invite you, then those that you have asked to join."), [])


class ClubMember(Shape):
    """Who belongs to a club."""

    name: str = said(_("Their name."), "Ann")
    role: str = said(_("owner, organiser or member."), "owner")


class ClubShape(ClubLine):
    """A club and who belongs to it."""

    me: str = said(_("What you are to it: in, asked, invited; empty: nothing."), "in")
    role: str = said(_("Your own role, if you belong to it: owner, organiser or member; else empty."), "member")
    talk: bool = said(_("Whether there are lines in its chat that you have not read."), False)
    link: str = said(
        _("The link by which anybody may join; empty for who does not organise it."), "https://club-y.example/clubs/…"
    )
    members: list[ClubMember] = said(_("Its members: the owner, the organisers, then those who came first."), [])
    next: str | None = said(_("The cursor of what follows; null at the end."), "WzI1XQ")


class LinkedClub(ClubLine):
    """The club of a link."""

    me: str = said(_("What you are to it: in, asked, invited; empty: nothing."), "")


class ClubWords(Given):
    """A new club."""

    name: str = said(_("Its name: 3 to 40 characters."), "The dice of Lyon", max_length=200)
    words: str = said(
        _("What it says of itself."), "We play on Thursdays.", default="", max_length=2 * LONGEST_CLUB_WORDS
    )
    access: Access = said(_("Who may join: open, request or invitation."), "open", default="open")


class ClubChange(Given):
    """What a club says of itself from now on."""

    name: str | None = said(
        _("Another name, which its owner alone may give."), "The dice of Lyon", default=None, max_length=200
    )
    words: str | None = said(
        _("What it says of itself from now on."), "We play on Fridays.", default=None, max_length=2 * LONGEST_CLUB_WORDS
    )
    access: Access | None = said(_("Who may join from now on."), "request", default=None)


class InvitedToClub(Given):
    """Whom a club invites."""

    name: str = said(_("The name of the member."), "Bob", max_length=150)


class ClubDeed(Given):
    """What becomes of somebody in a club."""

    deed: Literal["let-in", "refuse", "take-back", "remove", "let-back", "organiser", "no-organiser", "hand-over"] = (
        said(
            _(
                "let-in or refuse who asks; take-back an invitation; remove a member; let-back who is kept out; "
                "organiser, no-organiser; hand-over the club."
            ),
            "let-in",
        )
    )
    name: str = said(_("The name of whom it is about, exactly."), "Bob", max_length=150)


class ClubPerson(Shape):
    """Somebody who waits, or is kept out."""

    name: str = said(_("Their name."), "Bob")
    since: Moment


class ClubPersonListed(Listed):
    """Who waits, or is kept out."""

    items: list[ClubPerson] = said(_("The people, the longest so first."), [])
