"""By what an open page learns that it is stale: which build of the site answers, and to whom."""

import os
from functools import cache
from hashlib import blake2b
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.crypto import salted_hmac

VISITOR = "visitor"


@cache
def build() -> str:
    """Return a mark of the pages that this process makes: `BUILD`, or a hash of templates and static files."""
    if named := os.environ.get("BUILD", ""):
        return named
    found = blake2b(str(getattr(staticfiles_storage, "manifest_hash", "")).encode(), digest_size=6)
    for folder in map(Path, settings.TEMPLATE_DIRS):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            found.update(path.read_bytes())
    return found.hexdigest()


def mark(user_id: int | None) -> str:
    """Return an opaque mark of who is logged in, the same in all of their sessions; one for all visitors."""
    return VISITOR if user_id is None else salted_hmac("present", str(user_id)).hexdigest()[:16]
