"""What the API says of standing challenges, and of dice before there is a table."""

from django.utils.translation import gettext_noop as _

from games.api.shapes.parts import Listed, Millis, Name, Shape, Slug, said


class Standing(Shape):
    """A standing challenge."""

    id: int = said(_("Its number."), 12)
    member: Name
    game: Slug
    pace: str = said(_("Its time control."), "3d")
    pace_name: str = said(_("What that is called."), "3 days a move")
    rated: bool = said(_("Whether the matches are rated."), True)
    takes_bots: bool = said(_("Whether bots of members may accept it."), False)
    size: int = said(_("How many seats they have."), 2)


class StandingListed(Listed):
    """Standing challenges."""

    items: list[Standing] = said(_("The challenges of members that you may accept."), [])


class PromiseShape(Shape):
    """Dice that are promised to whoever opens a table."""

    promise: str = said(
        _("What to send with the request that makes the table. It is good for one table."), "44d5…:1796148000:Ab3"
    )
    commitment: str = said(
        _("What the site commits itself to: the SHA-256 of its secret. Draw your part of the seed once you have it."),
        "0e4540973c41bac5acfb99744584c7628d35de6238180e442dbb1fb9effc80d9",
    )
    until: Millis = said(_("Until when the promise is good (ms)."), 1796148000000)
