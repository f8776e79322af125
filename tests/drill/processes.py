"""Drills with processes: each is killed without warning; Redis and PostgreSQL are away for a while."""

import time

from tests.drill.drill import Drill
from tests.drill.units import Unit
from tests.drill.watch import UNHEARD

HELD = 6.0  # seconds for which one stays away


def killed(drill: Drill, unit: Unit, seconds: float = HELD) -> None:
    """Kill a process, and start it again after so many seconds."""
    unit.kill(for_good=True)
    drill.note(f"kill -9 {unit.name}")
    time.sleep(seconds)
    unit.start()
    drill.note(f"{unit.name} runs again")


def web(drill: Drill) -> None:
    """Kill each web server, then both."""
    with drill.playing():
        for unit in drill.house.web:
            unit.kill(for_good=True)
            drill.note(f"kill -9 {unit.name}")
            drill.alarm(
                f"{unit.name} does not answer at /readyz",
                lambda unit=unit: drill.watch.now.get((unit.name, "/readyz")) == UNHEARD,
            )
            time.sleep(HELD)
            unit.start()
            drill.note(f"{unit.name} runs again")
        for unit in drill.house.web:
            unit.kill()
        drill.note("kill -9 both, each started again by its unit")
        time.sleep(3)
        drill.well()


def _tasks(drill: Drill, units: list[Unit]) -> None:
    """Kill each, which its unit starts again; then all of them for good, until the alarm."""
    for unit in units:
        unit.kill()
        drill.note(f"kill -9 {unit.name}, started again by its unit")
        time.sleep(4)
    for unit in units:
        unit.kill(for_good=True)
    drill.note(f"kill -9 {' and '.join(unit.name for unit in units)}, for good")
    drill.alarm("/healthz says that there is no heartbeat of beat", lambda: drill.watch.says("beat"))
    drill.look()
    for unit in units:
        unit.start()
    drill.well()


def worker(drill: Drill) -> None:
    """Kill the workers."""
    with drill.playing():
        _tasks(drill, drill.house.workers)


def beat(drill: Drill) -> None:
    """Kill beat."""
    with drill.playing():
        _tasks(drill, [drill.house.beat])


def redis(drill: Drill) -> None:
    """Kill Redis, which forgets all, and start it again; then the same by an orderly restart."""
    with drill.playing():
        drill.house.redis.kill(for_good=True)
        drill.note("kill -9 redis")
        drill.alarm("/healthz says that Redis is away", lambda: drill.watch.says("redis"))
        drill.look()
        time.sleep(HELD)
        drill.house.redis.start()
        drill.note("redis runs again, empty")
        drill.well()
        drill.house.redis.restart()
        drill.note("redis restarted")
        time.sleep(2)
        drill.well()


def postgresql(drill: Drill) -> None:
    """Kill PostgreSQL and start it again; then the same by an orderly restart."""
    with drill.playing():
        drill.house.postgres.kill()
        drill.note("kill -9 PostgreSQL")
        drill.alarm("/healthz says that the database is away", lambda: drill.watch.says("database"))
        time.sleep(HELD)
        drill.house.postgres.start()
        drill.note("PostgreSQL runs again")
        drill.well()
        drill.house.postgres.stop()
        drill.house.postgres.start()
        drill.note("PostgreSQL restarted")
        time.sleep(2)
        drill.well()
    if 502 in drill.play.codes():
        drill.fail("the proxy answered by itself, while the web servers had words")
