"""The only way to lock a tournament: its row; time in which the site was down is given to its limits first."""

from games import broadcast
from games.competitions.models import Round, Tournament
from games.models import Outage
from games.services.clocks.outages import owed_to


def lock(tournament_id: int, *, wait: bool = True) -> Tournament:
    """Return the tournament, locked until the transaction ends. Tournament.DoesNotExist, also without `wait`."""
    found = Tournament.objects.select_for_update(skip_locked=not wait, no_key=True).get(pk=tournament_id)
    _give_back(found)
    return found


def changed(tournament_id: int) -> None:
    """Have the open pages of a tournament look at it again, after commit."""
    broadcast.series_changed(name_of(tournament_id))


def name_of(tournament_id: int) -> str:
    """Return under which name a tournament's open pages are rung."""
    return f"tournament.{tournament_id}"


def current(tournament: Tournament) -> Round | None:
    """Return the round that was drawn last."""
    return Round.objects.filter(tournament=tournament).order_by("number").last()


def _give_back(tournament: Tournament) -> None:
    """Move the limits by each outage that they were not given yet: sign-up's end, the running round's, an evening's."""
    outages = list(Outage.objects.filter(pk__gt=tournament.outage).order_by("pk"))
    if not outages:
        return
    if tournament.state == Tournament.State.OPEN:
        for outage in outages:
            tournament.begins_at += owed_to(tournament.begins_at, tournament.created_at, outage)
    if tournament.state == Tournament.State.RUNNING and tournament.is_arena and tournament.began_at is not None:
        for outage in outages:  # its end follows from its beginning
            tournament.began_at += owed_to(tournament.began_at + tournament.round_span, tournament.began_at, outage)
    for round_ in Round.objects.filter(tournament=tournament, ended_at=None):
        for outage in outages:
            round_.ends_at += owed_to(round_.ends_at, round_.drawn_at, outage)
        round_.save(update_fields=["ends_at"])
    tournament.outage = outages[-1].pk
    tournament.save(update_fields=["outage", "begins_at", "began_at"])
