"""The moves of ¥€$ as they are sent."""

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from games.rules.yes.tables import STEP, CountryId, ObjectiveId

Seat: TypeAlias = Annotated[int, Meta(ge=0)]
Steps: TypeAlias = Annotated[int, Meta(ge=1, le=3)]


class Roll(Struct, frozen=True, forbid_unknown_fields=True, tag="roll"):
    """Roll both white dice."""


class Keep(Struct, frozen=True, forbid_unknown_fields=True, tag="keep"):
    """Keep a white die for oneself; the other is the left neighbour's."""

    die: Annotated[int, Meta(ge=0, le=1)]


class Again(Struct, frozen=True, forbid_unknown_fields=True, tag="again"):
    """Roll both white dice once more, with the card for it."""


class Exchange(Struct, frozen=True, forbid_unknown_fields=True, tag="exchange"):
    """Pay to exchange an objective."""

    objective: ObjectiveId


class Advance(Struct, frozen=True, forbid_unknown_fields=True, tag="advance"):
    """Move the CASH marker."""

    steps: Steps


class MakeBid(Struct, frozen=True, forbid_unknown_fields=True, tag="bid"):
    """Bid for the right to move the CASH marker so many steps; 0, without steps, for not at all."""

    amount: Annotated[int, Meta(ge=0)]
    steps: Steps | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.amount % STEP:
            raise ValueError("money is counted in tens of thousands")
        if (self.steps is UNSET) != (self.amount == 0):
            raise ValueError("a bid says its steps, no bid says none")


class Accept(Struct, frozen=True, forbid_unknown_fields=True, tag="accept"):
    """Pick among the highest bids."""

    seat: Seat


class Buy(Struct, frozen=True, forbid_unknown_fields=True, tag="buy"):
    """Buy an opponent's card, at its price or at the red die's."""

    country: CountryId
    gamble: bool


class Veto(Struct, frozen=True, forbid_unknown_fields=True, tag="veto"):
    """Forbid it with the card for it."""


class Allow(Struct, frozen=True, forbid_unknown_fields=True, tag="allow"):
    """Let it happen."""


class Offer(Struct, frozen=True, forbid_unknown_fields=True, tag="offer"):
    """Put a card up for sale, to the bank if nobody wants it, or not."""

    country: CountryId
    bank: bool


class Interest(Struct, frozen=True, forbid_unknown_fields=True, tag="interest"):
    """Say, sealed, whether one rolls for the card on offer."""

    yes: bool


class Award(Struct, frozen=True, forbid_unknown_fields=True, tag="award"):
    """Pick among the highest prices."""

    seat: Seat


class Swap(Struct, frozen=True, forbid_unknown_fields=True, tag="swap"):
    """Exchange one's card for an opponent's."""

    give: CountryId
    take: CountryId


class GiveUp(Struct, frozen=True, forbid_unknown_fields=True, tag="give_up"):
    """Choose the card that a NO card takes."""

    country: CountryId


class PutBack(Struct, frozen=True, forbid_unknown_fields=True, tag="put_back"):
    """Choose the objective that a NO card replaces."""

    objective: ObjectiveId


class Liquidate(Struct, frozen=True, forbid_unknown_fields=True, tag="liquidate"):
    """Sell a card to the bank to pay a debt."""

    country: CountryId


class Ignore(Struct, frozen=True, forbid_unknown_fields=True, tag="ignore"):
    """Put a NO card off with the card for it."""


class Suffer(Struct, frozen=True, forbid_unknown_fields=True, tag="suffer"):
    """Let the NO card act."""


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag="pass"):
    """Do nothing."""


MOVES = (
    *(Roll, Keep, Again, Exchange, Advance, MakeBid, Accept, Buy, Veto, Allow, Offer, Interest, Award),
    *(Swap, GiveUp, PutBack, Liquidate, Ignore, Suffer, Pass),
)
