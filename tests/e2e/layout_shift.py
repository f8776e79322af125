"""Prints what moves on a match's page, move by move: `python -m tests.e2e.layout_shift [game …]`."""

import sys
from pathlib import Path

import pytest

TEST = Path(__file__).with_name("test_layout_shift.py")

if __name__ == "__main__":
    wanted = [f"{TEST}::test_nothing_moves_from_move_to_move[{slug}]" for slug in sys.argv[1:]]
    sys.exit(pytest.main(["-q", "-s", "--tb=line", *(wanted or [str(TEST)])]))
