"""Matches of YESSS! at its telling moments, as the first of the people sees them."""

from collections.abc import Callable
from random import Random

from accounts.models import User
from games.models import Match
from games.queries.play import match_row, seats_of
from tests.pictures.tables import submit, table

There = Callable[[Match, dict], bool]


def view_of(match: Match, number: int) -> dict:
    return match.game.view(match.game.load(bytes(match.state or b"")), number)


def play_until(match: Match, there: There, rng: Random, *, hold: str = "") -> Match:
    """Let minds play in any order until the moment is there; the first seat waits in the phase to hold."""
    for number in range(2000):
        match = match_row(match.pk)
        if match.status == Match.Status.ENDED:
            break
        view = view_of(match, 0)
        if there(match, view):
            break
        asked = [seat for seat in seats_of(match) if seat.ask is not None]
        free = [seat for seat in asked if seat.number or view["phase"] != hold]
        if not free:
            break
        seat = rng.choice(free)
        level = "easy" if seat.number == 1 else "strong"
        move = match.game.bot(level).choose(view_of(match, seat.number), rng)
        submit(match, seat, move, f"y{match.turns}-{number}")
    return match


def open_words(view: dict) -> int:
    """Return how many words the first seat could guess."""
    moves = view["prompt"]["moves"] if view["prompt"] else []
    return sum(move["type"] == "guess" for move in moves)


def act(match: Match, number: int, move: dict) -> Match:
    match = match_row(match.pk)
    seat = next(seat for seat in seats_of(match) if seat.number == number)
    submit(match, seat, move, f"a{match.turns}")
    return match_row(match.pk)


def contests(people: list[User], language: str, rng: Random) -> dict[str, int]:
    def new(size: int, **more) -> Match:
        return table(people[:size], "yesss", language=language, **more)

    def later(least: int, phase: str, more: Callable[[dict], bool] = lambda view: True) -> There:
        return lambda match, view: match.turns > least and view["phase"] == phase and more(view)

    choose = play_until(new(5), later(20, "select", lambda v: v["round"] == 2), rng)
    guess = play_until(new(5), later(0, "propose", lambda v: open_words(v) > 2), rng, hold="propose")
    seven = play_until(new(6, rounds=2), later(0, "propose", lambda v: open_words(v) > 3), rng, hold="propose")
    mixed = play_until(
        new(4), later(0, "propose", lambda v: any(t["revealed"] for t in v["tokens"]) and v["prompt"]), rng
    )
    swap = play_until(new(4), later(0, "swap", lambda v: v["prompt"]), rng)
    ended = play_until(new(4, rounds=2), lambda *now: False, rng)
    return {
        "yesss_choose": choose.pk,
        "yesss_guess": guess.pk,
        "yesss_seven": seven.pk,
        "yesss_mixed": mixed.pk,
        "yesss_swap": swap.pk,
        "yesss_ended": ended.pk,
    }


def races(people: list[User], language: str, rng: Random) -> dict[str, int]:
    def new(size: int, minutes: int) -> Match:
        return table(people[:size], "yesss", mode="cooperative", language=language, minutes=minutes)

    ready = act(new(4, 3), 1, {"type": "ready"})
    race = new(6, 5)
    for number in range(6):
        race = act(race, number, {"type": "ready"})
    race = play_until(race, lambda match, view: match.turns > 30, rng)
    words = {
        "en": ("midnight", "Venice", "sparkle", "kitchen"),
        "fr": ("minuit", "Venise", "briller", "frigo"),
    }
    for number, word in enumerate(words[language], 1):
        view = view_of(race, number)
        if any(clue["open"] and clue["seat"] == number for clue in view["clues"]):
            race = act(race, number, {"type": "withdraw"})
        race = act(race, number, {"type": "clue", "pair": view["middle"][number], "word": word})
    slow = play_until(new(3, 0), lambda match, view: match.turns > 9, rng)
    ended = play_until(new(3, 0), lambda *now: False, rng)
    return {
        "yesss_ready": ready.pk,
        "yesss_race": race.pk,
        "yesss_slow": slow.pk,
        "yesss_together": ended.pk,
    }


def yesss(people: list[User], language: str, rng: Random) -> dict[str, int]:
    """Return matches in both modes."""
    return contests(people, language, rng) | races(people, language, rng)
