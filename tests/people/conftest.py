"""The cast of the games' tests, and boards that start empty."""

from tests.games.conftest import _no_limits_left, ann, bob, cem, eve, gus  # noqa: F401
from tests.leaderboards.conftest import _no_ranks_left  # noqa: F401
