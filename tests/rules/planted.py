"""Changes planted in the record of a match: what a cheating site or player might try, each by its name."""

import copy
from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random
from typing import Any

Record = dict[str, Any]


def planted(record: Record, rng: Random) -> Iterator[tuple[str, Record]]:
    """Yield forty changed copies of a record of `club-y/2`, as a site's signature would be found beside them."""
    for name, change in CHANGES.items():
        for _ in range(HOW_OFTEN.get(name, 1)):
            changed = copy.deepcopy(record)
            change(changed, rng)
            assert changed != record, name
            yield name, changed


def drawn(record: Record, rng: Random) -> dict[str, Any]:
    """Return one of the moves that drew something."""
    return rng.choice([move for move in record["moves"] if any(draw for draw in move["draws"])])


def a_draw(record: Record, rng: Random) -> None:
    draw = rng.choice([one for one in drawn(record, rng)["draws"] if one])
    place = rng.randrange(len(draw))
    draw[place] = draw[place] + 1 if draw[place] < 3 else draw[place] - 1


def an_order_of_numbers(record: Record, rng: Random) -> None:
    move = rng.choice([one for one in _all_drawn(record) if any(len(set(draw)) > 1 for draw in one)])
    draw = rng.choice([one for one in move if len(set(one)) > 1])
    before = list(draw)
    while draw == before:
        rng.shuffle(draw)


def _all_drawn(record: Record) -> list[list[list[int]]]:
    return [record["setup_draws"], *(move["draws"] for move in record["moves"])]


def an_order_of_moves(record: Record, rng: Random) -> None:
    moves = record["moves"]
    place = rng.choice([n for n in range(len(moves) - 1) if moves[n] | {"n": 0} != moves[n + 1] | {"n": 0}])
    moves[place], moves[place + 1] = moves[place + 1] | {"n": place + 1}, moves[place] | {"n": place + 2}


def a_draw_more(record: Record, rng: Random) -> None:
    move = drawn(record, rng)
    move["draws"].append(list(move["draws"][-1]))


def a_draw_less(record: Record, rng: Random) -> None:
    move = drawn(record, rng)
    move["draws"].pop()
    move["kinds"].pop()


def a_kind(record: Record, rng: Random) -> None:
    move = drawn(record, rng)
    move["kinds"][0] = "roll 1 9"


def the_seed(record: Record, rng: Random) -> None:
    record["seed"] = rng.randbytes(32).hex()


def the_seed_and_its_commitment(record: Record, rng: Random) -> None:
    the_seed(record, rng)
    record["commitment"] = sha256(bytes.fromhex(record["seed"])).hexdigest()


def the_commitment(record: Record, rng: Random) -> None:
    record["commitment"] = rng.randbytes(32).hex()


def a_nonce(record: Record, rng: Random) -> None:
    record["nonces"][rng.randrange(record["seats"])] = rng.randbytes(16).hex()


def a_seal(record: Record, rng: Random) -> None:
    record["seals"][rng.randrange(record["seats"])] = rng.randbytes(32).hex()


def the_start(record: Record, rng: Random) -> None:
    record["entry"] = rng.randbytes(32).hex()


def an_opening(record: Record, rng: Random) -> None:
    rng.choice(record["openings"])["nonce"] = rng.randbytes(16).hex()


def when_it_was_opened(record: Record, rng: Random) -> None:
    rng.choice(record["openings"])["after"] += 1


def an_opening_less(record: Record, rng: Random) -> None:
    record["openings"].pop(rng.randrange(len(record["openings"])))


def a_move(record: Record, rng: Random) -> None:
    moves = record["moves"]
    place = rng.randrange(len(moves))
    other = rng.choice([one["move"] for one in moves if one["move"] != moves[place]["move"]])
    moves[place]["move"] = other


def a_move_less(record: Record, rng: Random) -> None:
    record["moves"].pop()


def a_seat(record: Record, rng: Random) -> None:
    move = rng.choice(record["moves"])
    move["seat"] = ((move["seat"] or 0) + 1) % record["seats"]


def the_outcome(record: Record, rng: Random) -> None:
    ranks = record["outcome"]["ranks"]
    record["outcome"]["ranks"] = [rank % len(ranks) + 1 for rank in ranks] if len(ranks) > 1 else [2]


def a_time(record: Record, rng: Random) -> None:
    rng.choice(record["moves"])["at"] += rng.choice((-1, 1))


def an_option(record: Record, rng: Random) -> None:
    record["options"] = {**record["options"], "planted": True}


def whether_it_counts(record: Record, rng: Random) -> None:
    record["voided"] = not record["voided"]


def which_match(record: Record, rng: Random) -> None:
    record["match"] += "2/"


def a_reseed_more(record: Record, rng: Random) -> None:
    record["reseeds"].insert(0, {"after": 1, "times": 1, "seed": rng.randbytes(32).hex()})


def a_reseed_less(record: Record, rng: Random) -> None:
    record["reseeds"].pop()


def where_it_was_restored(record: Record, rng: Random) -> None:
    record["reseeds"][0]["after"] -= 1


def how_often_it_was_restored(record: Record, rng: Random) -> None:
    record["reseeds"][0]["times"] += 1


def two_reseeds_at_one_place(record: Record, rng: Random) -> None:
    record["reseeds"].insert(0, dict(record["reseeds"][0]))


def a_reseed_after_the_last_move(record: Record, rng: Random) -> None:
    record["reseeds"].append({"after": len(record["moves"]), "times": 1, "seed": rng.randbytes(32).hex()})


def a_draw_said_to_be_prepared(record: Record, rng: Random) -> None:
    move = drawn(record, rng)
    record["prepared"] = [[move["n"], 0]]


CHANGES: dict[str, Callable[[Record, Random], None]] = {
    change.__name__: change
    for change in (
        a_draw, an_order_of_numbers, an_order_of_moves, a_draw_more, a_draw_less, a_kind, the_seed,
        the_seed_and_its_commitment, the_commitment, a_nonce, a_seal, the_start, an_opening, when_it_was_opened,
        an_opening_less, a_move, a_move_less, a_seat, the_outcome, a_time, an_option, whether_it_counts, which_match,
        a_reseed_more, a_reseed_less, where_it_was_restored, how_often_it_was_restored, two_reseeds_at_one_place,
        a_reseed_after_the_last_move, a_draw_said_to_be_prepared,
    )
}  # fmt: skip
HOW_OFTEN = {"a_draw": 4, "a_move": 3, "a_time": 3, "an_order_of_moves": 2, "a_seat": 2, "an_order_of_numbers": 2}
EACH = sum(HOW_OFTEN.get(name, 1) for name in CHANGES)
