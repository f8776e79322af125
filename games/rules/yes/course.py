"""A move being carried out: the changing state, its events, and the tasks still to be done."""

from typing import Any

from msgspec.structs import replace

from games.engine import Chance, Event, put
from games.rules.yes.data import COUNTRY
from games.rules.yes.state import Debt, State, Task


class Course:
    """A move in progress. Tasks go on the stack of its state and never call each other."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    def change(self, **fields: Any) -> None:
        self.state = replace(self.state, **fields)

    def tell(self, kind: str, **facts: Any) -> None:
        """Add an event; everybody can read it."""
        self.events.append({"type": kind, **facts})

    @property
    def actor(self) -> int:
        """The seat that carries the die out."""
        actor = self.state.actor
        return self.state.roller if actor is None else actor

    def then(self, *tasks: Task) -> None:
        """Put tasks on the stack so that they are done next, in this order."""
        self.change(tasks=(*self.state.tasks, *reversed(tasks)))

    def next_task(self) -> Task:
        """Take the task that is to be done now from the stack."""
        *rest, task = self.state.tasks
        self.change(tasks=tuple(rest))
        return task

    def owe(self, seat: int, to: int | None, amount: int, why: str, of: str | None) -> None:
        """Note a debt, to be settled before the next task."""
        if amount:
            self.change(debts=(*self.state.debts, Debt(seat, amount, to, why, of)))

    def pay(self, seat: int | None, to: int | None, amount: int, why: str, of: str | None = None) -> None:
        """Move money that is there between seats and the bank (None), with an event."""
        if not amount:
            return
        cash = list(self.state.cash)
        for party, change in ((seat, -amount), (to, amount)):
            if party is not None:
                cash[party] += change
        self.change(cash=tuple(cash))
        self.tell("pay", **{"from": seat}, to=to, amount=amount, why=why, of=of)

    def draw(self, deck: str) -> str | None:
        """The top card of a deck; None where it is empty."""
        cards: tuple[str, ...] = getattr(self.state.decks, deck)
        if not cards:
            return None
        self.change(decks=replace(self.state.decks, **{deck: cards[1:]}))
        return cards[0]

    def put_under(self, deck: str, *cards: str) -> None:
        """Put cards under a deck, the first of them first."""
        before: tuple[str, ...] = getattr(self.state.decks, deck)
        self.change(decks=replace(self.state.decks, **{deck: (*before, *cards)}))

    def give(self, country: str, to: int | None, why: str, of: str | None = None) -> None:
        """Move a COUNTRY card to a seat, or under its deck (None), with an event."""
        owners = list(self.state.owners)
        index = COUNTRY[country].index
        before, owners[index] = owners[index], to
        self.change(owners=tuple(owners))
        if to is None:
            self.put_under("country", country)
        self.tell("goods", country=country, **{"from": before}, to=to, why=why, of=of)

    def use(self, seat: int, card: str) -> None:
        """Put a kept YES card under its deck."""
        hands = self.state.hands
        self.change(hands=put(hands, seat, tuple(other for other in hands[seat] if other != card)))
        self.put_under("yes", card)

    def renew(self, seat: int, old: tuple[str, ...]) -> None:
        """Put objectives under their deck and draw as many in their places."""
        self.put_under("objective", *old)
        own = self.state.objectives[seat]
        for place, objective in enumerate(own):
            if objective in old and (new := self.draw("objective")):
                own = put(own, place, new)
        self.change(objectives=put(self.state.objectives, seat, own))
