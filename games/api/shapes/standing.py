"""What the API says of standing challenges of one's own, and what is sent to them."""

from typing import Literal

from django.utils.translation import gettext_noop as _

from games.api.shapes.given import Whole, Yes
from games.api.shapes.parts import Given, Listed, Shape, Slug, said
from games.services.lobby.challenges import MOST_AT_ONCE


class OwnChallenge(Shape):
    """A standing challenge of one's own."""

    id: int = said(_("Its number."), 12)
    game: Slug
    pace: str = said(_("Its time control."), "3d")
    pace_name: str = said(_("What that is called."), "3 days a move")
    rated: bool = said(_("Whether the matches are rated."), True)
    takes_bots: bool = said(_("Whether bots of members may accept it."), False)
    size: int = said(_("How many seats they have."), 2)
    most: int = said(_("At how many matches at once you play by it."), 3)
    under_way: int = said(_("How many of its matches are under way."), 1)
    paused: bool = said(_("Whether it rests: nobody can accept it then."), False)


class OwnChallengeListed(Listed):
    """One's own standing challenges."""

    items: list[OwnChallenge] = said(_("Your standing challenges."), [])


class OwnChallengeGiven(Given):
    """A standing challenge to be made."""

    game: Slug
    pace: str = said(_("Its time control, one by correspondence."), "3d", max_length=10)
    most: Whole = said(_("At how many matches at once you would play by it."), 3, default=3, ge=1, le=MOST_AT_ONCE)
    rated: Yes = said(_("Whether the matches are rated."), True, default=False)
    takes_bots: Yes = said(_("Whether bots of members may accept it."), False, default=False)


class OwnChallengeChange(Given):
    """What becomes of a standing challenge."""

    wish: Literal["pause", "resume", "withdraw"] = said(_("pause, resume or withdraw."), "pause")
