"""The bots of YAY! and the exact odds of three dice."""

from collections import Counter
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple, TypeAlias

from games.engine import Bot, Move, View
from games.rules.yay.board import CELL, SPREAD, Board, Cell, Point, beside, board_seen, covered, edge, middle
from games.rules.yay.moves import in_cell, throw_at

FACES = tuple(product(range(1, 7), repeat=3))
"""The 216 throws of three dice."""
SUMS = Counter(sum(faces) for faces in FACES)
"""Each sum of three dice, with the number of throws that give it."""


def ways_to_beat(total: int) -> int:
    """How many of the 216 throws of three dice sum to more than `total`."""
    return sum(ways for reached, ways in SUMS.items() if reached > total)


def chance_to_beat(total: int) -> float:
    """The chance, from 0 to 1, that three dice which all stay on the board sum to more than `total`."""
    return ways_to_beat(total) / len(FACES)


HIT = 0.5
"""The probability that another seat ever reaches a given free cell beside a number."""
SPOILED = 0.9
"""The worth of crossing out a number of the only other seat."""
TEMPO = 0.35
"""The worth of bringing the end one cell nearer when ahead; the cost when behind."""
NEAR = 5
"""How many cells before the end that begins to count."""
END = 50.0
"""The worth of ending the match as its winner."""
ROUNDS = ((1000, 8), (24, 32), (6, 120))
"""(aims, throws): so many aims are judged by so many throws each; the best go on to the next round."""
BELL = SPREAD * 3**0.5
"""The sum of four uniform numbers, less 2, times this has the spread of a die."""

Sample: TypeAlias = tuple[tuple[float, float, int], ...]
"""For each die its offset from the aim, across and down, and its face."""
Ranking: TypeAlias = list[tuple[int, float]]
"""Every free cell as a bit, with what it gains, the best first."""


class Worth(NamedTuple):
    """What a free cell is worth: to write any number above `barred` in it, and to lock it."""

    barred: int
    write: float
    lock: float
    open: int


class Outlook:
    """The bot's evaluation of a position for one seat."""

    def __init__(self, board: Board, seat: int, seats: int) -> None:
        self.board, self.seat = board, seat
        self.numbers = [board.valid(number) for number in range(seats)]
        self.own = self.numbers[seat]
        self.free = board.free()
        self.open = {
            cell: sum(board.at(near) is None for near in beside(cell, board.size)) for cell, _ in board.cells()
        }
        self.tempo = cells_to_end(board)
        self.worth = {cell: self._worth(cell) for cell in self.free}
        self.penalty = min((self._kept(cell) for cell in self.own), default=0.0)

    def cheapest_own(self) -> Cell:
        """The own number that is worth least."""
        return min(self.own, key=lambda cell: (self._kept(cell), self.own[cell]))

    def gain(self, kind: str, cell: Cell, total: int) -> float:
        """What it brings to write that sum in a cell, or to lock it."""
        worth = self.worth[cell]
        return worth.write + safety(total, worth.open) if kind == "write" else worth.lock

    def best_aim(self, rng: Random, above: int = 0) -> tuple[Point, float]:
        """The best aim and its expected gain, for a throw that must sum to more than `above`."""
        chance, cost = chance_to_beat(above), self.penalty if above else 0.0
        samples = _samples(rng, above)
        ranking = [self._ranking(total) for total in range(max(SUMS) + 1)]
        aims = _aims(self.board.size)
        hoped = 0.0
        for keep, number in ROUNDS:
            judged = [(self._mean(aim, samples[:number], ranking, above), aim) for aim in aims[:keep]]
            judged.sort(reverse=True)
            hoped, aims = judged[0][0], [aim for _, aim in judged]
        return aims[0], chance * hoped - (1 - chance) * cost

    def hoped(self, aim: Point, above: int = 0) -> float:
        """The expected gain of a throw at that aim, by the same sampled throws for all aims."""
        chance, cost = chance_to_beat(above), self.penalty if above else 0.0
        ranking = [self._ranking(total) for total in range(max(SUMS) + 1)]
        return chance * self._mean(aim, _samples(Random(0), above), ranking, above) - (1 - chance) * cost

    def kept(self, cell: Cell) -> float:
        """How likely an own number is to last."""
        return self._kept(cell)

    def _mean(self, aim: Point, samples: list[Sample], ranking: list[Ranking], above: int) -> float:
        """The mean gain of those throws at that aim."""
        cols, rows = _bits(self.board.size)
        limit = edge(self.board.size)
        free = self._mask(self.free)
        whole = 0.0
        for sample in samples:
            total = mask = 0
            for dx, dy, face in sample:
                x, y = int(aim[0] + dx), int(aim[1] + dy)
                if 0 <= x < limit and 0 <= y < limit:
                    total += face
                    mask |= cols[x] * rows[y]
            if total <= above:
                whole -= self.penalty
            elif mask & free:
                whole += next(gain for bit, gain in ranking[total] if bit & mask)
        return whole / len(samples)

    def _ranking(self, total: int) -> Ranking:
        """Every free cell as a bit with its gain, the best first, those to lock after those to write in."""
        write = [(self.gain("write", c, total), c) for c, worth in self.worth.items() if worth.barred < total]
        lock = [(worth.lock, c) for c, worth in self.worth.items() if worth.barred >= total]
        ordered = sorted(write, reverse=True) + sorted(lock, reverse=True)
        return [(self._mask([cell]), gain) for gain, cell in ordered]

    def _mask(self, cells: list[Cell]) -> int:
        return sum(1 << (row * self.board.size + col) for row, col in cells)

    def _worth(self, cell: Cell) -> Worth:
        barred, spoiled, kept, aided, crossed = 0, 0.0, 0.0, 0.0, [0] * len(self.numbers)
        share = SPOILED / (len(self.numbers) - 1)
        for near in beside(cell, self.board.size):
            mark = self.board.at(near)
            if mark is None or mark.owner is None or not mark.valid:
                continue
            freed = safety(mark.value, self.open[near] - 1) - self._kept(near)
            if mark.owner == self.seat:
                kept += freed
            else:
                barred = max(barred, mark.value)
                crossed[mark.owner] += 1
                spoiled += share * (1 + self._kept(near)) / 2
                aided += share * freed
        write = spoiled + kept + self._ending(cell, 1, crossed)
        lock = kept - aided + self._ending(cell, 0, [0] * len(crossed))
        return Worth(barred, write, lock, self.open[cell])

    def _ending(self, cell: Cell, gained: int, crossed: list[int]) -> float:
        """The gain from the end being nearer, or reached, with that cell filled."""
        before, after = self.tempo
        left = after[cell]
        if left > NEAR:
            return 0.0
        standing = [(len(own) - lost, sum(own.values())) for own, lost in zip(self.numbers, crossed, strict=True)]
        mine = (standing[self.seat][0] + gained, standing[self.seat][1])
        ahead = mine > max(other for seat, other in enumerate(standing) if seat != self.seat)
        worth = END if left == 0 else TEMPO * (before - left)
        return worth if ahead else -worth

    def _kept(self, cell: Cell) -> float:
        """How likely the valid number of a cell is to last."""
        mark = self.board.at(cell)
        return safety(mark.value, self.open[cell]) if mark else 0.0


@cache
def safety(value: int, opened: int) -> float:
    """How likely a number is to last with so many free cells beside it."""
    reached: float = (1 - HIT * chance_to_beat(value)) ** opened
    return reached


def cells_to_end(board: Board) -> tuple[int, dict[Cell, int]]:
    """How many cells at least are to be filled before the match ends: now, and after each free cell."""
    size = board.size
    free = set(board.free())
    rows = [sum((row, col) in free for col in range(size)) for row in range(size)]
    cols = [sum((row, col) in free for row in range(size)) for col in range(size)]
    lines = {(row, col): rows[row] + cols[col] - ((row, col) in free) for row, col in product(range(size), repeat=2)}
    now = min(lines.values())
    nearest = [line for line, left in lines.items() if left == now]
    return now, {(r, c): now - any(row == r or col == c for row, col in nearest) for r, c in free}


@cache
def _bits(size: int) -> tuple[list[int], list[int]]:
    """For each x the columns, for each y the rows that a die there touches, as bits; the product: cells."""
    cols = [sum(1 << col for col in covered(x, size)) for x in range(edge(size))]
    rows = [sum(1 << (row * size) for row in covered(y, size)) for y in range(edge(size))]
    return cols, rows


@cache
def _aims(size: int) -> list[Point]:
    """The middles and the inner corners of the cells."""
    middles = range(CELL // 2, edge(size), CELL)
    corners = range(CELL, edge(size), CELL)
    return [(x, y) for line in (middles, corners) for x, y in product(line, line)]


def _samples(rng: Random, above: int) -> list[Sample]:
    """Sampled throws that sum to more than `above` if all dice stay on the board."""
    beating = [faces for faces in FACES if sum(faces) > above]
    return [tuple((_bell(rng), _bell(rng), face) for face in rng.choice(beating)) for _ in range(ROUNDS[-1][1])]


def _bell(rng: Random) -> float:
    return (rng.random() + rng.random() + rng.random() + rng.random() - 2) * BELL


class Cells(Outlook):
    """What a position is worth in cells alone, however near the end is."""

    def _ending(self, cell: Cell, gained: int, crossed: list[int]) -> float:
        return 0.0


def worth(view: View, move: Move) -> float | None:
    """The cells that a move is expected to bring or keep; None where nothing beats the throw that it would replace."""
    outlook = Cells(board_seen(view["grid"]), view["you"], view["seats"])
    total = view["throws"][-1]["sum"] if view["throws"] else 0
    if move["type"] == "throw":
        return outlook.hoped((move["x"], move["y"]), total) if ways_to_beat(total) else None
    cell = move["row"], move["col"]
    if move["type"] == "cross":
        return -outlook.kept(cell)
    return outlook.gain(move["type"], cell, total)


class Easy:
    """Aims at the roomiest cell, writes in the first possible cell, and never throws again."""

    def choose(self, view: View, rng: Random) -> Move:
        if view["phase"] == "throw":
            return throw_at(*middle(board_seen(view["grid"]).roomiest()))
        if view["phase"] == "cross":
            own = board_seen(view["grid"]).valid(view["you"])
            return in_cell("cross", min(own, key=lambda cell: own[cell]))
        if view["enterable"]:
            return in_cell("write", view["enterable"][0])
        return in_cell("lock", view["touched"][0])


class Strong:
    """Aims by the mean gain of sampled throws, and throws again when that is worth the risk."""

    def choose(self, view: View, rng: Random) -> Move:
        outlook = Outlook(board_seen(view["grid"]), view["you"], view["seats"])
        if view["phase"] == "throw":
            return throw_at(*outlook.best_aim(rng)[0])
        if view["phase"] == "cross":
            return in_cell("cross", outlook.cheapest_own())
        return self._decide(view, outlook, rng)

    def _decide(self, view: View, outlook: Outlook, rng: Random) -> Move:
        total = view["throws"][-1]["sum"]
        gain, kind, cell = self._best_cell(view, outlook)
        if view["first_turns"][view["you"]] and ways_to_beat(total):
            aim, hoped = outlook.best_aim(rng, above=total)
            if hoped > gain:
                return throw_at(*aim)
        return in_cell(kind, cell)

    def _best_cell(self, view: View, outlook: Outlook) -> tuple[float, str, Cell]:
        """What the best cell of the throw gains, what is done in it, and which it is."""
        kind = "write" if view["enterable"] else "lock"
        cells = [(row, col) for row, col in view["enterable"] or view["touched"]]
        total = view["throws"][-1]["sum"]
        gain, cell = max((outlook.gain(kind, cell, total), cell) for cell in cells)
        return gain, kind, cell


class Regular(Strong):
    """Aims at the roomiest cell as the easy bot does, decides as the strong one, and never throws again."""

    def choose(self, view: View, rng: Random) -> Move:
        return Easy().choose(view, rng) if view["phase"] == "throw" else super().choose(view, rng)

    def _decide(self, view: View, outlook: Outlook, rng: Random) -> Move:
        _gain, kind, cell = self._best_cell(view, outlook)
        return in_cell(kind, cell)


BOTS: dict[str, type[Bot]] = {"easy": Easy, "regular": Regular, "strong": Strong}
