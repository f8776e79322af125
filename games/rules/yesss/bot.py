"""The bots of YESSS!, and how well words go with pictures: by word lists and by similar spelling."""

from abc import ABC, abstractmethod
from collections import defaultdict
from functools import cache, lru_cache
from random import Random
from typing import Any, TypeAlias

from games.engine import PASS, Bot, IllegalMove, Move, View
from games.rules.yesss.data import PAIRS, Pair, names_of, words_of
from games.rules.yesss.racing import clue_to_answer, may_say
from games.rules.yesss.wording import acceptable, folded

Affinities: TypeAlias = tuple[float, ...]

ALIKE_FROM = 0.45
"""The least similarity, from 0 to 1, at which words are related."""
AS_GOOD_AS = 0.8
"""The weight of a word that is only similar to a listed one."""
AT_SECOND_HAND = 0.5
"""The weight of a word for a picture similar to one it goes with."""
COMMON = 2.0
"""The number of shared words that makes two pictures half alike."""
GRAMS = 3


class Lexicon:
    """The words of one language, and which pictures each goes with."""

    def __init__(self, language: str) -> None:
        self.pictures: dict[str, set[int]] = defaultdict(set)
        lists = words_of(language)
        for picture, words in enumerate(lists):
            for word in words:
                self.pictures[folded(word)].add(picture)
        self.sayable = [_sayable(words, language) for words in lists]
        self.alike = self._alike(len(lists))
        for picture in range(len(lists)):
            for name in names_of(picture):
                self.pictures[folded(name)].add(picture)
        self._index: dict[str, set[str]] = defaultdict(set)
        for known in self.pictures:
            for gram in _grams(known):
                self._index[gram].add(known)

    def _alike(self, count: int) -> list[list[float]]:
        """The similarity of each two pictures, from 0 to 1, by shared words; rare words count more."""
        shared = [[0.0] * count for _ in range(count)]
        for pictures in self.pictures.values():
            for one in pictures:
                for other in pictures - {one}:
                    shared[one][other] += 2 / len(pictures)
        return [[much / (much + COMMON) for much in row] for row in shared]

    def affinities(self, word: str) -> Affinities:
        """How well a word goes with each picture, from 0 to 1."""
        return self._affinities(folded(word))

    @lru_cache(maxsize=4096)  # noqa: B019 (there is one lexicon for each language)
    def _affinities(self, word: str) -> Affinities:
        direct = [0.0] * len(self.alike)
        for known, weight in self._known(word).items():
            for picture in self.pictures[known]:
                direct[picture] = max(direct[picture], weight)
        sources = [(picture, weight) for picture, weight in enumerate(direct) if weight]
        return tuple(
            max([own, *(AT_SECOND_HAND * weight * self.alike[picture][n] for picture, weight in sources)])
            for n, own in enumerate(direct)
        )

    def _known(self, word: str) -> dict[str, float]:
        """The known words that equal or resemble this one, each with its weight."""
        grams = _grams(word)
        common: dict[str, int] = defaultdict(int)
        for gram in grams:
            for known in self._index.get(gram, ()):
                common[known] += 1
        found = {known: 2 * n / (len(grams) + len(_grams(known))) for known, n in common.items()}
        return {
            known: 1.0 if known == word else AS_GOOD_AS * alike
            for known, alike in found.items()
            if known == word or alike >= ALIKE_FROM
        }


@cache
def lexicon(language: str) -> Lexicon:
    return Lexicon(language)


@lru_cache(maxsize=8192)
def _grams(word: str) -> frozenset[str]:
    """The runs of three letters of a word, its two ends marked: its stem weighs more than its ending."""
    marked = f"^{word}$"
    return frozenset(marked[at : at + GRAMS] for at in range(max(1, len(marked) - GRAMS + 1)))


def _sayable(words: tuple[str, ...], language: str) -> list[str]:
    """The words that the rules allow."""
    found = []
    for word in words:
        try:
            found.append(acceptable(word, language))
        except IllegalMove:
            continue
    return found


Scored: TypeAlias = tuple[float, str]

FAR_ENOUGH = 0.25
"""The margin over other pairs at which a word is good enough to say."""
TOO_HARD = 0.05
"""The margin of a pair's best word below which the pair is sent back."""
BETTER = 0.15
"""The weight of the better of two pictures, beside the worse."""
THOUGHT_OF = 80
"""How many words of other pictures are tried when those of the pair are not good enough."""
EVEN = 0.5
"""The share of right guesses below which keeping a pair is better than announcing it."""
TRUST = (3, 1)
"""The prior: right and wrong guesses that are counted before any was made."""
NEAR_BEST = 0.1
"""Words whose margin is this close to the best are said too."""


class Player(ABC):
    """What both bots share: the way from a prompt to a decision."""

    def choose(self, view: View, rng: Random) -> Move:
        entries = {entry["type"]: entry for entry in reversed(view["prompt"]["moves"])}
        match view["prompt"]["phase"]:
            case "select":
                return {
                    "type": "select",
                    "pair": self.selects(view, entries["select"]["pair"]["one_of"], rng),
                }
            case "propose":
                return self._propose(view, entries, rng)
            case "race":
                return self._race(view, entries, rng)
            case "swap":
                return PASS
        return {"type": "ready"}

    def _propose(self, view: View, entries: dict[str, Any], rng: Random) -> Move:
        """First guess the words of others, then say an own word or send the pair back."""
        hidden = [pair for pair in PAIRS if pair not in _known(view)]
        if "guess" in entries:
            number = entries["guess"]["token"]
            pair = self.understood(view, view["tokens"][number]["word"], hidden, rng)
            return {"type": "guess", "token": number, "pair": pair}
        number = entries["word"]["token"]
        token = view["tokens"][number]
        if "refuse" in entries and token["receiver"] == view["you"] and self.refuses(view, token["pair"]):
            return {"type": "refuse"}
        hidden.append(token["pair"])
        word = self.word(view, token["pair"], hidden, rng, void=token["voided"])
        return {"type": "word", "token": number, "word": word}

    def _race(self, view: View, entries: dict[str, Any], rng: Random) -> Move:
        """Answer a clue of others or give one, else stop or withdraw."""
        number = clue_to_answer(view)
        if number is not None:
            middle = view["middle"]
            pair = self.understood(view, view["clues"][number]["word"], middle, rng)
            return {"type": "answer", "clue": number, "pair": pair}
        if may_say(view):
            middle = entries["clue"]["pair"]["one_of"]
            pair = self.easiest(view, middle, rng)
            return {"type": "clue", "pair": pair, "word": self.word(view, pair, middle, rng)}
        return {"type": "stop"} if "stop" in entries else {"type": "withdraw"}

    def selects(self, view: View, hand: list[Pair], rng: Random) -> Pair:
        """The pair of the hand that the neighbour gets."""
        return rng.choice(hand)

    def refuses(self, view: View, pair: Pair) -> bool:
        """Whether to send that pair back."""
        return False

    def easiest(self, view: View, among: list[Pair], rng: Random) -> Pair:
        """The pair for which to say a word in a race."""
        return rng.choice(among)

    @abstractmethod
    def word(self, view: View, pair: Pair, among: list[Pair], rng: Random, *, void: str | None = None) -> str:
        """A word for a pair, to be told from the others; another than the one that was `void`."""

    @abstractmethod
    def understood(self, view: View, word: str, among: list[Pair], rng: Random) -> Pair:
        """The pair for which somebody said that word."""


class Easy(Player):
    """Says any word of one of the two pictures, and understands one picture only."""

    def word(self, view: View, pair: Pair, among: list[Pair], rng: Random, *, void: str | None = None) -> str:
        picture: int = view["pictures"][rng.choice(pair) - 1]
        return rng.choice(_others(_lexicon(view).sayable[picture], void))

    def understood(self, view: View, word: str, among: list[Pair], rng: Random) -> Pair:
        goes = _goes(view, word)
        best = max(range(1, 8), key=lambda place: (goes[place], rng.random()))
        return rng.choice([pair for pair in among if best in pair] or among)


class Strong(Player):
    """Says the word that fits its pair better than any other pair, and guesses the same way."""

    def word(self, view: View, pair: Pair, among: list[Pair], rng: Random, *, void: str | None = None) -> str:
        """One of the best words of the pair, or of others if none is good; after a void word a lesser one."""
        words = _lexicon(view).sayable
        own = _others([word for place in pair for word in words[view["pictures"][place - 1]]], void)
        found = _scored(view, own, pair, among)
        if max(found)[0] < FAR_ENOUGH:
            rest = _others([word for words_of_one in words for word in words_of_one], void)
            found += _scored(view, rng.sample(rest, THOUGHT_OF), pair, among)
        best = max(found)[0]
        good = {word for margin, word in found if margin >= best - NEAR_BEST}
        others = {word for margin, word in found if margin > 0} - good
        return rng.choice(sorted(others if void and others else good))

    def understood(self, view: View, word: str, among: list[Pair], rng: Random) -> Pair:
        goes = _goes(view, word)
        return max(among, key=lambda pair: (_points_to(goes, pair), rng.random()))

    def selects(self, view: View, hand: list[Pair], rng: Random) -> Pair:
        """The hardest pair that need not come back, as wrong guesses are the keeper's gain."""
        eases = [(_ease(view, pair, PAIRS), pair) for pair in hand]
        return min([each for each in eases if each[0] >= TOO_HARD] or eases)[1]

    def refuses(self, view: View, pair: Pair) -> bool:
        """Whether no word fits the pair, or this table mostly guesses wrong, so that keeping pays more."""
        return _ease(view, pair, PAIRS) < TOO_HARD or _understanding(view) < EVEN

    def easiest(self, view: View, among: list[Pair], rng: Random) -> Pair:
        """The easiest, but none that somebody else seems to have said a word for."""
        words = [clue["word"] for clue in view["clues"] if clue["open"] and clue["seat"] != view["you"]]
        taken = [self.understood(view, word, among, rng) for word in words]
        free = [pair for pair in among if pair not in taken] or among
        return max(free, key=lambda pair: (_ease(view, pair, among), rng.random()))


ABSENT = 0.25
"""How often the regular bot thinks of one picture only, as the easy one always does."""


class Regular(Strong):
    """Says and understands words as the strong bot does, but not always; passes on any pair and keeps none."""

    def word(self, view: View, pair: Pair, among: list[Pair], rng: Random, *, void: str | None = None) -> str:
        chosen = Easy if rng.random() < ABSENT else Strong
        return chosen().word(view, pair, among, rng, void=void)

    def understood(self, view: View, word: str, among: list[Pair], rng: Random) -> Pair:
        chosen = Easy if rng.random() < ABSENT else Strong
        return chosen().understood(view, word, among, rng)


BOTS: dict[str, type[Bot]] = {"easy": Easy, "regular": Regular, "strong": Strong}


def _lexicon(view: View) -> Lexicon:
    return lexicon(view["language"])


def _others(words: list[str], void: str | None) -> list[str]:
    """The words but the void one; all if there is no other."""
    return [word for word in words if void is None or folded(word) != folded(void)] or words


def _known(view: View) -> list[Pair]:
    """The pairs in play that the seat knows."""
    return [token["pair"] for token in view["tokens"] if "pair" in token]


def _understanding(view: View) -> float:
    """What share of the guesses of this round and the last were right, as far as they are revealed."""
    tokens = [*view["tokens"], *(view["last_round"] or {"tokens": []})["tokens"]]
    guesses = [
        guess == token["pair"]
        for token in tokens
        if token["revealed"]
        for guess in token["guesses"]
        if guess is not None
    ]
    right, wrong = TRUST
    return float(sum(guesses) + right) / (len(guesses) + right + wrong)


def _goes(view: View, word: str) -> dict[int, float]:
    """How well a word goes with the picture in each place."""
    affinities = _lexicon(view).affinities(word)
    return {place: affinities[picture] for place, picture in enumerate(view["pictures"], 1)}


def _points_to(goes: dict[int, float], pair: Pair) -> float:
    """How well a word fits a pair: mostly as well as it goes with the worse of its pictures."""
    one, other = goes[pair[0]], goes[pair[1]]
    return min(one, other) + BETTER * max(one, other)


def _scored(view: View, words: list[str], pair: Pair, among: list[Pair]) -> list[Scored]:
    """Each word with its margin: how much better it fits that pair than any of the others."""
    others = [other for other in among if other != pair]
    found = []
    for word in words:
        goes = _goes(view, word)
        best = max((_points_to(goes, other) for other in others), default=0.0)
        found.append((_points_to(goes, pair) - best, word))
    return found


def _ease(view: View, pair: Pair, among: list[Pair]) -> float:
    """The margin of the best word of a pair."""
    words = _lexicon(view).sayable
    own = [word for place in pair for word in words[view["pictures"][place - 1]]]
    return max(_scored(view, own, pair, among))[0]
