"""The grammars of replies: every example is a legal move, nothing else is taken for one."""

from random import Random

import pytest

from games.engine import SeededChance, permits
from games.engine.replies import understand, words_of
from games.rules import games, get_game, grammar
from tests.rules.playing import random_step

NAMES = ["Ana", "Bob", "Jean-Luc", "Dörte", "Éva", "Fay", "Gil"]
NO_ANSWERS = (
    *("", "   ", "?", "!!!", "👍", "…", "maybe", "peut-être", "I don't know", "je ne sais pas", "what is this?"),
    *("Thanks!", "Merci", "Hello,", "Bonjour", "ok", "OK", "d’accord", "you too", "see you tomorrow", "à demain"),
    *("believe or doubt", "believe?", "doubt?", "not believe", "roll and keep", "unsubscribe", "STOP spam", "0x10"),
    *("верю", "верно", "믿어요", "I would like to believe it", "I am out of office", "Je suis absent du bureau"),
    *("keep", "write", "bid", "guess", "garder", "écrire", "miser", "lancer en", "deviner", "buy", "swap"),
    *("keep 7", "keep 0", "write 999", "bid -5", "bid 1e6", "throw Z9", "throw D44", "guess 1", "guess 8 9", "keep -6"),
    *("Envoyé de mon iPhone", "Sent from my phone", "> believe", "I think we should talk about the weather"),
)


def moments(slug: str, seed: int, steps: int = 150):
    """Yield (state, seat) for every seat that is asked, in a match played at random."""
    game, rng = get_game(slug), Random(seed)
    chance = SeededChance(bytes([seed]))
    seats = max(game.min_seats, min(3, game.max_seats))
    options = {"mode": "cooperative", "minutes": 0} if game.together and seed % 2 else {}
    state = game.setup(seats=seats, options=options, chance=chance)
    for _ in range(steps):
        owing = game.to_move(state)
        if not owing:
            return
        for seat in owing:
            yield game, state, seat
        _move, state, *_ = random_step(game, state, rng.choice(owing), rng, chance)


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
def test_every_game_can_be_answered_and_its_examples_are_legal(slug):
    known, seen, silent = grammar(slug), 0, 0
    assert known is not None
    for seed in range(6):
        for game, state, seat in moments(slug, seed):
            view = game.view(state, seat)
            said = known.say(view, NAMES)
            assert said.keys() == {"en", "fr"}
            assert len(said["en"]) == len(said["fr"])
            silent += not said["en"]
            for phrase in (*said["en"], *said["fr"]):
                move = understand(known, phrase, view, NAMES)
                assert move is not None, (phrase, view["prompt"])
                assert permits(view["prompt"], move), (phrase, move, view["prompt"])
                for spelling in (phrase.upper(), f"  {phrase} !", f"{phrase}.", f"Hello,\n\n{phrase}\n\nThanks\nAna"):
                    again = understand(known, spelling, view, NAMES)
                    assert again == move or "word" in move, (spelling, move)
                seen += 1
    assert seen > 100
    assert silent < seen / 20


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
def test_what_is_no_answer_is_none(slug):
    known = grammar(slug)
    for seed in range(4):
        for game, state, seat in moments(slug, seed):
            view = game.view(state, seat)
            for text in NO_ANSWERS:
                move = understand(known, text, view, NAMES)  # what the rules refuse is told in their words
                assert move is None or not permits(view["prompt"], move), (text, view["phase"])


@pytest.mark.parametrize("slug", games())
def test_a_second_line_that_may_take_the_first_back_makes_it_none(slug):
    known = grammar(slug)
    for game, state, seat in moments(slug, 1, steps=40):
        view = game.view(state, seat)
        for phrase in known.say(view, NAMES)["en"]:
            for more in ("no, wait", "non, attends", "6 6", "or not?", "actually the other one"):
                assert understand(known, f"{phrase}\n{more}", view, NAMES) is None


def test_courtesies_are_not_read():
    assert words_of("Bonjour, j’y crois, s’il te plaît !") == ("y", "crois")
    assert words_of("bid 30\u202f000, 2 spaces") == ("bid", "30000", "2", "spaces")
    assert words_of("E\u0301cris GARDE\u0301") == ("ecris", "garde")
