"""A form that makes something makes it once, however often the same post arrives, even at the same moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from config.lib import clock
from games.models import POSTS_KEPT, Posted


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
    """Delete the posts of before a day; return how many."""
    return Posted.objects.filter(at__lt=clock.now() - POSTS_KEPT).delete()[0]
