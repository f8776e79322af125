"""Drills with what stores: Redis takes no write, the disk under the site or under PostgreSQL is full."""

import time

from redis import Redis

from tests.drill.drill import Drill

LASTS = 10.0  # seconds for which it goes on after its alarm
WELL = (
    ("REPLICAOF", "NO", "ONE"),
    ("CONFIG", "SET", "maxmemory", "0"),
    ("CONFIG", "SET", "maxmemory-policy", "volatile-lru"),
)


def _redis(drill: Drill, what: str, *commands: tuple[str, ...]) -> None:
    client = Redis(host="127.0.0.1", port=drill.house.redis_port)
    with drill.playing():
        for command in commands:
            client.execute_command(*command)
        drill.note(f"Redis is {what}: {', '.join(' '.join(command) for command in commands)}")
        drill.alarm("/healthz says what Redis refuses", lambda: drill.watch.says("redis"))
        drill.look()
        time.sleep(LASTS)
        for command in WELL:
            client.execute_command(*command)
        drill.note("Redis takes writes again")
        drill.well()
    client.close()


def read_only(drill: Drill) -> None:
    """Make Redis a replica of nobody."""
    _redis(drill, "read-only", ("REPLICAOF", "127.0.0.1", "1"))


def full(drill: Drill) -> None:
    """Give Redis no memory."""
    _redis(drill, "full", ("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory-policy", "noeviction"))


def disk(drill: Drill) -> None:
    """Fill the disk of VAR_DIR."""
    with drill.playing():
        drill.house.data.fill()
        drill.note("the disk of VAR_DIR is full")
        drill.alarm("/healthz says that the disk cannot be written", lambda: drill.watch.says("disk"))
        drill.look()
        time.sleep(LASTS)
        drill.house.data.free()
        drill.note("there is room again")
        drill.well()


def database_disk(drill: Drill) -> None:
    """Fill the disk of PostgreSQL, which gives up when it can write no log; once there is room it is started again."""
    house = drill.house
    with drill.playing():
        house.database_disk.fill()
        drill.note("the disk of PostgreSQL is full")
        drill.alarm(
            "/healthz says that the database is away or cannot be written",
            lambda: drill.watch.says("database") or drill.watch.says("web"),
        )
        drill.look()
        time.sleep(LASTS)
        house.database_disk.free()
        time.sleep(2)
        drill.note(f"there is room again; PostgreSQL {'runs on' if house.postgres.runs else 'had ended'}")
        house.postgres.start()
        drill.well()
