"""The facts of the site's own life: when its parts last showed that they live, and when they failed."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """When a part of the site last showed that it lives: `web` (it was open), `sweep` (people were told)."""

    name = models.CharField(primary_key=True, max_length=10)
    at = models.DateTimeField()
    since = models.DateTimeField()  # when it last began to beat without a gap

    def __str__(self) -> str:
        return self.name


class Outage(models.Model):
    """A time in which the site failed its members; each running clock is given it back once."""

    part = models.CharField(max_length=10)  # the heartbeat that was missing, or "admin" for a gift to all
    start = models.DateTimeField()
    end = models.DateTimeField()

    class Meta:
        verbose_name = _("outage")

    def __str__(self) -> str:
        return f"{self.part} {self.start:%Y-%m-%d %H:%M}-{self.end:%H:%M}"
