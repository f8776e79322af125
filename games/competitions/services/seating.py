"""Opens the match of each table that was drawn: once, each in a transaction of its own."""

import structlog
from django.db import transaction

from accounts.models import User
from games.competitions.models import Place, Table, Tournament
from games.competitions.services.aside import left_alone, put_aside, release
from games.competitions.services.locking import changed
from games.models import Match
from games.services.lobby.seating import seat_together

log = structlog.get_logger(__name__)
BATCH = 50  # tables in a run, so that one large tournament holds up no other
ACCESS = {
    Tournament.Access.PUBLIC: Match.Access.OPEN,
    Tournament.Access.LINK: Match.Access.INVITATION,
    Tournament.Access.CLUB: Match.Access.CLUB,
}


def open_tables(tournament_id: int | None = None) -> int:
    """Open the matches of planned tables, of all tournaments or one; return how many.

    A tournament of which a table fails is set aside: its tables would fill each run, and no other's were opened.
    """
    planned = Table.objects.filter(state=Table.State.PLANNED).exclude(left_alone("round__tournament__"))
    if tournament_id is not None:
        planned = planned.filter(round__tournament=tournament_id)
    opened, well, failed = 0, set(), set()
    for table_id, whose in planned.order_by("pk").values_list("pk", "round__tournament")[:BATCH]:
        if whose in failed:
            continue
        try:
            opened += _open(table_id)
            well.add(whose)
        except Exception as error:
            log.exception("table not opened", table=table_id)
            failed.add(whose)
            put_aside(whose, error)
    for whose in well - failed:
        release(whose)
    return opened


def _open(table_id: int) -> bool:
    with transaction.atomic():
        rows = Table.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
        table = rows.select_related("round__tournament").filter(pk=table_id, state=Table.State.PLANNED).first()
        if table is None:
            return False
        tournament = table.round.tournament
        members = [place.entrant.user for place in _places(table)]
        here = [member for member in members if member is not None]
        if len(here) < len(members):  # somebody closed their account since the draw
            _seat_who_is_left(table, here)
            return False
        table.match = seat_together(
            members=here,
            game_slug=tournament.game_slug,
            options=tournament.options,
            pace=tournament.pace_slug,
            rated=tournament.rated,
            access=ACCESS[Tournament.Access(tournament.access)],
            club_id=tournament.club_id,
        )
        table.state = Table.State.RUNNING
        table.save(update_fields=["match", "state"])
        changed(tournament.pk)
    return True


def _places(table: Table) -> list[Place]:
    rows = Place.objects.filter(table=table).select_related("entrant__user").order_by("seat")
    users = [place.entrant.user_id for place in rows if place.entrant.user_id]
    list(User.objects.select_for_update(no_key=True).filter(pk__in=users).order_by("pk"))  # they are not closed now
    return list(rows.all())


def _seat_who_is_left(table: Table, here: list[User]) -> None:
    """Decide a table that cannot begin: whoever is there shares the places, whoever is gone is last."""
    places = list(Place.objects.filter(table=table).select_related("entrant").order_by("seat"))
    for place in places:
        place.away = place.entrant.user_id is None
        place.rank = 1 + len(here) if place.away else 1
    Place.objects.bulk_update(places, ["rank", "away"])
    table.state = Table.State.JUDGED
    table.save(update_fields=["state"])
