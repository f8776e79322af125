"""A site of one address that plays a move without anything of ours, for `tests.bench.bare`."""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone

from games.models import Match, Turn


def move(request: HttpRequest, match_id: int) -> HttpResponse:
    """Play a move that means nothing."""
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        match.turns += 1
        match.version += 1
        match.moved_at = timezone.now()
        match.save(update_fields=["turns", "version", "moved_at"])
        Turn.objects.create(
            match=match, number=match.turns, by="person", move={"type": "roll"}, draws=[], events=[], at=0
        )
    return HttpResponse()


urlpatterns = [
    path("livez", lambda request: HttpResponse()),
    path("move/<int:match_id>/", move),
]
