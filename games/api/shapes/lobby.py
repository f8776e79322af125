"""What the API says of standing challenges."""

from django.utils.translation import gettext_noop as _

from games.api.shapes.parts import Listed, Name, Shape, Slug, said


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
