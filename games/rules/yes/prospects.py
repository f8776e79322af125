"""What each white die is worth to the strong bot that carries it out: one step ahead, over all chances."""

from games.rules.yes.outlook import PRICE
from games.rules.yes.sight import MONEY, Sight, gamble_prices, mean
from games.rules.yes.tables import ACTIONS, COUNTRIES, MOST_GOODS, REACH

FOR_A_RIVAL = {"yes": 0.035, "no": -0.045, "cash": 0.04, "country": 0.05, "buy": 0.03, "sell": -0.005}
"""What a die is worth, more or less, to whoever has to carry it out."""

KEPT_CARD = 0.03
"""What it is worth to have a card in hand that is kept."""

AUCTIONED = 30_000
"""What an actor is paid, more or less, for the right to move the marker."""

SOLD_FOR = 60_000


def die_worth(sight: Sight, die: int) -> float:
    """What it is worth to keep this die and to leave the other to the left neighbour."""
    mine, others = (ACTIONS[sight.view["dice"][index] - 1] for index in (die, 1 - die))
    return PROSPECTS[mine](sight) - sight.share_of_rivals() * FOR_A_RIVAL[others]


def country(sight: Sight) -> float:
    """Over all cards that are still in the deck."""
    if len(sight.mine) >= MOST_GOODS or not sight.deck:
        return 0.0
    return mean([sight.with_good(index) for index in sight.deck]) - sight.now


def yes(sight: Sight) -> float:
    """Over all YES cards, as if none had been seen; 21 of them."""
    rivals = len(sight.rivals)
    goods = len(sight.mine)
    places = len({COUNTRIES[index].continent for index in sight.mine})
    amounts = [50_000] * 4 + [100_000] * 2 + [rivals * 10_000] * 2 + [rivals * 20_000]
    amounts += [10_000 * goods, 20_000 * places]
    total = sum(sight.with_cash(amount) - sight.now for amount in amounts)
    total += 3 * country(sight) + max(map(sight.gain_of, REACH)) + 4 * KEPT_CARD + 2 * KEPT_CARD
    return total / 21


def no(sight: Sight) -> float:
    """Over all NO cards."""
    rivals = len(sight.rivals)
    goods = len(sight.mine)
    factories = sum(COUNTRIES[index].good == "factory" for index in sight.mine)
    amounts = [20_000] * 3 + [50_000] * 3 + [100_000] + [rivals * 10_000] * 2 + [rivals * 20_000]
    amounts += [10_000 * goods, 20_000 * factories, sight.money // 2]
    total = sum(sight.with_cash(-amount) - sight.now for amount in amounts)
    return (total + 6 * least_loss(sight)) / 21


def least_loss(sight: Sight) -> float:
    """What it costs to give up the good that one misses least."""
    return max((sight.without(index) - sight.now for index in sight.mine), default=0.0)


def cash(sight: Sight) -> float:
    """The best of three spaces where one pays; else what others bid, and one of them is paid."""
    if any(sight.paid_to(sight.me, steps) for steps in REACH):
        return max(map(sight.gain_of, REACH))
    return sight.with_cash(AUCTIONED) - sight.now - MONEY * sight.share_of_rivals()


def buy(sight: Sight) -> float:
    """The best purchase; forced where something can be afforded."""
    found = best_purchase(sight)
    return found[0] if found else 0.0


def best_purchase(sight: Sight) -> tuple[float, int, bool] | None:
    """(gain, card, whether to gamble) of the best purchase; None where there is none."""
    if len(sight.mine) >= MOST_GOODS or not sight.theirs:
        return None
    found = [
        (sight.with_good(index, PRICE[index]) - sight.now + paid(sight, -PRICE[index]), index, False)
        for index in sight.theirs
        if PRICE[index] <= sight.money
    ]
    found += [(gamble(sight, index) - sight.now, index, True) for index in sight.theirs]
    return max(found, key=_sure_first)


def _sure_first(purchase: tuple[float, int, bool]) -> tuple[float, bool, float]:
    """Of purchases about as good, one without a gamble."""
    gain, _index, gambles = purchase
    return round(gain, 2), not gambles, gain


def gamble(sight: Sight, index: int) -> float:
    """What it is worth to have the red die set a card's price."""
    prices = gamble_prices(COUNTRIES[index])
    return mean([sight.with_good(index, price) + paid(sight, -price) for price in prices])


def paid(sight: Sight, amount: int) -> float:
    """What it means that a rival gets (or, above 0, pays) so much."""
    return MONEY * sight.share_of_rivals() * amount / 100_000


def sell(sight: Sight) -> float:
    """The best sale, at what the red die brings on average; or none."""
    return max([0.0, *(sight.without(index, SOLD_FOR) - sight.now - 0.01 for index in sight.mine)])


PROSPECTS = {"yes": yes, "no": no, "cash": cash, "country": country, "buy": buy, "sell": sell}
