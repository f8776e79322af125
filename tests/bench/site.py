"""How fast the site is: post of a move, commit, ring, the other member's fetched table, over real sockets.

`python -m tests.bench.site` on two cores: the web server alone on the first, load, Redis and database on
the second. Two members a match; the sockets are those that pages open.
"""

import asyncio
import html
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import httpx
import websockets

from tests.postgres import cluster
from tests.processes import free_port, get, redis_process, wait_until

SEED = 20261128
WARM_UP = 2.0
MEASURED = 10.0
SPARE = 12  # matches that each pair has at hand, for when one ends
SERVER_CORE, OTHER_CORE = (0, 1) if (os.cpu_count() or 1) > 1 else (0, 0)
ASK = re.compile(r'name="ask" value="(\d+)"')
KEY = re.compile(r'name="key" value="([\w-]+)"')
MOVE = re.compile(r"""name="move" value=(?:"([^"]+)"|'([^']+)')""")
VERSION = re.compile(r'data-version="(\d+)"')
CSRF = "b" * 32


class Server:
    """The site on a fresh database: one web server pinned to one core, or several that share all."""

    def __init__(self, kind: str, stack: AsyncExitStack | ExitStack, webs: int = 1) -> None:
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="club-y-bench-")))
        self.redis = redis_process(self.folder)
        self.redis.start()
        stack.callback(self.redis.stop)
        self.ports = [free_port() for _ in range(webs)]
        self.port = self.ports[0]
        self.base = f"http://127.0.0.1:{self.port}"
        self.env = os.environ | {
            "VAR_DIR": str(self.folder),
            "REDIS_URL": f"unix://{self.folder}/redis.sock",
            "DATABASE_URL": stack.enter_context(cluster()) if kind == "postgresql" else "",
            "PORT": str(self.port),
            "SITE_URL": self.base,
            "LOG_LEVEL": "WARNING",
            "STAFF_SECOND_FACTOR": "0",
            "SOCKETS_OF_ADDRESS": "100000",  # the bench comes from one
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        self.manage("migrate", "--verbosity=0")
        self.manage("collectstatic", "--noinput", "--verbosity=0")
        pinned = ["taskset", "-c", str(SERVER_CORE)] if webs == 1 else []
        self.log = self.folder / "web.out"
        with self.log.open("wb") as out:
            self.processes = [
                subprocess.Popen(
                    [*pinned, sys.executable, "-m", "config.server"], env=self.env | {"PORT": str(port)}, stdout=out
                )
                for port in self.ports
            ]
        self.process = self.processes[0]
        stack.callback(self.stop)
        for port in self.ports:
            wait_until(lambda port=port: get(f"http://127.0.0.1:{port}/livez")[0] == 200, 60, "the web server")

    def manage(self, *words: str) -> str:
        answer = subprocess.run(
            [sys.executable, "manage.py", *words], env=self.env, capture_output=True, text=True, check=True
        )
        return answer.stdout

    def run(self, script: str) -> Iterator[dict]:
        """Run a script inside the site; yield the JSON of each line that it prints, as it comes."""
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", script]
        with subprocess.Popen(command, env=self.env, stdout=subprocess.PIPE, text=True) as process:
            yield from (json.loads(line) for line in process.stdout if line.startswith("{"))
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)

    def matches(self, count: int) -> list[dict]:
        """Make matches of two members each; return their numbers and log-in sessions."""
        script = f"from tests.bench.prepare import make_matches; make_matches({count})"
        return json.loads(self.manage("shell", "--no-imports", "-c", script).splitlines()[-1])

    @property
    def memory(self) -> int:
        """Resident memory of the web server in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def stop(self) -> None:
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            process.wait(20)


class Member:
    """One member's open page: its socket, and the table as last shown."""

    def __init__(self, server: Server, match: int, session: str, seat: int) -> None:
        self.server, self.match = server, match
        self.port = server.ports[(match + seat) % len(server.ports)]  # the two of a match are at different servers
        self.base = f"http://127.0.0.1:{self.port}"
        self.client = httpx.AsyncClient(base_url=self.base, timeout=60)  # a browser of its own
        self.cookies = f"sessionid={session}; csrftoken={CSRF}"
        self.headers = {"Cookie": self.cookies, "X-CSRFToken": CSRF, "X-Live": "1", "Accept-Encoding": "gzip"}
        self.rung = asyncio.Event()
        self.version = self.shown = 0
        self.text = ""

    async def open(self, stack: AsyncExitStack) -> None:
        address = f"ws://127.0.0.1:{self.port}/ws/?match={self.match}"
        headers = {"Cookie": self.cookies, "Origin": self.base}
        socket = await stack.enter_async_context(websockets.connect(address, additional_headers=headers))
        listening = asyncio.ensure_future(self.listen(socket))
        stack.callback(listening.cancel)
        stack.push_async_callback(self.client.aclose)
        await self.fetch()

    async def listen(self, socket) -> None:
        async for frame in socket:
            version = json.loads(frame).get("version")
            if version and version > self.version:
                self.version = version
                self.rung.set()

    async def fetch(self) -> None:
        self.take(await self.client.get(f"/matches/{self.match}/table/?have={self.shown}", headers=self.headers))

    def take(self, answer: httpx.Response) -> None:
        if answer.status_code == 200:
            self.text = answer.text
            self.shown = int(VERSION.search(self.text)[1])

    async def until(self, version: int) -> None:
        """Wait for the ring of this version, and fetch the table."""
        while self.shown < version:
            while self.version < version:
                self.rung.clear()
                await self.rung.wait()
            await self.fetch()

    async def move(self, rng: random.Random) -> bool:
        """Post a random move that the table offers; False when it offers none."""
        ask, moves = ASK.search(self.text), [html.unescape(a or b) for a, b in MOVE.findall(self.text)]
        moves = [move for move in moves if '"chosen"' not in move]  # asks for a choice in the sheet
        if not ask or not moves:
            return False
        rolls = [move for move in moves if json.loads(move)["type"] == "roll"]
        fields = {"ask": ask[1], "key": KEY.search(self.text)[1], "move": rng.choice(rolls or moves)}
        fields |= {"transform.text.into": "high_roll"}
        answer = await self.client.post(f"/matches/{self.match}/move/", data=fields, headers=self.headers)
        assert answer.status_code == 200, answer.text[:300]
        self.take(answer)
        return True


class Pair:
    """The two members of a match, each move timed from post to the other's fetched table."""

    def __init__(self, server: Server, made: dict) -> None:
        self.members = [Member(server, made["match"], session, seat) for seat, session in enumerate(made["sessions"])]
        self.rng = random.Random(SEED + made["match"])

    async def open(self, stack: AsyncExitStack) -> None:
        for member in self.members:
            await member.open(stack)

    async def step(self) -> float | None:
        """Make one move; return the seconds until the other had it, None when the match is over."""
        for mover, other in (self.members, self.members[::-1]):
            if ASK.search(mover.text):
                start = time.perf_counter()
                if not await mover.move(self.rng):
                    return None
                await other.until(mover.shown)
                return time.perf_counter() - start
        return None


async def play(server: Server, count: int, rate: float | None) -> list[float]:
    """Play in `count` matches, flat out or at `rate` moves a second in all; return the measured seconds."""
    times: list[float] = []
    async with AsyncExitStack() as stack:
        pairs = [Pair(server, made) for made in server.matches(count * (SPARE if count < 50 else 1))]
        for pair in pairs[:count]:
            await pair.open(stack)
        begin = time.perf_counter() + WARM_UP

        async def run(pair: Pair, number: int) -> None:
            turn = 0
            while time.perf_counter() < begin + MEASURED:
                if rate:
                    at = begin - WARM_UP + (number + turn * count) / rate
                    await asyncio.sleep(max(0, at - time.perf_counter()))
                    turn += 1
                started = time.perf_counter()
                took = await pair.step()
                if took is None:  # over: the same two go on at their next table
                    number += count
                    if number >= len(pairs):
                        return
                    pair = pairs[number]
                    await pair.open(stack)
                    continue
                if begin <= started and time.perf_counter() <= begin + MEASURED:
                    times.append(took)

        await asyncio.gather(*(run(pair, number) for number, pair in enumerate(pairs[:count])))
    return times


async def watchers(server: Server, count: int = 1000) -> float:
    """Return the KiB of the web server's memory for each of `count` idle sockets."""
    match = server.matches(1)[0]["match"]
    address = f"ws://127.0.0.1:{server.port}/ws/?match={match}"
    async with AsyncExitStack() as stack:

        async def watch() -> None:
            await stack.enter_async_context(websockets.connect(address, origin=server.base, compression=None))

        for _ in range(20):
            await watch()
        before = server.memory
        for _ in range(count):
            await watch()
        await asyncio.sleep(2)
        return (server.memory - before) / count


def show(name: str, times: list[float]) -> None:
    ordered = sorted(times)
    p50, p95 = (ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.95))
    print(f"{name:44s} {len(times) / MEASURED:6.1f} moves/s   p50 {p50:6.1f} ms   p95 {p95:6.1f} ms", flush=True)


async def measure(kind: str) -> None:
    async with AsyncExitStack() as stack:
        server = Server(kind, stack)
        if kind == "sqlite":
            weight = await watchers(server)
            print(f"{'memory of an idle watcher (1000 sockets)':44s} {weight:6.1f} KiB", flush=True)
        for count in (1, 20, 100):
            show(f"{kind}, {count} matches, flat out", await play(server, count, None))
        show(f"{kind}, 100 matches, 20 moves a second", await play(server, 100, 20.0))


def main() -> None:
    print(f"seed {SEED}; web server on core {SERVER_CORE}; load, Redis and database on core {OTHER_CORE}")
    os.sched_setaffinity(0, {OTHER_CORE})
    for kind in sys.argv[1:] or ("sqlite", "postgresql"):
        asyncio.run(measure(kind))


if __name__ == "__main__":
    main()
