"""Who watches the site: what each web server says of itself, what log and mails tell the admin, and when."""

import asyncio
import json
import re
import threading
import time
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tests.drill.house import ADMIN_ADDRESS, House, ask
from tests.mailing import Postbox

PATHS = ("/livez", "/readyz", "/healthz")
EVERY_SECONDS = 1.0
SERIOUS = ("error", "critical")
UNHEARD = "no answer"
ORDERLY = ("", "worker: Warm shutdown (MainProcess)")  # what Celery says past the log


@dataclass(frozen=True)
class Said:
    """What an address said from a moment on."""

    at: float
    web: str
    path: str
    words: str


def words_of(status: int, body: bytes) -> str:
    """Return an answer in words: 200, or the status with what is not well."""
    if not status:
        return UNHEARD
    try:
        report = json.loads(body)
    except ValueError:
        return str(status)
    told = {name: word for name, word in report.items() if isinstance(word, str) and name != "version"}
    wrong = [f"{name} {word}" for name, word in told.items() if word != "ok"]
    return f"{status} {'; '.join(wrong)}".strip() if status != 200 else "200"


class Watch:
    """Asks both web servers all three questions each second, directly, in threads of its own."""

    def __init__(self, house: House) -> None:
        self.house, self.over = house, threading.Event()
        self.told: list[Said] = []  # each change
        self.now: dict[tuple[str, str], str] = {}
        pairs = [(unit.name, port) for unit, port in zip(house.web, house.webs, strict=True)]
        self.threads = [threading.Thread(target=self._watch, args=(*pair, path)) for pair in pairs for path in PATHS]
        for thread in self.threads:
            thread.start()

    def _watch(self, web: str, port: int, path: str) -> None:
        while not self.over.is_set():
            words = words_of(*ask(port, path))
            if _steady(words) != _steady(self.now.get((web, path), "")):
                self.told.append(Said(time.monotonic(), web, path, words))
            self.now[web, path] = words
            self.over.wait(EVERY_SECONDS)

    def since(self, at: float) -> list[Said]:
        """Return what has changed since a moment."""
        return sorted((said for said in self.told if said.at >= at), key=lambda said: said.at)

    def says(self, part: str, web: str = "") -> bool:
        """Return whether /healthz of a web server (of any) now says something of a part."""
        named = [words for (name, path), words in list(self.now.items()) if path == "/healthz" and web in name]
        return any(re.search(rf"\b{part}\b", words) for words in named)

    def is_well(self, but: tuple[str, ...] = ()) -> bool:
        """Return whether all three say 200 at both web servers, apart from these parts of /healthz."""
        return all(self._wrong(words) <= set(but) for words in list(self.now.values()))

    @staticmethod
    def _wrong(words: str) -> set[str]:
        if words == "200":
            return set()
        return {part.split()[0] for part in words.partition(" ")[2].split("; ") if part} or {words}

    def stop(self) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join(10)


def _steady(words: str) -> str:
    return re.sub(r"\d+ s\b", "N s", words)


class Log:
    """What the processes have written since a moment: the serious lines, and those that are no lines of ours."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.mark()

    def mark(self) -> None:
        """Begin here."""
        self.sizes = {unit.log: size_of(unit.log) for unit in self.house.units}

    def lines(self) -> list[dict[str, str]]:
        """Return the lines since the mark, in the order of time; what is no JSON as the event of a level `raw`."""
        found = []
        for unit in self.house.units:
            for line in text_since(unit.log, self.sizes[unit.log]).splitlines():
                try:
                    found.append(json.loads(line) | {"unit": unit.name})
                except ValueError:
                    found.append({"event": line, "level": "raw", "unit": unit.name, "timestamp": ""})
        return sorted(found, key=lambda line: line.get("timestamp", ""))

    def serious(self, wall: float) -> list[str]:
        """Return each kind of error once: seconds from `wall` to its first line, how often, what."""
        lines = [line for line in self.lines() if line.get("level") in SERIOUS]
        counts = Counter(_kind(line) for line in lines)
        first = {_kind(line): line for line in reversed(lines)}
        return [
            f"{_seconds(first[kind]['timestamp'], wall):+6.1f} s  {count} × {kind}" for kind, count in counts.items()
        ]

    def raw(self) -> list[str]:
        """Return what was written past the log, such as a traceback that nobody caught."""
        return [
            f"{line['unit']}: {line['event'][:160]}"
            for line in self.lines()
            if line.get("level") == "raw" and line["event"].strip() not in ORDERLY
        ]


def _kind(line: dict[str, str]) -> str:
    last = line.get("traceback", "").strip().splitlines()[-1:] or [line.get("error", "")]
    where = line.get("route") or line.get("task") or line.get("logger") or ""
    event = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4,}", "…", f"{line['level']} {line.get('event', '')[:90]}")
    told = " | ".join(filter(None, (event, where, last[0][:110] if last else "")))
    return " ".join(told.split())


def _seconds(stamp: str, wall: float) -> float:
    return datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp() - wall


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def text_since(path: Path, size: int) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as file:
        file.seek(size)
        return file.read().decode(errors="replace")


class MailServer(Postbox):
    """The mail server: it takes all, hangs, or gives one answer to every recipient or sender."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port
        self.controller.port = port
        self.answer, self.hangs = "", threading.Event()
        self.arrived: list[tuple[float, str, str]] = []  # when, to whom, subject

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:
        while self.hangs.is_set():
            await asyncio.sleep(0.2)
        if self.answer:
            return self.answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope) -> str:
        said = await super().handle_DATA(server, session, envelope)
        mail = self.kept[-1]
        self.arrived.append((time.monotonic(), str(mail["To"]), str(mail["Subject"])))
        return said

    def to_admin(self, since: float) -> list[tuple[float, str]]:
        """Return when the admin was sent which subject since a moment."""
        return [(at, subject) for at, to, subject in self.arrived if ADMIN_ADDRESS in to and at >= since]
