"""The only way to lock a ladder: its row; time in which the site was down is given back first."""

from collections.abc import Iterable

from django.db.models import F

from accounts.models import User
from config.lib import sql
from games import broadcast
from games.ladders.models import Challenge, Climber, Ladder
from games.models import Outage
from games.services.clocks.outages import owed_to


def changed(game_slug: str) -> None:
    """Have the open pages of a ladder look at it again, after commit."""
    broadcast.series_changed(name_of(game_slug))


def name_of(game_slug: str) -> str:
    """Return under which name a ladder's open pages are rung."""
    return f"ladder.{game_slug}"


def lock(ladder_id: int, *, wait: bool = True, people: Iterable[int | None] = ()) -> Ladder:
    """Return the ladder, locked until the transaction ends. Ladder.DoesNotExist, also without `wait`.

    After it these members are kept, before any row here that names them: who closes an account now is waited for.
    """
    found = Ladder.objects.select_for_update(skip_locked=not wait, no_key=True).get(pk=ladder_id)
    sql.kept(User, [number for number in people if number is not None])
    _give_back(found)
    return found


def lock_of(game_slug: str, *, people: Iterable[int] = ()) -> Ladder:
    """Return the locked ladder of a game that has one, as `lock` does; made if nobody has joined it yet."""
    last = Outage.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    made, _new = Ladder.objects.get_or_create(game_slug=game_slug, defaults={"outage": last})
    return lock(made.pk, people=people)


def _give_back(ladder: Ladder) -> None:
    """Move the time to answer, and since when somebody is idle, by each outage that they were not given yet."""
    outages = list(Outage.objects.filter(pk__gt=ladder.outage).order_by("pk"))
    if not outages:
        return
    for challenge in Challenge.objects.filter(ladder=ladder, state=Challenge.State.OPEN):
        for outage in outages:
            challenge.answer_by += owed_to(challenge.answer_by, challenge.made_at, outage)
        challenge.save(update_fields=["answer_by"])
    for outage in outages:
        owed = outage.end - outage.start
        idle = Climber.objects.filter(ladder=ladder, place__isnull=False, paused_at=None)
        idle.filter(idle_since__lte=outage.start).update(
            idle_since=F("idle_since") + owed, falls_at=F("falls_at") + owed
        )
    ladder.outage = outages[-1].pk
    ladder.save(update_fields=["outage"])
