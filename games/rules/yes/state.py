"""The state of a match of ¥€$: possessions, tasks still to be done, and what follows from them."""

from typing import TypeAlias

from msgspec import Struct

from games.engine import View
from games.rules.yes.data import COUNTRIES, COUNTRY, MOST_GOODS, TRACK, Country, Holdings, met


def clockwise(seat: int, seats: int) -> list[int]:
    """The other seats, from the left of `seat` on."""
    return [(seat + step) % seats for step in range(1, seats)]


def leaders(counts: list[int]) -> list[int]:
    """The seats with the highest count, ascending; none where all have 0."""
    most = max(counts)
    return [seat for seat, count in enumerate(counts) if count == most > 0]


class Decks(Struct, frozen=True):
    """The four decks, each from the top."""

    country: tuple[str, ...]
    objective: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]

    def shown(self) -> View:
        """How many cards each has."""
        return {name: len(getattr(self, name)) for name in self.__struct_fields__}


class Debt(Struct, frozen=True, omit_defaults=True):
    """What a seat has to pay to another seat or to the bank (None), why, and for which card."""

    seat: int
    amount: int
    to: int | None
    why: str
    of: str | None
    told: bool = False
    """Whether an event has announced that the cash is short."""

    def shown(self) -> View:
        return {"seat": self.seat, "amount": self.amount, "to": self.to}


class Bid(Struct, frozen=True):
    """A sealed bid for the right to move the CASH marker."""

    amount: int
    steps: int | None


class Auction(Struct, frozen=True):
    """The seats that are asked for bids, clockwise from the actor, and what they bid so far."""

    asked: tuple[int, ...]
    bids: tuple[Bid | None, ...]

    @property
    def owing(self) -> list[int]:
        return sorted(seat for seat, bid in zip(self.asked, self.bids, strict=True) if bid is None)

    def given(self) -> dict[int, Bid]:
        """The bids that are in, by seat, clockwise from the actor."""
        return {seat: bid for seat, bid in zip(self.asked, self.bids, strict=True) if bid is not None}

    def given_bids(self) -> list[View]:
        """The bids that are in, as views have them once all are in."""
        return [{"seat": seat, "amount": bid.amount, "steps": bid.steps} for seat, bid in self.given().items()]

    def shown(self) -> View:
        return {"answered": sorted(self.given()), "bids": None if self.owing else self.given_bids()}


class Rolled(Struct, frozen=True):
    """The price that the red die set for one who was interested."""

    seat: int
    face: int
    price: int

    def shown(self) -> View:
        return {"seat": self.seat, "face": self.face, "price": self.price}


class Sale(Struct, frozen=True):
    """A card on offer: the seats that are asked, clockwise from the actor, and who is interested so far."""

    country: str
    bank: bool
    asked: tuple[int, ...]
    answers: tuple[bool | None, ...]
    rolls: tuple[Rolled, ...] = ()

    @property
    def owing(self) -> list[int]:
        return sorted(seat for seat, answer in zip(self.asked, self.answers, strict=True) if answer is None)

    @property
    def answered(self) -> list[int]:
        return sorted(set(self.asked).difference(self.owing))

    @property
    def interested(self) -> list[int]:
        return [seat for seat, answer in zip(self.asked, self.answers, strict=True) if answer]

    def shown(self) -> View:
        return {
            "country": self.country,
            "bank": self.bank,
            "answered": self.answered,
            "rolls": [rolled.shown() for rolled in self.rolls],
        }


class Deal(Struct, frozen=True, omit_defaults=True):
    """A purchase, or with `give` an exchange, that the seller can still forbid."""

    country: str
    seller: int
    price: int | None = None
    gamble: bool = False
    give: str | None = None

    def shown(self) -> View:
        return {name: getattr(self, name) for name in self.__struct_fields__}


class Ask(Struct, frozen=True, omit_defaults=True, tag="ask"):
    """A decision that the match waits for: its phase, and what the state does not hold elsewhere."""

    phase: str
    card: str | None = None
    """The NO card that may be ignored."""
    seats: tuple[int, ...] = ()
    """The tied seats to pick from, clockwise from the actor."""
    countries: tuple[str, ...] = ()
    """The cards to pick from, of which one is given up."""
    to: int | None = None
    """Who is given the card; None: it goes back."""
    deal: Deal | None = None


class Carry(Struct, frozen=True, tag="carry"):
    """Carry out a white die."""

    die: int


class Finish(Struct, frozen=True, tag="finish"):
    """Put a played YES or NO card under its deck."""

    deck: str
    card: str


class Done(Struct, frozen=True, tag="done"):
    """An action is completed."""


class Next(Struct, frozen=True, tag="next"):
    """Both dice are carried out."""


Task: TypeAlias = Ask | Carry | Finish | Done | Next


class State(Struct, frozen=True, omit_defaults=True):
    """A match. `tasks` are done from the last to the first, but debts before any of them."""

    rounds: int
    roller: int
    cash: tuple[int, ...]
    owners: tuple[int | None, ...]
    """The owner of each COUNTRY card, in the order of COUNTRIES."""
    objectives: tuple[tuple[str, ...], ...]
    hands: tuple[tuple[str, ...], ...]
    decks: Decks
    dice: tuple[int, int] | None = None
    kept: int | None = None
    actor: int | None = None
    action: str | None = None
    exchanged: bool = False
    turn: int = 0
    marker: int = 0
    card: str | None = None
    auction: Auction | None = None
    sale: Sale | None = None
    debts: tuple[Debt, ...] = ()
    tasks: tuple[Task, ...] = ()
    out: tuple[int, ...] = ()
    over: bool = False
    winner: int | None = None
    """The seat that reached its goal or was the last one in; None: the wealthiest won."""

    @property
    def seats(self) -> int:
        return len(self.cash)

    @property
    def ask(self) -> Ask | None:
        """The decision that a task waits for, unless a debt is settled first."""
        task = self.tasks[-1] if self.tasks and not self.debts else None
        return task if isinstance(task, Ask) else None

    @property
    def phase(self) -> str:
        if self.over:
            return "over"
        if self.debts:
            return "debt"
        if self.ask is not None:
            return self.ask.phase
        return "roll" if self.dice is None else "choose"

    @property
    def to_move(self) -> list[int]:
        """The seats that owe a decision, ascending."""
        if self.over:
            return []
        if self.debts:
            return [self.debts[0].seat]
        ask = self.ask
        if ask is None or self.actor is None:
            return [self.roller]
        if ask.phase == "bid" and self.auction:
            return self.auction.owing
        if ask.phase == "interest" and self.sale:
            return self.sale.owing
        return [ask.deal.seller if ask.deal else self.actor]

    def clockwise(self, seat: int) -> list[int]:
        """The other seats that are still in, from the left of `seat` on."""
        return [other for other in clockwise(seat, self.seats) if other not in self.out]

    def left_of(self, seat: int) -> int:
        """The next seat to the left that is still in; `seat` where there is none."""
        return next(iter(self.clockwise(seat)), seat)

    def owner(self, country: str) -> int | None:
        return self.owners[COUNTRY[country].index]

    def goods(self, seat: int) -> list[Country]:
        """The COUNTRY cards of a seat, in the order of COUNTRIES."""
        return [COUNTRIES[index] for index, owner in enumerate(self.owners) if owner == seat]

    def goods_of_others(self, seat: int) -> list[Country]:
        """The COUNTRY cards of all other seats, in the order of COUNTRIES."""
        return [COUNTRIES[index] for index, owner in enumerate(self.owners) if owner not in (None, seat)]

    def is_full(self, seat: int) -> bool:
        """Whether the seat may have no more goods."""
        return self.owners.count(seat) >= MOST_GOODS

    def holdings(self, seat: int) -> Holdings:
        others = (self.owners.count(other) for other in range(self.seats) if other != seat)
        return Holdings(self.goods(seat), self.cash[seat], max(others))

    def met(self, seat: int) -> list[str]:
        """Those of its objectives that the seat meets now."""
        return met(self.objectives[seat], self.holdings(seat))

    def wealth(self, seat: int) -> int:
        """Cash and cards at printed prices together."""
        return self.cash[seat] + sum(country.price for country in self.goods(seat))

    def paid_at(self, space: int, without: int | None = None) -> list[int]:
        """The seats with the most goods of a space's place or kind, ascending; not counting `without`'s."""
        counts = [0] * self.seats
        for country, owner in zip(COUNTRIES, self.owners, strict=True):
            if owner is not None and owner != without and TRACK[space] in (country.continent, country.good):
                counts[owner] += 1
        return leaders(counts)
