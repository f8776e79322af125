"""The situations in which replies are tried: a game, its state, and the seat that answers."""

from typing import Any

from msgspec.structs import replace

from games.engine import SeededChance
from games.rules import get_game
from games.rules.yam_menteur.turns import Claim
from games.rules.yay.board import LOCK, Mark
from games.rules.yay.turns import Throw, die_at
from games.rules.yes.data import COUNTRIES
from games.rules.yes.state import Ask, Auction, Deal, Debt, Sale
from games.rules.yesss.data import token_of
from games.rules.yesss.state import Token
from games.rules.yum_extra.sheet import Row

NAMES = ["Ana", "Bob", "Cleo"]


def _start(slug: str, seats: int = 3, **options: Any) -> Any:
    return get_game(slug).setup(seats=seats, options=options, chance=SeededChance(b"replies"))


def yam(**state: Any) -> Any:
    return "yam-menteur", replace(_start("yam-menteur"), **{"thrower": 0, **state})


def _claimed(combination: str, points: int) -> Any:
    held = {"dice": (1, 2, 3, 4, 6), "tries": 2, "loose": (0, 1)}
    return yam(**held, thrower=1, claim=Claim(combination, points), answers=(None, None, None))


def yum(**state: Any) -> Any:
    return "yum-extra", replace(_start("yum-extra"), **{"active": 0, "starter": 0, **state})


def _combo() -> Any:
    """Ana's white 6 with a red 3 lets her steal; Bob has rolled and written."""
    start = _start("yum-extra")
    theirs = start.sheets[1].with_row("fours", Row(pts=16)).with_row("full_house", Row(pts=25))
    return yum(active=1, dice=(3, 3, 5, 5, 5), rolls=2, combo=0, white=6, sheets=(start.sheets[0], theirs, theirs))


def yay(**state: Any) -> Any:
    start = _start("yay")
    return "yay", replace(start, **{"thrower": 0, "first_turns": (True,) * 3, **state})


def _thrown(at: tuple[int, int]) -> Throw:
    return Throw(at, tuple(die_at(face, at[0] + step, at[1], 8) for face, step in ((3, 0), (4, -60), (5, 60))))


def _numbers() -> Any:
    board = _start("yay").board
    return board.filled((0, 0), Mark(0, 12, True)).filled((3, 3), Mark(0, 8, True)).filled((7, 7), LOCK)


OWNED = {"kenya": 0, "brazil": 0, "south_africa": 0, "japan": 1, "france": 1, "canada": 2, "united_states": 2}


def yes(*tasks: Ask, **state: Any) -> Any:
    """Ana to move, with Kenya, Brazil and South Africa; the dice show CASH and BUY."""
    start = _start("yes")
    owners = tuple(OWNED.get(country.id) for country in COUNTRIES)
    objectives = (("four_tractor", "six_kinds"), *start.objectives[1:])
    common = {"roller": 0, "owners": owners, "cash": (200_000,) * 3, "objectives": objectives}
    carried = {"dice": (3, 5), "kept": 0, "actor": 0, "action": "cash", "tasks": tasks} if tasks else {}
    return "yes", replace(start, **common | carried | state)


def yesss(**state: Any) -> Any:
    return "yesss", replace(_start("yesss", language=state.pop("language", "fr")), **state)


def _words(**mine: Any) -> Any:
    """Ana owes a word for 2 and 5; Bob has said one for a pair, if wanted, that she guesses."""
    blank = (None,) * 3
    tokens = (
        Token(selector=2, receiver=0, pair=token_of([2, 5]), answers=blank, **mine.pop("own", {})),
        Token(selector=0, receiver=1, pair=token_of([1, 3]), answers=blank),
        Token(selector=1, receiver=2, pair=token_of([4, 6]), answers=blank, **mine.pop("other", {})),
    )
    return yesss(tokens=tokens, hands=(), **mine)


SITUATIONS: dict[str, tuple[str, Any]] = {
    "yam first": yam(),
    "yam dice": yam(dice=(6, 6, 6, 2, 4), tries=1, loose=(0, 1, 2, 3, 4)),
    "yam kept": yam(dice=(6, 6, 6, 2, 4), tries=2, loose=(3, 4)),
    "yam last": yam(dice=(6, 6, 6, 2, 2), tries=3, loose=(4,)),
    "yam claim": _claimed("fours", 16),
    "yum first": yum(),
    "yum dice": yum(dice=(3, 3, 3, 5, 5), rolls=1),
    "yum mixed": yum(dice=(1, 2, 6, 6, 4), rolls=2),
    "yum last": yum(dice=(6, 6, 6, 6, 2), rolls=3),
    "yum combo": _combo(),
    "yay throw": yay(),
    "yay decide": yay(throws=(_thrown((450, 450)),)),
    "yay first decide": yay(throws=(_thrown((450, 450)),), first_turns=(False,) * 3),
    "yay cross": yay(board=_numbers(), throws=(_thrown((450, 450)), _thrown((350, 350))), crossing=True),
    "yes roll": yes(),
    "yes choose": yes(dice=(3, 5)),
    "yes again": yes(dice=(3, 5), hands=(("yes_21",), (), ())),
    "yes advance": yes(Ask("advance")),
    "yes bid": yes(Ask("bid"), auction=Auction((0, 1, 2), (None,) * 3)),
    "yes accept": yes(Ask("accept", seats=(1, 2))),
    "yes buy": yes(Ask("buy")),
    "yes offer": yes(Ask("offer")),
    "yes interest": yes(Ask("interest"), actor=1, sale=Sale("japan", True, (2, 0), (None, None))),
    "yes veto": yes(Ask("veto", deal=Deal("kenya", 0, 50_000)), actor=1, hands=(("yes_20",), (), ())),
    "yes swap": yes(Ask("swap", card="yes_17")),
    "yes give": yes(Ask("give_up", card="no_13", countries=("kenya", "brazil"))),
    "yes ignore": yes(Ask("ignore", card="no_01"), hands=(("yes_18",), (), ())),
    "yes debt": yes(Ask("advance"), debts=(Debt(0, 400_000, None, "card", "no_06"),)),
    "yes put back": yes(Ask("put_back", card="no_19")),
    "yesss select": yesss(hands=((token_of([1, 5]), token_of([2, 7]), token_of([3, 4])), (), ())),
    "yesss word": _words(),
    "yesss word en": _words(language="en"),
    "yesss guess": _words(own={"word": "mer", "revealed": True}, other={"word": "été"}),
    "yesss both": _words(other={"word": "été"}),
    "yesss swap": yesss(wishes=(None,) * 3, brains=(2, 1, 1), hands=()),
    "yesss race": (
        "yesss",
        replace(_start("yesss", mode="cooperative", minutes=0), ready=(0, 1, 2)),
    ),
    "yesss ready": ("yesss", _start("yesss", mode="cooperative", minutes=0)),
}
"""By name: the game's slug, and the state in which Ana, seat 0, is asked."""


def view_of(name: str) -> dict[str, Any]:
    """The view of Ana in a situation."""
    slug, state = SITUATIONS[name]
    view = get_game(slug).view(state, 0)
    assert view["prompt"] is not None, name
    return view
