"""A form that makes something makes it once, however often the same post arrives, even at the same moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from config.lib import clock
from config.lib.steps import delete_in_steps
from games.models import POSTS_KEPT, PlayedKey, Posted


@contextmanager
def claimed(mark: str) -> Iterator[Posted]:
    """Let one of all posts with this mark do its deed and set the `answer`; the others wait, and find it.

    All within is one transaction, which is undone if there is no answer.
    """
    with transaction.atomic():
        post, _made = Posted.objects.get_or_create(mark=mark)
        known = post.answer
        yield post
        if not post.answer:
            transaction.set_rollback(True)
        elif not known:
            post.save()


def forget_old() -> int:
    """Delete the posts of before a day, of forms and of moves; return how many."""
    before = clock.now() - POSTS_KEPT
    return sum(delete_in_steps(model.objects.filter(at__lt=before)) for model in (Posted, PlayedKey))
