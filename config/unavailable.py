"""The page for what the database cannot do at the moment: 503 in words, instead of "our fault"."""

import errno

from django.db import InterfaceError, OperationalError
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# PostgreSQL's states: a lock or statement that waited too long, a deadlock, two at the same row.
BUSY_STATES = {"55P03", "57014", "40P01", "40001"}
FULL_STATES = {"53100", "58030"}
BUSY_WORDS = ("database is locked", "database table is locked", "lock timeout")
FULL_WORDS = ("disk is full", "could not extend file", "no space left", "disk i/o error", "readonly database")

BUSY: tuple[str | Promise, int] = (_("Others are changing the same thing, and it takes longer than it should."), 2)
FULL: tuple[str | Promise, int] = (_("Nothing can be stored at the moment; those who run the site are told."), 60)
AWAY: tuple[str | Promise, int] = (_("The place where all matches are kept is just being started again."), 5)


def reason(error: BaseException | None) -> tuple[str | Promise, int] | None:
    """Return a sentence, and after how many seconds to try again; None when the database is not to blame."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return FULL
    if not isinstance(error, OperationalError | InterfaceError):
        return None
    state, words = getattr(error.__cause__, "sqlstate", None), str(error).lower()
    if state in BUSY_STATES or any(word in words for word in BUSY_WORDS):
        return BUSY
    if state in FULL_STATES or any(word in words for word in FULL_WORDS):
        return FULL
    return None if words.startswith("no such ") else AWAY


def answer(error: BaseException | None) -> HttpResponse | None:
    """Return the page, with `Retry-After`; None when the database is not to blame."""
    if (found := reason(error)) is None:
        return None
    sentence, seconds = found
    response = HttpResponse(render_to_string("503.html", {"sentence": sentence}), status=503)
    response.headers["Retry-After"] = str(seconds)
    return response
