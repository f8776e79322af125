"""What tournaments decide by the clock, while it is in doubt whether that is right (docs/decisions/0029)."""

from datetime import datetime

from games.competitions import queries
from games.competitions.models import Entrant, Round, Tournament
from games.competitions.services import arena, judging
from games.competitions.services.aside import left_alone

STATE = Tournament.State


def count(until: datetime) -> int:
    """Return how many tournaments would begin or end by the clock, and tables be decided; a hook (ALSO_DUE)."""
    beginning = Tournament.objects.filter(state=STATE.OPEN, begins_at__lte=until).exclude(left_alone())
    evenings = arena.running().exclude(left_alone()).exclude(rounds__tables__state__in=queries.UNSETTLED)
    ending = sum(one.began_at is not None and one.began_at + one.round_span <= until for one in evenings)
    return beginning.count() + ending + judging.late(until).count()


def bring_back(now: datetime) -> None:
    """Let what was noted while the clock was ahead be of now; a hook of games (ON_CLOCK_SET_BACK)."""
    Tournament.objects.filter(state=STATE.RUNNING, began_at__gt=now).update(began_at=now)
    Entrant.objects.filter(ready_at__gt=now).update(ready_at=now)
    for round_ in Round.objects.filter(ended_at=None, drawn_at__gt=now):
        Round.objects.filter(pk=round_.pk).update(drawn_at=now, ends_at=now + (round_.ends_at - round_.drawn_at))
