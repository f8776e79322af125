"""What the API says of the member whose token it is."""

from django.utils.translation import gettext_noop as _

from games.api.shapes.parts import Moment, Name, Shape, said


class TokenShape(Shape):
    """A token."""

    name: str = said(_("The name that you gave it."), "my phone")
    scopes: list[str] = said(_("What it is for: read, play, message, bot."), ["read", "play"])
    ends_at: Moment | None = said(_("When it ends; null if it has no end."), "2027-11-30T18:00:00+00:00")


class Me(Shape):
    """You, as the site knows you."""

    id: int = said(_("Your number, which stays when your name changes."), 7)
    name: Name
    is_confirmed: bool = said(_("Whether your e-mail address is confirmed, which rated matches require."), True)
    language: str = said(_("The language of your pages and mails."), "fr")
    time_zone: str = said(_("Your time zone."), "Europe/Paris")
    asks_before_final: bool = said(_("Whether you are asked before moves that cannot be taken back."), False)
    waiting: int = said(_("How many matches wait for you."), 2)
    token: TokenShape = said(
        _("The token by which you ask."), {"name": "my phone", "scopes": ["read"], "ends_at": None}
    )
