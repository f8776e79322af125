"""The settings of the bench's site without its addresses and middleware."""

from tests.bench.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.bare_site"
MIDDLEWARE = ["allauth.account.middleware.AccountMiddleware"]  # without which its app does not start
