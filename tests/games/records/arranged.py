"""What the tests of records share: matches that ended, and what the monthly files hold."""

import asyncio
import io
import json
from datetime import datetime, timedelta
from random import Random

import zstandard

from accounts.models import User
from config.lib import clock as present
from games.models import Match, RecordMonth
from games.queries.play import seats_of
from games.record import record_of
from games.services.records import checking, making, sandboxes
from tests.factories import fresh, played_on, seated

DAY = timedelta(days=1)


def ended(*people, at: datetime | None = None, seed=1, **wishes) -> Match:
    match = played_on(seated(*people, **wishes), Random(seed))
    if at is not None:
        Match.objects.filter(pk=match.pk).update(started_at=at - DAY, ended_at=at)
    return fresh(match)


def last_month() -> datetime:
    return present.now().replace(day=1) - timedelta(days=3)


def make() -> int:
    return making.make_due()


def lines(month: RecordMonth | None = None) -> list[dict]:
    month = month or RecordMonth.objects.exclude(digest="").get()
    body = making.path_of(month).read_bytes()
    text = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(body), read_across_frames=True).read()
    return [json.loads(line) for line in text.splitlines()]


def whole(answer) -> bytes:
    """What an answer streams to the web server."""
    if not answer.streaming:
        return answer.content

    async def read() -> bytes:
        return b"".join([part async for part in answer.streaming_content])

    return asyncio.run(read())


def record(match: Match) -> dict:
    return json.loads(json.dumps(record_of(match, seats_of(match))))


def begun(user: User, match: Match, step: int, kind: str = "bots", **wishes) -> Match:
    """A sandbox that this person opened."""
    wishes.setdefault("level", "easy" if kind == "bots" else "")
    sound = checking.checked(record(match))
    return fresh(sandboxes.open_from(user=user, sound=sound, step=step, kind=kind, source=match, **wishes))
