"""How well a word goes with each picture, for the bots: by their lists, and by words that look alike."""

from collections import defaultdict
from functools import cache, lru_cache
from typing import TypeAlias

from games.engine import IllegalMove
from games.rules.yesss.pictures import names_of, words_of
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
