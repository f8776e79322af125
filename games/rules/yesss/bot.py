"""How well a word goes with each picture, for the bots: by their lists, and by words that look alike."""

from abc import ABC, abstractmethod
from collections import defaultdict
from functools import cache, lru_cache
from random import Random
from typing import Any, TypeAlias

from games.engine import PASS, Bot, IllegalMove, Move, View
from games.rules.yesss.data import PAIRS, Pair, names_of, words_of
from games.rules.yesss.wording import acceptable, folded

Affinities: TypeAlias = tuple[float, ...]

ALIKE_FROM = 0.45
"""Words less alike than this, from 0 to 1, have nothing to do with each other."""
AS_GOOD_AS = 0.8
"""What a word that merely looks like another one counts of it."""
AT_SECOND_HAND = 0.5
"""What a word counts for a picture that has much in common with one it goes with."""
COMMON = 2.0
"""So many words in common make two pictures half alike."""
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
        """How alike each two pictures are, from 0 to 1, by the words they share; rare words count more."""
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
        """The known words that this one is or looks like, each with what it counts."""
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
    """Those of the words that the rules let one say."""
    found = []
    for word in words:
        try:
            found.append(acceptable(word, language))
        except IllegalMove:
            continue
    return found


Scored: TypeAlias = tuple[float, str]

FAR_ENOUGH = 0.25
"""A word that points to its pair by so much more than to any other is good enough to say."""
TOO_HARD = 0.05
"""A pair whose best word points to it by less is sent back."""
BETTER = 0.15
"""What it counts how well a word goes with the better of two pictures, beside the worse."""
THOUGHT_OF = 80
"""So many words of other pictures are thought of when those of the pair do not do."""
EVEN = 0.5
"""Where fewer guesses are right, a pair is better kept than announced."""
TRUST = (3, 1)
"""How many right and wrong guesses a table is credited with before anything was guessed."""
NEAR_BEST = 0.1
"""Words that point to their pair by nearly as much are said too."""


class Player(ABC):
    """What the bots share: which decision is asked of them."""

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
        """Guess what others said, then say one's own word, or send the pair back."""
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
        word = self.word(view, token["pair"], hidden, rng, again=token["voids"] > 0)
        return {"type": "word", "token": number, "word": word}

    def _race(self, view: View, entries: dict[str, Any], rng: Random) -> Move:
        """Answer what others said; else say a word; else there is nothing more to be done alone."""
        if "answer" in entries:
            number, middle = entries["answer"]["clue"], entries["answer"]["pair"]["one_of"]
            pair = self.understood(view, view["clues"][number]["word"], middle, rng)
            return {"type": "answer", "clue": number, "pair": pair}
        if "clue" in entries and len(view["stopped"]) < view["seats"] - 1:
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
    def word(self, view: View, pair: Pair, among: list[Pair], rng: Random, *, again: bool = False) -> str:
        """A word for a pair, to be told from the others; `again` after one that was void."""

    @abstractmethod
    def understood(self, view: View, word: str, among: list[Pair], rng: Random) -> Pair:
        """The pair for which somebody said that word."""


class Easy(Player):
    """Says whatever comes to mind with one of the two pictures, and listens for one picture only."""

    def word(self, view: View, pair: Pair, among: list[Pair], rng: Random, *, again: bool = False) -> str:
        picture: int = view["pictures"][rng.choice(pair) - 1]
        return rng.choice(_lexicon(view).sayable[picture])

    def understood(self, view: View, word: str, among: list[Pair], rng: Random) -> Pair:
        goes = _goes(view, word)
        best = max(range(1, 8), key=lambda place: (goes[place], rng.random()))
        return rng.choice([pair for pair in among if best in pair] or among)


class Strong(Player):
    """Says the word that two pictures share and no other pair as much, and guesses by the same."""

    def word(self, view: View, pair: Pair, among: list[Pair], rng: Random, *, again: bool = False) -> str:
        """One of the words of the pair that point to it best; if none does, of all words it thinks of.

        After a void word, which no view holds any more, one of the others.
        """
        words = _lexicon(view).sayable
        own = [word for place in pair for word in words[view["pictures"][place - 1]]]
        found = _scored(view, own, pair, among)
        if max(found)[0] < FAR_ENOUGH:
            rest = [word for words_of_one in words for word in words_of_one]
            found += _scored(view, rng.sample(rest, THOUGHT_OF), pair, among)
        best = max(found)[0]
        good = {word for margin, word in found if margin >= best - NEAR_BEST}
        others = {word for margin, word in found if margin > 0} - good
        return rng.choice(sorted(others if again and others else good))

    def understood(self, view: View, word: str, among: list[Pair], rng: Random) -> Pair:
        goes = _goes(view, word)
        return max(among, key=lambda pair: (_points_to(goes, pair), rng.random()))

    def selects(self, view: View, hand: list[Pair], rng: Random) -> Pair:
        """The hardest that need not come back: what is guessed wrong is the keeper's gain."""
        eases = [(_ease(view, pair, PAIRS), pair) for pair in hand]
        return min([each for each in eases if each[0] >= TOO_HARD] or eases)[1]

    def refuses(self, view: View, pair: Pair) -> bool:
        """Whether no word points to it, or this table rather guesses wrong: then keeping pays more."""
        return _ease(view, pair, PAIRS) < TOO_HARD or _understanding(view) < EVEN

    def easiest(self, view: View, among: list[Pair], rng: Random) -> Pair:
        return max(among, key=lambda pair: (_ease(view, pair, among), rng.random()))


BOTS: dict[str, type[Bot]] = {"easy": Easy, "strong": Strong}


def _lexicon(view: View) -> Lexicon:
    return lexicon(view["language"])


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
    """How much a word points to a pair: as well as it goes with the worse of its pictures, mostly."""
    one, other = goes[pair[0]], goes[pair[1]]
    return min(one, other) + BETTER * max(one, other)


def _scored(view: View, words: list[str], pair: Pair, among: list[Pair]) -> list[Scored]:
    """By how much more each word points to that pair than to any of the others."""
    others = [other for other in among if other != pair]
    found = []
    for word in words:
        goes = _goes(view, word)
        best = max((_points_to(goes, other) for other in others), default=0.0)
        found.append((_points_to(goes, pair) - best, word))
    return found


def _ease(view: View, pair: Pair, among: list[Pair]) -> float:
    """By how much the best word of a pair's pictures points to it."""
    words = _lexicon(view).sayable
    own = [word for place in pair for word in words[view["pictures"][place - 1]]]
    return max(_scored(view, own, pair, among))[0]
