"""Has the webhooks of a tournament called, and removes those of tournaments that were over long ago."""

from datetime import timedelta

from config.lib import clock
from games.competitions.models import Tournament
from games.models import Webhook
from games.services.webhooks import groups

KEPT = timedelta(days=30)  # after the end
OVER = (Tournament.State.OVER, Tournament.State.CANCELLED)


def group_of(tournament_id: int) -> groups.Group:
    """Return whose webhooks these are."""
    return groups.Group(Webhook.Of.TOURNAMENT, tournament_id)


def tell(tournament_id: int, kind: str, about: int = 0, *, again: int = 0) -> None:
    """Have its webhooks called: about a "round" by its number, a "table" by its id, that it is "over", "cancelled"."""
    groups.tell(group_of(tournament_id), kind, about, again=again)


def forget_old() -> None:
    """Remove the webhooks of tournaments that ended a month ago: they say nothing any more."""
    kept = {hook.of_id or 0 for hook in Webhook.objects.filter(of=Webhook.Of.TOURNAMENT).only("of_id")}
    if kept:
        old = Tournament.objects.filter(pk__in=kept, state__in=OVER, ended_at__lt=clock.now() - KEPT)
        for number in list(old.values_list("pk", flat=True)):
            groups.forget(group_of(number))
