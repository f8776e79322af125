"""One drill: members play, something is broken and put right, and what everybody was told meanwhile is written down."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from games.models import TimeOut
from tests.clocks import Clock
from tests.drill.admin import Admin
from tests.drill.house import House
from tests.drill.members import Member
from tests.drill.play import Play
from tests.drill.watch import Log, MailServer, Watch
from tests.faults.ledger import Ledger, stored_moves

ALARM_SECONDS = 30.0
WELL_SECONDS = 75.0
MOST_LINES = 14  # of each kind, in the report


class Stage:
    """What all drills share: the house, who plays, and who watches."""

    def __init__(self, house: House, members: list[Member], ledger: Ledger, mail: MailServer) -> None:
        self.house, self.members, self.ledger, self.mail = house, members, ledger, mail
        self.watch, self.log, self.admin = Watch(house), Log(house), Admin(house)
        self.clock = Clock(Path(house.env["CLOCK_OFFSET_FILE"]))


class Drill:
    """One drill under way, and its report."""

    def __init__(self, name: str, stage: Stage) -> None:
        self.name, self.stage, self.house = name, stage, stage.house
        self.watch, self.mail, self.admin, self.clock = stage.watch, stage.mail, stage.admin, stage.clock
        self.began, self.wall = time.monotonic(), time.time()
        self.figures: list[str] = []
        self.failures: list[str] = []
        self.pages: list[str] = []
        self.forgotten: set = set()  # acknowledged moves that a restored copy cannot have
        self.is_restored = False
        stage.log.mark()
        self.before = set(stage.ledger.acknowledged)
        self.timed_out = TimeOut.objects.count()
        self.play = Play(stage.members)

    def note(self, words: str) -> None:
        """Write a line into the report, with the seconds since the drill began."""
        self.figures.append(f"{self._seconds():+6.1f} s  {words}")

    def fail(self, words: str) -> None:
        self.failures.append(words)
        self.note(f"FAILED {words}")

    def _seconds(self) -> float:
        return time.monotonic() - self.began

    def wait(self, holds: Callable[[], object], seconds: float, what: str) -> float | None:
        """Return after how many seconds something held; None, and a failure, when it did not."""
        start = time.monotonic()
        while not holds():
            if time.monotonic() - start > seconds:
                return self.fail(f"{what}: not within {seconds:.0f} s")
            time.sleep(0.1)
        return time.monotonic() - start

    def alarm(self, what: str, holds: Callable[[], object]) -> None:
        """Wait for an alarm that has to come within 30 s."""
        took = self.wait(holds, ALARM_SECONDS, f"alarm: {what}")
        if took is not None:
            self.note(f"alarm after {took:.1f} s: {what}")

    def look(self) -> None:
        """Write down what the operation page shows now."""
        for alarm in self.admin.alarms():
            if alarm not in self.pages:
                self.pages.append(alarm)

    def well(self, *but: str) -> None:
        """Wait until both web servers say that all is well, apart from these parts."""
        took = self.wait(lambda: self.watch.is_well(but), WELL_SECONDS, "all is well again")
        if took is not None:
            self.note(f"all is well again after {took:.1f} s" + (f", but for {', '.join(but)}" if but else ""))

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Let the members play meanwhile, a moment before and a moment after."""
        with self.play:
            time.sleep(2)
            yield
            time.sleep(2)
        for error in self.play.failed:
            self.fail(f"a member's browser: {error!r}"[:600])

    def count(self) -> None:
        """Compare what was acknowledged since the beginning of all with what is stored, and note it."""
        connection.close()  # its other end may have been killed
        ledger, stage = self.stage.ledger, self.stage
        stored = Counter(mark for mark, _move in stored_moves() if mark[2])
        known = ledger.acknowledged - self.forgotten
        lost = [mark for mark in known if not stored[mark]]
        doubled = [mark for mark, number in stored.items() if number > 1]
        strange = [mark for mark in ledger.refused if stored[mark]]
        acknowledged = len(ledger.acknowledged - self.before)
        timed_out = TimeOut.objects.count() - self.timed_out
        self.summary = (
            f"{acknowledged} moves acknowledged, {len(lost)} lost, {len(doubled)} doubled, "
            f"{len(strange)} refused yet stored, {timed_out} time-outs"
        )
        for what, found in (("lost", lost), ("doubled", doubled), ("refused yet stored", strange)):
            if found:
                self.fail(f"{what}: {found[:5]}")
        if timed_out:
            self.fail(f"{timed_out} members were timed out")
        if not acknowledged:
            self.fail("nobody moved")
        for member in stage.members:
            self.failures += member.faults + ([] if self.is_restored else member.returns)
            member.faults.clear()
            member.returns.clear()
        ledger.acknowledged -= self.forgotten
        self.failures += [f"not wanted: {death}" for death in stage.house.keeper.deaths()]

    def report(self) -> list[str]:
        """Return the lines of this drill."""
        play = self.play
        lines = [
            f"== {self.name}: {'FAILED' if self.failures else 'held'}, {self._seconds():.0f} s",
            f"   {self.summary}",
            f"   without a good answer: all at once {play.for_all():.1f} s, one member {play.for_one():.1f} s; "
            f"an open page without its line {play.without_line():.1f} s; no answers by status: {play.codes()}",
        ]
        told = [f"{said.at - self.began:+6.1f} s  {said.web} {said.path}: {said.words}" for said in self._told()]
        mails = [f"{at - self.began:+6.1f} s  {subject}" for at, subject in self.mail.to_admin(self.began)]
        lines += self._section("what was done", self.figures, len(self.figures))
        lines += self._section("health", told) + self._section("log", self.stage.log.serious(self.wall))
        lines += self._section("past the log", self.stage.log.raw())
        lines += self._section("operation page", self.pages) + self._section("mail to ADMINS", mails)
        return lines + [f"   FAILED: {failure}" for failure in self.failures]

    def _told(self) -> list:
        return [said for said in self.watch.since(self.began) if said.path != "/livez" or said.words != "200"]

    @staticmethod
    def _section(title: str, lines: list[str], most: int = MOST_LINES) -> list[str]:
        if not lines:
            return [f"   {title}: nothing"]
        more = [f"     and {len(lines) - most} more"] if len(lines) > most else []
        return [f"   {title}:", *(f"     {line}" for line in lines[:most]), *more]
