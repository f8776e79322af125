"""Drill of a rolling deploy: the next release replaces the former one process by process, while all play."""

import json
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import httpx

from games.models import Match, Turn
from tests.drill import release
from tests.drill.drill import Drill
from tests.drill.members import TIMEOUT, cookies, headers
from tests.drill.play import person, seated

FILE = re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"')
BESIDE = 5.0  # seconds for which both releases play on
MATCHES = 12
MAKE = """
import json
from accounts.models import User
from tests.drill.play import running
people = list(User.objects.filter(username__in=["next-a", "next-b"]).order_by("pk"))
print(json.dumps([running(people, "sample-game", "3d").pk for _ in range({count})]))
"""


class OpenPages:
    """Browsers that load pages through the proxy again and again, with their style sheets and scripts."""

    def __init__(self, drill: Drill) -> None:
        self.drill, self.over = drill, threading.Event()
        self.files: dict[str, int] = {}  # of all pages so far: how often each was loaded
        self.bad: Counter[str] = Counter()
        self.thread = threading.Thread(target=self._load)

    def __enter__(self) -> "OpenPages":
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        self.thread.join(30)

    def _load(self) -> None:
        house, user = self.drill.house, self.drill.stage.members[0].user
        place = {"base_url": house.base, "verify": house.trusted, "timeout": TIMEOUT}
        with httpx.Client(headers=headers(cookies(user)), **place) as one:
            while not self.over.wait(0.1):
                page = self._get(one, "/matches/")
                for name in FILE.findall(page):
                    self.files.setdefault(name, 0)
                for name in self.files:
                    if self._get(one, name):
                        self.files[name] += 1

    def _get(self, one: httpx.Client, path: str) -> str:
        try:
            answer = one.get(path)
        except httpx.HTTPError as error:
            self.bad[f"{type(error).__name__} {path}"] += 1
            return ""
        if answer.status_code != 200:
            self.bad[f"{answer.status_code} {path}"] += 1
            return ""
        return answer.text


def deploy(drill: Drill) -> None:
    """Put the next release in as docs/hosting.md says; then look that nothing was missed by anybody."""
    tree = release.make(drill.house.folder / "next")
    with drill.playing(), OpenPages(drill) as pages:
        drill.wait(lambda: pages.files and all(list(pages.files.values())), 60, "the former release's files are loaded")
        former = dict(pages.files)
        drill.house.set_up(tree)
        drill.note("config.install release: static files and database are those of the next release")
        check(drill, tree)
        roll(drill, tree)
        drill.wait(lambda: set(pages.files) - set(former), 60, "a page of the next release alone is loaded")
        newer = set(pages.files) - set(former)
        drill.well("clock")
    drill.note(
        f"{len(former)} style sheets and scripts of the former release, {len(newer)} others of the next, "
        f"loaded {sum(pages.files.values())} times through the proxy; not loaded: {dict(pages.bad) or 'none'}"
    )
    if pages.bad or not former or not newer:
        drill.fail(f"pages or files that could not be loaded: {dict(pages.bad)}")
    versions = Counter(
        Turn.objects.filter(match__game_slug="sample-game").values_list("match__rules_version", flat=True)
    )
    drill.note(f"moves of the sample game by version of its rules: {dict(versions)}")
    if not versions[release.NEXT]:
        drill.fail("nobody played by the next rules")


def check(drill: Drill, tree: Path) -> None:
    """Have the next release try all matches: without the former rules it has to say no, with them yes."""
    command = [sys.executable, "manage.py", "check_matches", "--before-deploy"]
    done = subprocess.run(command, cwd=tree, env=drill.house.env, capture_output=True, text=True, check=False)
    words = done.stderr.strip().splitlines()[-1:]
    drill.note(
        f"check_matches --before-deploy of a release that forgot the former rules: status {done.returncode}, "
        f"{' '.join(words)[:90]}"
    )
    if not done.returncode or "would break" not in done.stderr:
        drill.fail("check_matches --before-deploy did not see that matches would break")
    release.keep_rules(tree)
    drill.note(f"with them: {drill.house.manage(*command[2:], folder=tree).strip().splitlines()[-1]}")


def roll(drill: Drill, tree: Path) -> None:
    """Restart one process after the other; the former web server plays on meanwhile, on the next schema."""
    house, ledger = drill.house, drill.stage.ledger
    before = len(ledger.acknowledged)
    time.sleep(BESIDE)
    drill.note(f"{len(ledger.acknowledged) - before} moves by the former release on the next schema in {BESIDE:.0f} s")
    for unit in (*house.workers, house.beat, house.web[0]):
        unit.folder = tree
        unit.restart()
        drill.note(f"{unit.name} is of the next release")
    people = [person(f"next-{letter}") for letter in "ab"]
    made = house.manage("shell", "-v0", "--no-imports", "-c", MAKE.format(count=MATCHES), folder=tree)
    matches = list(Match.objects.filter(pk__in=json.loads(made.splitlines()[-1])).order_by("pk"))
    drill.play.join(seated(house, ledger, drill.play.members[0].rng, matches))
    drill.note(f"{people[0]} and {people[1]} play by rules {matches[0].rules_version} of the sample game")
    before = len(ledger.acknowledged)
    time.sleep(BESIDE)
    drill.note(f"{len(ledger.acknowledged) - before} moves with both releases behind the proxy in {BESIDE:.0f} s")
    house.web[1].folder = tree
    house.web[1].restart()
    drill.note(f"{house.web[1].name} is of the next release")
