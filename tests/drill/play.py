"""Twenty members at their tables, and what they saw of the site while something was wrong with it."""

import asyncio
import time
from concurrent.futures import Future
from contextlib import suppress
from random import Random
from threading import Thread

from accounts.models import User
from games.models import Match
from games.services.lobby import opening
from tests.drill.house import House
from tests.drill.members import Member, seats_of
from tests.faults.ledger import Ledger

# Game, seats, tables, matches that those at a table have at hand, how much time a move has.
TABLES = (
    ("yum-extra", 2, 4, 5, "3d"),
    ("yam-menteur", 3, 2, 5, "3d"),
    ("yay", 2, 1, 8, "7d"),
    ("sample-game", 2, 2, 40, "1d"),
)
ANSWER_SECONDS = 60  # at the end of a drill, within which every move under way has to be answered


def person(name: str) -> User:
    """Return a member with an address in a domain of their own."""
    return User.objects.create_user(name, f"{name}@{name}.example", vacation_by_itself=False)


def tables(house: House, ledger: Ledger, rng: Random) -> list[Member]:
    """Return twenty members with matches to play."""
    found = []
    for slug, size, count, spare, pace in TABLES:
        for number in range(count):
            people = [person(f"{slug[:3]}{number}{letter}") for letter in "abc"[:size]]
            found += seated(house, ledger, rng, [running(people, slug, pace) for _ in range(spare)])
    return found


def running(people: list[User], slug: str, pace: str) -> Match:
    match = opening.create_match(creator=people[0], game_slug=slug, size=len(people), pace=pace)
    for other in people[1:]:
        opening.join(match_id=match.pk, user=other)
    match.refresh_from_db()
    return match


def seated(house: House, ledger: Ledger, rng: Random, matches: list[Match]) -> list[Member]:
    """Return the members of these matches, all of the same people, each with a browser."""
    seats: dict[User, dict[int, int]] = {}
    for match in matches:
        for user, number in seats_of(match):
            seats.setdefault(user, {})[match.pk] = number
    return [Member(house, user, own, ledger, Random(rng.random())) for user, own in seats.items()]


class Play:
    """All members at play, in a thread of its own, from `with` to its end, when every move is answered."""

    def __init__(self, members: list[Member]) -> None:
        self.members, self.failed = members, []
        self.later: list[Future[None]] = []
        self.began = self.ended = time.monotonic()

    def __enter__(self) -> "Play":
        for member in self.members:
            member.answers.clear()
            member.codes.clear()
            member.lines.clear()
        self.thread = Thread(target=lambda: asyncio.run(self._play()))
        self.began = time.monotonic()
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(RuntimeError):  # the loop has ended, as all have failed
            self.loop.call_soon_threadsafe(self.stop.set)
        self.thread.join(ANSWER_SECONDS)
        if self.thread.is_alive():
            for one in asyncio.all_tasks(self.loop):
                self.loop.call_soon_threadsafe(one.cancel)
            self.thread.join()
            raise AssertionError(f"a move was not answered within {ANSWER_SECONDS} s; by status: {self.codes()}")
        self.ended = time.monotonic()

    def join(self, members: list[Member]) -> None:
        """Let more members play until the end."""
        self.members = [*self.members, *members]
        for member in members:
            self.later.append(asyncio.run_coroutine_threadsafe(member.play(self.stop), self.loop))

    async def _play(self) -> None:
        self.loop, self.stop = asyncio.get_running_loop(), asyncio.Event()
        results = await asyncio.gather(*(member.play(self.stop) for member in self.members), return_exceptions=True)
        more = [asyncio.wrap_future(one) for one in self.later]
        results += await asyncio.gather(*more, return_exceptions=True)
        self.failed = [result for result in results if isinstance(result, BaseException)]

    def for_one(self) -> float:
        """Return the longest that one member went without a good answer, in seconds; 0 if none was bad."""
        return max((longest(member.answers) for member in self.members), default=0.0)

    def for_all(self) -> float:
        """Return the longest in which nobody had a good answer, of those in which somebody had a bad one."""
        return longest(sorted(answer for member in self.members for answer in member.answers))

    def without_line(self) -> float:
        """Return the longest that an open page was without its socket."""
        return max((longest_off(member.lines) for member in self.members), default=0.0)

    def codes(self) -> dict[int, int]:
        """Return how often which status was no answer; 0: nobody answered."""
        found: dict[int, int] = {}
        for member in self.members:
            for status, count in member.codes.items():
                found[status] = found.get(status, 0) + count
        return dict(sorted(found.items()))


def longest(answers: list[tuple[float, bool]]) -> float:
    """Return the longest span from a good answer to the next, of those with a bad one between, in seconds."""
    found, last, was_bad = 0.0, None, False
    for at, is_good in answers:
        if is_good:
            if was_bad and last is not None:
                found = max(found, at - last)
            last, was_bad = at, False
        else:
            was_bad = True
    return found


def longest_off(changes: list[tuple[float, bool]]) -> float:
    """Return the longest span from a change to off until the next to on, in seconds."""
    found, off = 0.0, None
    for at, is_on in changes:
        if is_on and off is not None:
            found = max(found, at - off)
        off = None if is_on else off or at
    return found
