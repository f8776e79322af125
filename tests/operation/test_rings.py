"""Whatever process runs Django rings the worker at the site's own broker: commands and shells as web servers do."""

from collections.abc import Callable

import pytest
from redis import Redis

from config.lib.redis import TASKS, address
from tests.processes import Site

RINGS = {
    "after commit": ("from games import broadcast; broadcast.mails_waiting()", b"games.tasks.send_mails"),
    "a task of its own": (
        "from games.tasks import judge_clocks; judge_clocks.apply_async((1, None), expires=60)",
        b"games.tasks.judge_clocks",
    ),
}


@pytest.mark.thin(1)
@pytest.mark.parametrize("name", RINGS)
def test_a_command_rings_the_worker(name: str, new_site: Callable[..., Site]) -> None:
    script, task = RINGS[name]
    queue = Redis.from_url(address(TASKS))
    queue.delete("celery")
    said = new_site().manage("shell", "-v0", "-c", script)
    assert [task in told for told in queue.lrange("celery", 0, -1)] == [True], said
    queue.delete("celery")
