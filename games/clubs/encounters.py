"""Reads of encounters: who may see one, those of a club, what is asked of a member, who came out how."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Prefetch, Q, QuerySet

from accounts.models import User
from config.lib.formats import number
from games.clubs.models import Board, BoardSeat, Encounter, Lineup
from games.engine import placing
from games.models import Club, Match, Membership
from games.queries.clubs import club_ids_of, members_of
from games.queries.play import Person

STATE = Encounter.State
ANNOUNCED = (STATE.OFFERED, STATE.ACCEPTED)
UNDER_WAY = (*ANNOUNCED, STATE.RUNNING)
UNSETTLED = (Board.State.PLANNED, Board.State.RUNNING)
SIDES = (0, 1)


def found(encounter_id: int) -> Encounter | None:
    """Return the encounter with its clubs."""
    return Encounter.objects.select_related("challenger", "challenged").filter(pk=encounter_id).first()


def clubs(encounter: Encounter) -> tuple[Club | None, Club | None]:
    """Return both clubs, the challenger first; None for one that was dissolved."""
    return encounter.challenger, encounter.challenged


def names(encounter: Encounter) -> tuple[str, str]:
    """Return the names of both clubs, of a dissolved one as it was."""
    known = zip(clubs(encounter), encounter.names, strict=True)
    first, second = (club.name if club else name for club, name in known)
    return first, second


def may_see(encounter: Encounter, person: Person) -> bool:
    """Return whether the person may see it: everybody, or where a club is hidden, who belongs to one or sits there.

    Whoever only said that they play, and left the club before the hour, is a stranger to it.
    """
    if is_public(encounter):
        return True
    if person.pk is None:
        return False
    seats = BoardSeat.objects.filter(player__encounter=encounter, player__user=person.pk)
    return bool(sides_of(encounter, person)) or seats.exists()


def seen_by(person: Person, some: Iterable[Encounter]) -> set[int]:
    """Return the ids of those encounters that the person may see: `may_see` of many."""
    found = list(some)
    seen = {one.pk for one in found if is_public(one)}
    hidden = [one for one in found if one.pk not in seen]
    if not hidden or person.pk is None:
        return seen
    clubs_of = set(club_ids_of(person).values_list("club", flat=True))
    plays = Lineup.objects.filter(encounter__in=[one.pk for one in hidden], user=person.pk).values_list(
        "encounter", flat=True
    )
    return seen | {one.pk for one in hidden if clubs_of & set(one.sides)} | set(plays)


def is_public(encounter: Encounter) -> bool:
    """Return whether everybody may see it: both clubs are listed, and were when it was announced."""
    return encounter.public and all(club is None or club.is_listed for club in clubs(encounter))


def sides_of(encounter: Encounter, person: Person) -> list[int]:
    """Return for which sides the person may play: of whose clubs they are."""
    return [side for side, row in memberships(encounter, person).items() if row.is_in]


def memberships(encounter: Encounter, person: Person) -> dict[int, Membership]:
    """Return what the person is to the clubs, by side."""
    if person.pk is None:
        return {}
    rows = {row.club_id: row for row in Membership.objects.filter(club__in=_there(encounter), user=person.pk)}
    return {side: rows[club] for side, club in enumerate(encounter.sides) if club in rows}


def _there(encounter: Encounter) -> list[int]:
    return [club for club in encounter.sides if club is not None]


def organised_by(encounter: Encounter, person: Person) -> list[int]:
    """Return the sides whose club the person organises."""
    return [side for side, row in memberships(encounter, person).items() if row.organises]


def organisers(clubs: Iterable[int | None]) -> list[int]:
    """Return the ids of the owners and organisers of these clubs."""
    rows = Membership.objects.filter(club__in=[club for club in clubs if club], state=Membership.State.IN)
    return sorted(set(rows.exclude(role=Membership.Role.MEMBER).values_list("user", flat=True)))


def of_club(club: Club) -> QuerySet[Encounter]:
    """Return the encounters of a club, the latest first."""
    own = Q(challenger=club) | Q(challenged=club)
    return Encounter.objects.filter(own).select_related("challenger", "challenged").order_by("-pk")


def under_way(club_id: int) -> QuerySet[Encounter]:
    """Return what a club has announced, or plays now."""
    return Encounter.objects.filter(Q(challenger=club_id) | Q(challenged=club_id), state__in=UNDER_WAY)


def taken_up(club_id: int) -> QuerySet[Encounter]:
    """Return what a club has under way of its own will: not what others have proposed, and it has not answered."""
    return under_way(club_id).exclude(challenged=club_id, state=STATE.OFFERED)


def asked_of(person: User, most: int) -> list[Encounter]:
    """Return the next encounters, so many, in which this member has not said yet whether they play."""
    mine = club_ids_of(person)
    rows = Encounter.objects.filter(Q(challenger__in=mine) | Q(challenged__in=mine), state=STATE.ACCEPTED)
    rows = rows.exclude(lineup__user=person).select_related("challenger", "challenged")
    return list(rows.order_by("begins_at", "pk")[:most])


def to_answer(person: User, most: int) -> list[Encounter]:
    """Return the most urgent challenges, so many, that wait for this organiser's answer."""
    organised = Membership.objects.filter(user=person, state=Membership.State.IN).exclude(role=Membership.Role.MEMBER)
    rows = Encounter.objects.filter(challenged__in=organised.order_by().values("club"), state=STATE.OFFERED)
    return list(rows.select_related("challenger", "challenged").order_by("answer_by", "pk")[:most])


def said_yes(encounter: Encounter, side: int) -> QuerySet[Lineup]:
    """Return who said that they play and may: of the club still, their account open; in no order of strength."""
    club = encounter.sides[side]
    rows = Lineup.objects.filter(encounter=encounter, side=side, plays=True, user__is_active=True)
    return rows.filter(user__in=members_of(club or 0).order_by().values("user")).select_related("user")


@dataclass(frozen=True)
class Points:
    """The sums of both clubs, and how many tables have counted, count for nothing, or go on."""

    sums: tuple[Fraction, Fraction] = (Fraction(), Fraction())
    counted: int = 0
    void: int = 0
    running: int = 0


def left_over(encounter: Encounter) -> QuerySet[Lineup]:
    """Return who said that they play and sits at no table, of an encounter that has begun."""
    return Lineup.objects.filter(encounter=encounter, plays=True, places=None)


def boards_of(encounter: Encounter) -> list[Board]:
    """Return its tables by number, with their matches, their seats and who sits there (`seated`)."""
    seats = BoardSeat.objects.order_by("seat").select_related("player__user")
    rows = Board.objects.filter(encounter=encounter).order_by("number").select_related("match")
    return list(rows.prefetch_related(Prefetch("places", seats)))


def seated(board: Board) -> list[BoardSeat]:
    """Return who sits at a table that `boards_of` read, in the order of seats."""
    return list(board.places.all())


def table_points(board: Board) -> tuple[Fraction, Fraction] | None:
    """Return what a table gives to both clubs; None while it is not over, or if it counts for nothing."""
    if board.state != Board.State.OVER:
        return None
    seats = {seat.seat: seat for seat in seated(board)}
    ranks = {number: seat.rank or 1 for number, seat in seats.items()}
    away = {number for number, seat in seats.items() if seat.away}
    given = placing.points(placing.places(ranks, away))
    first, second = (sum((given[n] for n in given if seats[n].player.side == side), Fraction()) for side in SIDES)
    return first, second


def points_of(boards: Iterable[Board]) -> Points:
    """Return the sums of these tables, read from how everybody came out."""
    first = second = Fraction()
    counted = void = running = 0
    for board in boards:
        void += board.state == Board.State.VOID
        running += board.state in UNSETTLED
        if (given := table_points(board)) is not None:
            first, second, counted = first + given[0], second + given[1], counted + 1
    return Points((first, second), counted, void, running)


def final(encounter: Encounter) -> tuple[Fraction, Fraction] | None:
    """Return the sums with which it was over last; None if it never was."""
    parts = encounter.challenger_parts, encounter.challenged_parts
    if parts[0] is None or parts[1] is None:
        return None
    return part(encounter) * parts[0], part(encounter) * parts[1]


def part(encounter: Encounter) -> Fraction:
    """Return of what all points of an encounter are multiples: half of what one opponent behind gives."""
    return Fraction(placing.FIRST, 2 * (encounter.seats - 1))


def of_match(match: Match) -> Board | None:
    """Return the table of an encounter that a match is; None of any other."""
    return of_matches([match.pk]).first()


def of_matches(matches: Sequence[int]) -> QuerySet[Board]:
    """Return the tables of encounters among these matches."""
    return Board.objects.select_related("encounter__challenger", "encounter__challenged").filter(match__in=matches)


def points(value: Fraction) -> str:
    """Return points of a club match in words: whole, or with one decimal."""
    return number(int(value)) if value.denominator == 1 else number(float(value), 1)


def score(first: Fraction, second: Fraction) -> str:
    """Return two sums as "150 : 50"."""
    return f"{points(first)} : {points(second)}"
