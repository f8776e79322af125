"""A lane of a worker: bots of many matches leave threads to mails and clocks, and none of their moves is lost."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from config.lib import lane
from config.lib.lane import Lane
from games import tasks
from tests.processes import wait_until


def test_no_more_threads_than_it_may_have_and_each_waits_once():
    gate, done, most = threading.Event(), [], []

    def work(what: int) -> None:
        most.append(what)
        gate.wait(30)
        most.remove(what)
        done.append(what)

    narrow = Lane(2, work)
    with ThreadPoolExecutor(8) as pool:
        pool.submit(narrow.do, 1)
        pool.submit(narrow.do, 2)
        wait_until(lambda: len(most) == 2)
        rest = [pool.submit(narrow.do, what) for what in (3, 4, 3, 1)]
        assert [one.result(10) for one in rest] == [None] * 4  # these threads are free again
        assert sorted(most) == [1, 2]
        gate.set()
    assert sorted(done) == [1, 1, 2, 3, 4]
    assert narrow.do(5) is None
    assert done[-1] == 5


def test_what_fails_holds_up_nothing():
    done = []

    def work(what: int) -> None:
        done.append(what)
        if what == 1:
            narrow.do(2)
            raise RuntimeError("the dice fell off the table")

    narrow = Lane(1, work)
    assert narrow.do(1) is None
    assert done == [1, 2]
    narrow.do(3)
    assert done == [1, 2, 3]


def test_a_task_ends_although_more_waits(monkeypatch):
    monkeypatch.setattr(lane, "LONGEST", 0.05)
    done = []

    def work(what: int) -> None:
        done.append(what)
        narrow.do(what + 1)
        time.sleep(0.03)

    narrow = Lane(1, work)
    assert narrow.do(1) == done[-1] + 1
    assert narrow.do(10**6) == done[-1] + 1


@pytest.mark.django_db
def test_bots_that_wait_are_asked_for_again(monkeypatch):
    rung = []
    monkeypatch.setattr(tasks, "_bots", type("Full", (), {"do": lambda self, what: what + 1})())
    monkeypatch.setattr(tasks.play_bots, "apply_async", lambda args, **more: rung.append(args))
    tasks.play_bots(6)
    assert rung == [(7,)]
