"""¥€$: when each objective is met, by what is there and by one good less."""

import pytest

from games.rules.yes.data import COUNTRIES, COUNTRY, GOALS, OBJECTIVES, Holdings, met

NORTH, SOUTH, EUROPE, AFRICA, ASIA = (COUNTRIES[start : start + 6] for start in range(0, 30, 6))


def own(*countries, cash=0, others_most=0):
    goods = [COUNTRY[country] if isinstance(country, str) else country for country in countries]
    return Holdings(goods, cash, others_most)


def of_good(good):
    return [country for country in COUNTRIES if country.good == good]


CASES = {
    "four_north_america": (own(*NORTH[:4]), own(*NORTH[:3], *SOUTH)),
    "four_south_america": (own(*SOUTH[:4]), own(*SOUTH[:3], *NORTH)),
    "four_europe": (own(*EUROPE[2:]), own(*EUROPE[:3], *NORTH)),
    "four_africa": (own(*AFRICA), own(*AFRICA[:3], *NORTH)),
    "four_asia_oceania": (own(*ASIA[:5]), own(*ASIA[:3], *NORTH)),
    "four_tractor": (own(*of_good("tractor")[:4]), own(*of_good("tractor")[:3], *of_good("gold"))),
    "four_building": (own(*of_good("building")[1:5]), own(*of_good("building")[:3], *of_good("oil"))),
    "four_factory": (own(*of_good("factory")[:4]), own(*of_good("factory")[:3], *of_good("oil"))),
    "trio": (own("canada", "mexico", "egypt"), own("canada", "mexico", "peru", "japan")),
    "three_kinds": (own("canada", "mexico", "bahamas"), own("canada", "guatemala", "mexico", "peru")),
    "two_alike": (own("canada", "guatemala"), own("canada", "argentina", "poland")),
    "four_kinds": (own("canada", "mexico", "bahamas", "united_states"), own(*NORTH[:5], *SOUTH[:2])),
    "six_kinds": (own(*ASIA), own(*ASIA[:5], *EUROPE[:5])),
    "two_pairs": (
        own("canada", "guatemala", "germany", "italy"),
        own("canada", "guatemala", "bahamas", "panama"),
    ),
    "four_twos": (
        own(*NORTH[:2], *SOUTH[:2], *EUROPE[:2], *AFRICA[:2]),
        own(*NORTH, *SOUTH[:2], *EUROPE[:2], *AFRICA[:1], *ASIA[:1]),
    ),
    "seven_common": (
        own(*of_good("tractor")[:3], *of_good("building")[:3], *of_good("factory")[:1]),
        own(*of_good("tractor")[:6], *of_good("gold"), *of_good("oil")),
    ),
    "five_rare": (
        own(*of_good("gold"), *of_good("oil")[:2]),
        own(*of_good("gold"), "nigeria", *of_good("tractor")),
    ),
    "nine_goods": (own(*COUNTRIES[:9]), own(*COUNTRIES[:8])),
    "most_goods": (own(*COUNTRIES[:9], others_most=8), own(*COUNTRIES[:9], others_most=9)),
    "dearest": (own(*of_good("gold"), *of_good("satellite")), own(*of_good("oil"), *of_good("gold"))),
    "wealth": (own("japan", cash=860_000), own("japan", cash=850_000)),
}


def test_all_objectives_have_a_case():
    assert set(CASES) == set(OBJECTIVES) == set(GOALS)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_when_an_objective_is_met(objective):
    enough, missed = CASES[objective]
    assert met([objective], enough)
    assert not met([objective], missed)
    assert not met([objective], own())


def test_the_edges_of_values():
    """Exactly 800 000 is enough; eight goods are not the most, even where nobody else has any."""
    edge = own(*of_good("satellite"), "peru", "south_africa", "nigeria")
    assert edge.value == 800_000
    assert met(["dearest"], edge)
    assert not met(["dearest"], own(*of_good("oil"), *of_good("gold")))
    assert not met(["most_goods"], own(*COUNTRIES[:8], others_most=0))
