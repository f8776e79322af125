"""What forms that make something have made."""

from datetime import timedelta

from django.db import models

from config.lib import clock

POSTS_KEPT = timedelta(days=1)


class Posted(models.Model):
    """The post of a form that made something: the same post again gets the same answer."""

    mark = models.CharField(primary_key=True, max_length=64)  # a hash of who, where and what, the form's key included
    answer = models.CharField(max_length=300)  # an address
    guest = models.BigIntegerField(null=True)  # who a visitor became by it
    at = models.DateTimeField(default=clock.now, db_index=True)

    def __str__(self) -> str:
        return self.answer
