"""How well the bots of YESSS! understand words: `python -m tests.bench.yesss [matches]`.

Of four strong bots, how many guesses are right; and of words that people type from the lists of two
pictures: a word that stands on both lists, where there is one (for most pairs), and any word of either, by
which alone the second picture can only be guessed. At last, what a race of bots brings.
"""

import sys
from collections.abc import Iterator
from random import Random
from statistics import fmean, stdev
from typing import Any

from games.engine import SeededChance
from games.rules import get_game
from games.rules.yesss.bot import Strong, lexicon
from games.rules.yesss.data import CARDS, FACES, LANGUAGES, PAIRS, PLACES

SEED = 20_240_117
SEATS = 4
TYPED = 5000


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print(f"seed {SEED}, {matches} matches of {SEATS}, {TYPED} typed words each")
    for language in LANGUAGES:
        for level in ("easy", "strong"):
            right = [hit for number in range(matches) for hit in guesses(language, level, number)]
            print(f"yesss {language}: guesses among four {level} bots: {share(right)}", flush=True)
        both, either, without = typed(language)
        print(f"yesss {language}: strong on a word of both lists: {share(both)}")
        print(f"yesss {language}: strong on any word of either list: {share(either)}")
        print(f"yesss {language}: pairs without a word in common: {without / TYPED:.0%}")
        scores = [race(language, number) for number in range(min(matches, 100))]
        mean, error = fmean(scores), 1.96 * stdev(scores) / len(scores) ** 0.5
        print(f"yesss {language}: a race of {SEATS} strong bots brings {mean:.1f} ± {error:.1f} of 21")


def guesses(language: str, level: str, number: int) -> Iterator[bool]:
    """Whether each guess of a match was right."""
    for event in played({"language": language}, level, number):
        if event["type"] == "revealed":
            yield from (guess == event["pair"] for guess in event["guesses"] if guess)


def race(language: str, number: int) -> int:
    """The score of a race of three minutes."""
    *_, (_at, _seat, end) = raced(language, "strong", SEATS, number)
    return int(end["score"])


def raced(language: str, level: str, seats: int, number: int) -> Iterator[tuple[int, int | None, dict[str, Any]]]:
    """When (ms), by whom and what happens in a race among bots, each in its own time, as the site has them."""
    game, rng = get_game("yesss"), Random(f"{SEED} {number}")
    options = {"mode": "cooperative", "language": language}
    state = game.setup(seats=seats, options=options, chance=SeededChance(f"{SEED} {number}".encode()))
    bot, at, chance = game.bot(level), 0, SeededChance(b"")
    due = dict.fromkeys(range(seats), 0)
    while game.to_move(state):
        ready = [seat for seat in game.to_move(state) if not game.waits(game.view(state, seat))]
        seat: int | None = min(ready, key=due.__getitem__)
        at, end = max(at, due[seat]), game.deadline(state)
        move = bot.choose(game.view(state, seat), rng)
        if end is not None and at >= end:
            at, seat, move = end, None, {"type": "time_up"}
        state, events = game.apply(state, seat, move, chance, at)
        yield from ((at, seat, event) for event in events)
        for other in game.to_move(state):
            if other == seat or (due[other] <= at and not game.waits(game.view(state, other))):
                due[other] = at + round(1000 * (game.bot_delay(game.view(state, other), level, rng) or 0))


def played(options: dict[str, Any], level: str, number: int) -> Iterator[dict[str, Any]]:
    """The events of a match among bots of one level, without a clock."""
    game, rng = get_game("yesss"), Random(f"{SEED} {number}")
    chance = SeededChance(f"{SEED} {number}".encode())
    state = game.setup(seats=SEATS, options=options, chance=chance)
    bot = game.bot(level)
    while waiting := game.to_move(state):
        view = game.view(state, rng.choice(waiting))
        state, events = game.apply(state, view["you"], bot.choose(view, rng), chance)
        yield from events


def typed(language: str) -> tuple[list[bool], list[bool], int]:
    """Whether strong understands words typed for random pairs: those of both lists, any; pairs with none."""
    words, rng = lexicon(language).sayable, Random(SEED)
    both, either, without = [], [], 0
    for _ in range(TYPED):
        pictures = [FACES * card + rng.randrange(FACES) for card in rng.sample(range(CARDS), PLACES)]
        pair = rng.choice(PAIRS)
        one, other = (set(words[pictures[place - 1]]) for place in pair)
        view = {"language": language, "pictures": pictures}
        either.append(Strong().understood(view, rng.choice(sorted(one | other)), PAIRS, rng) == pair)
        if one & other:
            both.append(Strong().understood(view, rng.choice(sorted(one & other)), PAIRS, rng) == pair)
        without += not one & other
    return both, either, without


def share(hits: list[bool]) -> str:
    return f"{100 * fmean(hits):.1f} % ± {196 * stdev(map(float, hits)) / len(hits) ** 0.5:.1f} right"


if __name__ == "__main__":
    main()
