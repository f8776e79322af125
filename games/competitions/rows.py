"""Who takes part and who sat where, as light rows: a page has hundreds of each."""

from collections.abc import Iterable
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from django.db.models import IntegerField, QuerySet
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from accounts.models import badge_of
from games.competitions.models import Correction, Entrant, Place, Table, Tournament
from games.models import Match
from games.table import profile_address


class Player(NamedTuple):
    """An entrant with what is shown of their account."""

    pk: int
    number: int
    user_id: int | None
    left: str
    ready_at: datetime | None
    strength: int
    lot: int
    username: str | None
    is_active: bool | None
    is_staff: bool | None
    is_superuser: bool | None

    @property
    def is_in(self) -> bool:
        """Whether they are seated in the coming rounds."""
        return not self.left and self.user_id is not None

    @property
    def name(self) -> str:
        """The name under which they are shown, also after their account was closed."""
        return self.username or _("former member")

    @property
    def profile(self) -> str:
        """The address of their profile; empty without one."""
        return profile_address(self.username) if self.username and self.is_active else ""

    @property
    def badge(self) -> str:
        """What stands at the name of staff."""
        return str(badge_of(self.is_staff, self.is_superuser)) if self.is_active else ""


class TableRow(NamedTuple):
    """A table with what is shown of its round and its match."""

    pk: int
    number: int
    leg: int
    state: str
    round: int
    match_id: int | None
    access: str | None
    turns: int | None
    status: str | None

    @property
    def is_public(self) -> bool:
        """Whether everybody may look at its match."""
        return self.match_id is not None and self.access == Match.Access.OPEN

    @property
    def goes_on(self) -> bool:
        """Whether its match is still played, perhaps outside the tournament."""
        return self.status == Match.Status.RUNNING


class PlaceRow(NamedTuple):
    """A seat at a table, and how its entrant came out."""

    table_id: int
    entrant_id: int
    rank: int | None
    score: int | None
    away: int


class CorrectionRow(NamedTuple):
    """What was done to a tournament, by whom, with the round and the number of a table."""

    kind: str
    at: datetime
    reason: str
    until: datetime | None
    entrant_id: int | None
    instead_id: int | None
    round: int | None
    table: int | None
    by: str | None
    is_active: bool | None
    is_staff: bool | None
    is_superuser: bool | None


def players(tournament: Tournament) -> list[Player]:
    """Return who takes part or took part, by number."""
    own = ("pk", "number", "user_id", "left", "ready_at", "strength", "lot")
    theirs = (f"user__{name}" for name in ("username", "is_active", "is_staff", "is_superuser"))
    rows = Entrant.objects.filter(tournament=tournament).order_by("number").values_list(*own, *theirs)
    return [Player(*row) for row in rows]


def tables_of(tournament: Tournament, round_number: int | None = None) -> QuerySet[Table, tuple[Any, ...]]:
    """Return the tables of a round by its number, or of all rounds, the latest first, as columns of TableRow."""
    found = Table.objects.filter(round__tournament=tournament)
    if round_number is not None:
        found = found.filter(round__number=round_number)
    own = ("pk", "number", "leg", "state", "round__number", "match_id")
    theirs = (f"match__{name}" for name in ("access", "turns", "status"))
    return found.order_by("-round__number", "number").values_list(*own, *theirs)


def places_at(tables: Iterable[TableRow]) -> dict[int, list[PlaceRow]]:
    """Return the seats of these tables in their order, by table."""
    found: dict[int, list[PlaceRow]] = {}
    rows = Place.objects.filter(table__in=[table.pk for table in tables]).order_by("table", "seat")
    for row in rows.values_list("table_id", "entrant_id", "rank", "score", _whole("away")):
        found.setdefault(row[0], []).append(PlaceRow(*row))
    return found


def corrections_of(tournament: Tournament) -> list[CorrectionRow]:
    """Return what was done to a tournament, the latest first."""
    own = ("kind", "at", "reason", "until", "entrant_id", "instead_id", "table__round__number", "table__number")
    theirs = (f"by__{name}" for name in ("username", "is_active", "is_staff", "is_superuser"))
    rows = Correction.objects.filter(tournament=tournament).order_by("-pk").values_list(*own, *theirs)
    return [CorrectionRow(*row) for row in rows]


def fingerprint(tournament: Tournament) -> str:
    """Return a hash of all results and of who sits where: while it is the same, so are the standings."""
    rows = Place.objects.filter(round__tournament=tournament).order_by("pk")
    seats = rows.values_list("table_id", "entrant_id", "rank", "score", _whole("away"))
    states = Table.objects.filter(round__tournament=tournament).order_by("pk").values_list("state", flat=True)
    told = repr((list(seats), list(states)))
    return blake2b(told.encode(), digest_size=16).hexdigest()


def _whole(name: str) -> Cast:
    """Return a column of yes and no as a number, which SQLite gives as it is."""
    return Cast(name, IntegerField())
