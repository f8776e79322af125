"""The sample game in words: what is answered by mail."""

from games.engine import Move, View
from games.engine.replies import Grammar, Names, Said, Words, phrases, vocabulary

MOVES = {"roll": phrases("roll", "lancer"), "play": phrases("play", "jouer")}


def read(words: Words, view: View, names: Names) -> Move | None:
    found = [kind for kind, known in MOVES.items() if words in known]
    return {"type": found[0]} if found else None


def say(view: View, names: Names) -> Said:
    return {"en": ["roll", "play"], "fr": ["lancer", "jouer"]}


GRAMMAR = Grammar(read=read, say=say, words=vocabulary(*MOVES.values()))
