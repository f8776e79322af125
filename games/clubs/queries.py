"""Reads of clubs: those that are listed, who belongs to one, and what waits for a member."""

from django.db.models import QuerySet

from games.models import Club


def listed() -> QuerySet[Club]:
    """Return the clubs that everybody may find, the largest first."""
    return Club.objects.exclude(access=Club.Access.INVITATION).order_by("-size", "id")
