"""Why one is asked what one is asked, and what each answer costs and brings here: from the view alone.

Prices, payments and chances are exact; what a YES or NO card brings is the mean of all 21, as if none had been seen.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from games.engine import Reason, View
from games.rules.yes.data import (
    COUNTRIES,
    COUNTRY,
    EXCHANGE_PRICE,
    GOAL,
    IGNORE,
    NO_CARDS,
    OBJECTIVES,
    REACH,
    TRACK,
    YES_CARDS,
    Country,
    Holdings,
    met,
)
from games.rules.yes.harm import COSTS, DEAREST_GOES, TAKES
from games.rules.yes.hints import hints
from games.rules.yes.outlook import Sight, asked_by_no, farther, gamble_prices, mean, nearer, paid_by_yes

MOST = 5
"""How many lines there are at most."""

FEW = 3
"""How many cards one line names at most."""

A_FACE = 11 / 36
"""The chance that at least one of two dice shows a certain face."""


class Question:
    """What a seat is asked, with what its answers hang on."""

    def __init__(self, view: View) -> None:
        self.view, self.sight, self.hints = view, Sight(view), hints(view)
        self.you: int = view["you"]
        self.moves = {move["type"]: move for move in view["prompt"]["moves"]}
        self.mine = [COUNTRIES[index] for index in self.sight.mine]

    def serves(self, country: Country) -> list[str]:
        return nearer(self.sight, [*self.sight.mine, country.index])

    def hurts(self, country: Country) -> list[str]:
        return farther(self.sight, [index for index in self.sight.mine if index != country.index])

    def spare(self, among: Sequence[Country]) -> list[Country]:
        """Those of one's cards that no objective would miss, the cheapest first."""
        return sorted((card for card in among if not self.hurts(card)), key=lambda card: card.price)

    def wins(self, country: Country, price: int = 0) -> bool:
        """Whether one more card for that price wins at once."""
        counts = list(self.sight.counts)
        if (owner := self.sight.owners.get(country.index)) is not None:
            counts[owner] -= 1
        most = max((counts[seat] for seat in self.sight.rivals), default=0)
        own = Holdings([*self.mine, country], self.sight.money - price, most)
        return set(self.sight.objectives) == set(met(self.sight.objectives, own))

    def paid(self, steps: int) -> int:
        """What one is paid when one moves the marker so far."""
        return self.sight.paid_to(self.you, steps)

    def dice(self) -> list[str]:
        return [die["action"] for die in self.hints["dice"]]


def reasons(view: View) -> list[Reason]:
    """What is to be said of the question of the seat `view["you"]`, the most useful first, in two to five lines."""
    asked = Question(view)
    found = [*OF[view["phase"]](asked), _goals(asked), _million(asked)]
    return [reason for reason in found if reason][:MOST]


def _goals(asked: Question) -> Reason:
    """What the objectives lack that are not met yet, unless that is told one by one."""
    goals = [] if "put_back" in asked.moves else asked.hints["objectives"][asked.you]
    lacking = [goal for goal in goals if not goal["met"]]
    return {"say": "goals", "goals": lacking} if lacking else {}


def _million(asked: Question) -> Reason:
    return {"say": "million", "missing": GOAL - asked.sight.money} if asked.sight.money < GOAL else {}


def _roll(asked: Question) -> list[Reason]:
    best = max(REACH, key=asked.paid)
    return [
        {"say": "roll", "seat": asked.hints["left"], "chance": A_FACE}
        | {"action": "country" if _country(asked)["useful"] else "cash"},
        {"say": "cash_now", "space": asked.hints["reach"][best - 1]["name"], "amount": asked.paid(best)},
        _exchange(asked),
    ]


def _exchange(asked: Question) -> Reason:
    if "exchange" not in asked.moves:
        return {}
    return {"say": "exchange", "price": EXCHANGE_PRICE, "left": asked.sight.money - EXCHANGE_PRICE} | _drawn(asked)


def _drawn(asked: Question) -> Reason:
    """How many objectives one does not hold, how many of these others do, and how many of them one meets already."""
    sight = asked.sight
    own = Holdings(asked.mine, sight.money, sight.most)
    unseen = [each for each in OBJECTIVES if each not in sight.objectives]
    held = len(unseen) - asked.view["decks"]["objective"]
    return {"met": len(met(unseen, own)), "of": len(unseen), "held": held}


def _choose(asked: Question) -> list[Reason]:
    actions = asked.dice()
    left = asked.hints["left"]
    told = [
        {"say": "die", "action": action, "seat": left, "other": other, **ACTION[action](asked)}
        for action, other in zip(actions, reversed(actions), strict=True)
    ]
    again: Reason = {"say": "again", "chance": A_FACE} if "again" in asked.moves else {}
    return [*(told[:1] if actions[0] == actions[1] else told), again, _exchange(asked)]


def _cash(asked: Question) -> Reason:
    best = max(REACH, key=asked.paid)
    amount = asked.paid(best)
    own = Holdings(asked.mine, asked.sight.money + amount, asked.sight.most)
    wins = own.cash >= GOAL or set(met(asked.sight.objectives, own)) == set(asked.sight.objectives)
    return {"amount": amount, "space": asked.hints["reach"][best - 1]["name"], "wins": wins}


def _country(asked: Question) -> Reason:
    deck = [country for country in COUNTRIES if country.index not in asked.sight.owners]
    return {"count": len(deck), "useful": sum(bool(asked.serves(country)) for country in deck)} | {
        "wins": sum(asked.wins(country) for country in deck)
    }


def _buying(asked: Question) -> Reason:
    there = [COUNTRIES[index] for index in asked.sight.theirs]
    affordable = [country for country in there if country.price <= asked.sight.money]
    return {"count": len(affordable), "useful": sum(bool(asked.serves(country)) for country in affordable)} | {
        "wins": sum(asked.wins(country, country.price) for country in affordable)
    }


ACTION: dict[str, Callable[[Question], Reason]] = {
    "yes": lambda asked: {"amount": round(sum(paid_by_yes(asked.sight)) / len(YES_CARDS), -3)},
    "no": lambda asked: {"amount": round(sum(asked_by_no(asked.sight)) / len(NO_CARDS), -3)},
    "cash": _cash,
    "country": _country,
    "buy": _buying,
    "sell": lambda asked: {"count": len(asked.mine), "spare": len(asked.spare(asked.mine))},
}
"""What each action would bring now."""


def _spaces(asked: Question) -> list[Reason]:
    """What each space in reach pays, and how many goods one has there."""
    return [_space(asked, space) for space in asked.hints["reach"]]


def _space(asked: Question, space: dict[str, Any]) -> Reason:
    own = sum(space["name"] in (country.continent, country.good) for country in asked.mine)
    return {"say": "space", "space": space, "own": own, "is_bank": space["name"] == TRACK[0]}


def _bid(asked: Question) -> list[Reason]:
    best = max(REACH, key=asked.paid)
    rivals = [seat for seat in asked.sight.rivals if seat != asked.view["actor"]]
    most = {seat: max(asked.sight.paid_to(seat, steps) for steps in REACH) for seat in rivals}
    return [
        {"say": "auction", "seat": asked.view["actor"]},
        {"say": "worth_a_bid", "space": asked.hints["reach"][best - 1]["name"], "amount": asked.paid(best)}
        | {"cash": asked.sight.money},
        {"say": "rivals", "rows": [(seat, most[seat], asked.sight.cash[seat]) for seat in rivals]} if rivals else {},
    ]


def _accept(asked: Question) -> list[Reason]:
    spaces = {space["name"]: space for space in asked.hints["reach"]}
    tied = asked.hints["tied"]
    told = [{"say": "tied_bid", "seat": one["seat"], "space": spaces[one["space"]]} for one in tied]
    return [{"say": "tied", "amount": tied[0]["amount"]}, *told[:FEW]]


def _award(asked: Question) -> list[Reason]:
    tied, goods, cash = asked.hints["tied"], asked.hints["goods"], asked.sight.cash
    told = [
        {"say": "tied_price", "seat": one["seat"], "goods": goods[one["seat"]], "cash": cash[one["seat"]]}
        for one in tied
    ]
    return [{"say": "tied", "amount": tied[0]["amount"]}, *told[: FEW + 1]]


def _buy(asked: Question) -> list[Reason]:
    there = [COUNTRIES[index] for index in asked.sight.theirs]
    is_half = asked.view["phase"] == "half_price"
    cost = {country: country.half if is_half else country.price for country in there}
    affordable = sorted((country for country in there if cost[country] <= asked.sight.money), key=cost.__getitem__)
    useful = [country for country in affordable if asked.serves(country)]
    best = (useful or affordable)[:2]
    told = [
        {"say": "purchase", "country": country.id, "seat": asked.sight.owners[country.index], "price": cost[country]}
        | {"left": asked.sight.money - cost[country], "goals": asked.serves(country)}
        for country in best
    ]
    opening = {"say": "half" if is_half else "must_buy", "count": len(affordable), "of": len(there), "told": len(best)}
    aim = (best or sorted(there, key=lambda country: (not asked.serves(country), country.price)))[0]
    return [opening, *told, {} if is_half else _gamble(asked, aim)]


def _gamble(asked: Question, country: Country) -> Reason:
    """What the red die may set as the price of a card, beside the printed one and one's cash."""
    prices = gamble_prices(country)
    return {
        "say": "gamble",
        "country": country.id,
        "least": min(prices),
        "most": max(prices),
        "mean": round(mean(prices), -3),
        "cheaper": sum(price < country.price for price in prices),
        "short": sum(price > asked.sight.money for price in prices),
    }


def _veto(asked: Question) -> list[Reason]:
    deal = asked.view["deal"]
    country = COUNTRY[deal["country"]]
    buyer = asked.view["actor"]
    got: Reason = {"say": "paid", "seat": buyer, "amount": deal["price"]} if deal["price"] is not None else {}
    if deal["give"]:
        got = {"say": "swapped", "seat": buyer, "country": deal["give"], "goals": asked.serves(COUNTRY[deal["give"]])}
    elif deal["gamble"]:
        got = _gamble(asked, country) | {"say": "paid_gamble", "seat": buyer}
    lost = {"say": "losing", "country": country.id, "goals": asked.hurts(country), "price": country.price}
    return [got, lost, {"say": "veto_card"}]


def _offer(asked: Question) -> list[Reason]:
    spare = asked.spare(asked.mine)
    card = (spare or sorted(asked.mine, key=lambda country: country.price))[0]
    buyers = len(asked.sight.rivals)
    prices = gamble_prices(card)
    best = mean([max(each) for each in product(prices, repeat=min(2, buyers))])
    return [
        {"say": "offer", "may_pass": "pass" in asked.moves, "seats": buyers},
        {"say": "spare", "countries": [country.id for country in spare[:FEW]]},
        {
            "say": "price",
            "country": card.id,
            "printed": card.price,
            "mean": round(mean(prices), -3),
            "best": round(best, -3),
        }
        | {"buyers": min(2, buyers)},
    ]


def _interest(asked: Question) -> list[Reason]:
    country = COUNTRY[asked.view["sale"]["country"]]
    return [
        _gamble(asked, country) | {"say": "rolled_price", "printed": country.price},
        {"say": "gain", "country": country.id, "goals": asked.serves(country)},
        {"say": "refuse", "seat": asked.view["actor"], "bank": asked.view["sale"]["bank"]},
    ]


def _swap(asked: Question) -> list[Reason]:
    spare = asked.spare(asked.mine)
    there = [COUNTRIES[index] for index in asked.sight.theirs]
    useful = sorted((country for country in there if asked.serves(country)), key=lambda country: -country.price)
    return [
        {"say": "swap"},
        {"say": "take", "countries": [(c.id, asked.sight.owners[c.index], asked.serves(c)) for c in useful[:2]]},
        {"say": "spare", "countries": [country.id for country in spare[:FEW]]},
    ]


def _give_up(asked: Question) -> list[Reason]:
    among = [COUNTRY[country] for country in asked.moves["give_up"]["country"]["one_of"]]
    spare = asked.spare(among)
    cheapest = min(among, key=lambda country: country.price)
    return [
        {"say": "give_up", "seat": asked.hints["heir"], "count": len(among)},
        {"say": "spare", "countries": [country.id for country in spare[:FEW]]},
        {"say": "cheapest", "country": cheapest.id, "price": cheapest.price},
    ]


def _put_back(asked: Question) -> list[Reason]:
    goals = asked.hints["objectives"][asked.you]
    return [{"say": "put_back", **_drawn(asked)}, *({"say": "goal", "goal": goal} for goal in goals)]


def _ignore(asked: Question) -> list[Reason]:
    card = asked.view["card"]
    kept = sum(own in IGNORE for own in asked.view["hand"])
    return [{"say": "no_card", "card": card}, _harm(asked, card), {"say": "ignore_card", "kept": kept}]


def _harm(asked: Question, card: str) -> Reason:
    """What a NO card would do: the money that it costs, or the card that one misses least of those it may take."""
    if card in COSTS:
        return {"say": "costs", "amount": COSTS[card](asked.sight), "cash": asked.sight.money}
    if card in TAKES and asked.mine:
        most = max(country.price for country in asked.mine)
        among = [country for country in asked.mine if card != DEAREST_GOES or country.price == most]
        cheapest = min(asked.spare(among) or among, key=lambda country: country.price)
        return {"say": "losing", "country": cheapest.id, "goals": asked.hurts(cheapest), "price": cheapest.price}
    return {}


def _debt(asked: Question) -> list[Reason]:
    debt = asked.hints["debts"][0]
    enough = sorted((card for card in asked.mine if card.price >= debt["missing"]), key=lambda card: card.price)
    spare = asked.spare(asked.mine)
    return [
        {"say": "owe", **{name: debt[name] for name in ("amount", "cash", "missing")}},
        {"say": "enough", "countries": [(card.id, card.price) for card in enough[:FEW]]}
        | {"total": sum(card.price for card in asked.mine), "missing": debt["missing"]},
        {"say": "spare", "countries": [country.id for country in spare[:FEW]]},
    ]


OF: dict[str, Callable[[Question], list[Reason]]] = {
    "roll": _roll,
    "choose": _choose,
    "advance": _spaces,
    "bid": _bid,
    "accept": _accept,
    "award": _award,
    "buy": _buy,
    "half_price": _buy,
    "veto": _veto,
    "offer": _offer,
    "interest": _interest,
    "swap": _swap,
    "give_up": _give_up,
    "put_back": _put_back,
    "ignore": _ignore,
    "debt": _debt,
}
"""What is said of each question."""
