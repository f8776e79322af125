"""The site's settings under test: each process has a folder, a Redis, a clock and a database of its own."""

import os
import tempfile
from pathlib import Path

HOME = Path(tempfile.mkdtemp(prefix="club-y-test-"))
os.environ |= {
    "VAR_DIR": str(HOME),
    "REDIS_URL": f"unix://{HOME}/redis.sock",
    "SECRET_KEY": "the key of the tests",
    "CLOCK_OFFSET_FILE": str(HOME / "clock"),
    "EXTRA_GAMES": "tests.sample_game",
    "STAFF_SECOND_FACTOR": "0",  # tests/accounts/test_staff.py has it
    "BOT_PAUSE": "0",  # bots move at once; tests of their pace set it
}

os.environ.setdefault("SITE_URL", "http://testserver")

from accounts.passwords import Hasher  # noqa: E402
from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, STORAGES, database_url  # noqa: E402

ON_POSTGRES = bool(database_url)
DATABASES["default"]["TEST"] = {"NAME": f"test_{os.getpid()}" if ON_POSTGRES else str(HOME / "club-y.sqlite3")}
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True


class QuickHasher(Hasher):
    """The real hash with one round: fast here, and good for a server under test too."""

    iterations = 1


PASSWORD_HASHERS = ["tests.settings.QuickHasher", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
