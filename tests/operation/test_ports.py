"""Two runs of tests on one machine never use the same port: one's pages would be served by the other's site."""

import json
import subprocess
import sys

import pytest

from tests.processes import ROOT, free_port

pytestmark = pytest.mark.operation

TAKE = (
    "import sys; from tests.processes import *; print([free_port() for _ in range(300)], flush=True); sys.stdin.read()"
)


def test_a_port_is_given_to_one_process_alone() -> None:
    own = {free_port() for _ in range(300)}
    others = [
        subprocess.Popen(
            [sys.executable, "-c", TAKE], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    given = list(own)
    for other in others:
        assert other.stdout is not None
        given += json.loads(other.stdout.readline())
    for other in others:
        other.communicate()
    assert len(own) == 300
    assert len(set(given)) == len(given) == 1200
