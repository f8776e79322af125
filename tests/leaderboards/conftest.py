"""Leaderboards start empty here."""

import pytest


@pytest.fixture(autouse=True)
def _no_ranks_left(no_ranks_left: None) -> None:
    """Ask for it in every test."""
