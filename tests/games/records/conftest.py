"""The folder of published records, and a match that ended."""

from datetime import timedelta
from random import Random

import pytest

from config.lib import clock as present
from games.models import Match
from tests.factories import played_on, seated


@pytest.fixture
def months(settings, tmp_path, clock):
    """The folder of the files; the clock stands in the middle of a month."""
    settings.RECORDS_DIR = str(tmp_path / "records")
    coming = (present.now().replace(day=1) + timedelta(days=32)).replace(day=15)
    clock.forward((coming - present.now()).total_seconds())
    return tmp_path / "records"


@pytest.fixture
def over(ann, bob) -> Match:
    return played_on(seated(ann, bob), Random(1))
