"""Reads of tournaments: what the draw and the standings need, and what pages list."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.queries import blocks_among
from config.lib import clock
from games.competitions import pairing
from games.competitions.models import Entrant, Offer, Place, Round, Table, Tournament
from games.engine import Game
from games.models import Club, Membership
from games.queries.clubs import belongs, club_ids_of
from games.queries.play import Person
from games.rules import get_game

UNSETTLED = (Table.State.PLANNED, Table.State.RUNNING)
REMEMBERED = timedelta(days=7)  # for which a tournament that is over stands among one's own
COUNTED = (Table.State.OVER, Table.State.JUDGED, Table.State.VOID)


def plan_of(tournament: Tournament) -> pairing.Plan:
    """Return what was announced, as the draw reads it."""
    least, most = sizes_with(tournament.game_slug, tournament.options)
    return pairing.Plan(
        format=tournament.format,
        seats=tournament.seats,
        least=least,
        most=most,
        rounds=tournament.rounds_wished,
        advance=tournament.advance,
        matches=tournament.matches,
    )


def sizes_with(game_slug: str, options: dict[str, Any]) -> tuple[int, int]:
    """Return from how many to how many seats a game allows with these options; (0, 0): none."""
    game = get_game(game_slug)
    sizes = [size for size in range(game.min_seats, game.max_seats + 1) if _is_possible(game, size, options)]
    return (sizes[0], sizes[-1]) if sizes else (0, 0)


def _is_possible(game: Game, size: int, options: dict[str, Any]) -> bool:
    try:
        game.full_options(size, options)
    except ValueError:
        return False
    return True


def field_of(tournament: Tournament) -> list[pairing.Entrant]:
    """Return who is still seated."""
    return _entrants(Entrant.objects.filter(tournament=tournament, left="", user__isnull=False))


def everybody(tournament: Tournament) -> list[pairing.Entrant]:
    """Return who takes part or took part, also those who left; not who left before it began."""
    return _entrants(who_took_part(tournament))


def who_took_part(tournament: Tournament) -> QuerySet[Entrant]:
    """Return who takes part, and who left after they had been seated."""
    seated = Exists(Place.objects.filter(entrant=OuterRef("pk")))
    return Entrant.objects.filter(Q(left="") | seated, tournament=tournament)


def _entrants(found: QuerySet[Entrant]) -> list[pairing.Entrant]:
    return [pairing.Entrant(*row) for row in found.order_by("number").values_list("number", "strength", "lot")]


def apart(tournament: Tournament) -> set[frozenset[int]]:
    """Return the pairs of numbers whom a block keeps from sitting together, which nobody is told."""
    rows = Entrant.objects.filter(tournament=tournament, left="", user__isnull=False)
    numbers = dict(rows.values_list("user_id", "number"))
    return {frozenset(numbers[person] for person in pair) for pair in blocks_among(numbers)}


def results_of(tournament: Tournament) -> list[pairing.Result]:
    """Return the tables that are over, by round and number."""
    rows = Place.objects.filter(table__round__tournament=tournament, table__state__in=COUNTED)
    columns = ("table", "round__number", "table__state", "entrant__number", "rank", "score", "away")
    found: dict[int, list[tuple]] = {}
    for table, *row in rows.order_by("round__number", "table__number", "seat").values_list(*columns):
        found.setdefault(table, []).append(tuple(row))
    return [_result(places) for places in found.values()]


def _result(places: list[tuple]) -> pairing.Result:
    last = len(places)
    return pairing.Result(
        round=places[0][0],
        places=tuple((number, rank or last, score) for _round, _state, number, rank, score, _away in places),
        void=places[0][1] == Table.State.VOID,
        away=frozenset(number for *_table, number, _rank, _score, away in places if away),
    )


def visible(person: Person) -> QuerySet[Tournament]:
    """Return the tournaments that this person may find without a link: public, of their clubs, what concerns them."""
    found = Q(access=Tournament.Access.PUBLIC)
    if person.pk is not None:
        own = Entrant.objects.filter(user=person.pk).values("tournament")
        asked = Offer.objects.filter(user=person.pk, state=Offer.State.OPEN).values("tournament")
        found |= Q(access=Tournament.Access.CLUB, club__in=club_ids_of(person))
        found |= Q(organiser=person.pk) | Q(pk__in=own) | Q(pk__in=asked)
    return Tournament.objects.filter(found)


def may_see(tournament: Tournament, person: Person) -> bool:
    """Return whether this person may see a tournament without its link: who takes part, organises or moderates.

    Besides, of one for members of a club, those.
    """
    if tournament.access == Tournament.Access.PUBLIC:
        return True
    if person.pk is None:
        return False
    if tournament.organiser_id == person.pk or person.has_perm("moderation.moderate"):
        return True
    if tournament.access == Tournament.Access.CLUB and belongs(tournament.club_id, person):
        return True
    if Entrant.objects.filter(tournament=tournament, user_id=person.pk).exists():
        return True
    return offers_to(person).filter(tournament=tournament).exists()


def offers_to(person: Person) -> QuerySet[Offer]:
    """Return the places that this person is asked to take, and has not answered about, the oldest first."""
    if person.pk is None:
        return Offer.objects.none()
    rows = Offer.objects.filter(user=person.pk, state=Offer.State.OPEN)
    return rows.select_related("tournament", "entrant__user", "by").order_by("pk")


def clubs_organised(person: Person) -> list[Club]:
    """Return the clubs whose tournaments this person may announce, by name."""
    if person.pk is None:
        return []
    own = Membership.objects.filter(user=person.pk, state=Membership.State.IN)
    found = own.exclude(role=Membership.Role.MEMBER).select_related("club").order_by("club__name")
    return [one.club for one in found]


def under_way_of(person: Person) -> QuerySet[Tournament]:
    """Return what this person takes part in or organises, while it is open or runs, and a week after."""
    own = Entrant.objects.filter(user=person.pk, left="").order_by().values("tournament")
    lately = Q(ended_at__isnull=True) | Q(ended_at__gt=clock.now() - REMEMBERED)
    organised = Tournament.objects.filter(organiser=person.pk).values("pk")
    return Tournament.objects.filter(lately, pk__in=own.union(organised))  # by OR, all there ever were were read


def entered_by(person: Person, tournaments: Iterable[Tournament]) -> set[int]:
    """Return in which of these tournaments this person takes part, by their ids."""
    own = Entrant.objects.filter(user=person.pk, left="", tournament__in=[one.pk for one in tournaments])
    return set(own.values_list("tournament_id", flat=True))


def listed(found: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Return tournaments with their organisers and how many take part (`entered`)."""
    within = Entrant.objects.filter(tournament=OuterRef("pk"), left="").order_by().values("tournament")
    counted = Coalesce(Subquery(within.annotate(n=Count("pk")).values("n")), 0)
    return found.select_related("organiser", "club").defer("words", "server_seed").annotate(entered=counted)


def entrant_of(tournament: Tournament, person: Person) -> Entrant | None:
    """Return the person's entry, also after they left; None without one."""
    if person.pk is None:
        return None
    return Entrant.objects.filter(tournament=tournament, user_id=person.pk).first()


def entrants(tournament: Tournament) -> list[Entrant]:
    """Return who takes part or took part, with their accounts, by number."""
    return list(Entrant.objects.filter(tournament=tournament).select_related("user").order_by("number"))


def rounds_of(tournament: Tournament) -> list[Round]:
    """Return the rounds that were drawn, the first first."""
    return list(Round.objects.filter(tournament=tournament).order_by("number"))


def running_of(tournament: Tournament) -> list[tuple[int, pairing.Table]]:
    """Return the tables that are not over, each with the number of its round, as the standings read them."""
    rows = Place.objects.filter(table__round__tournament=tournament, table__state__in=UNSETTLED)
    found: dict[tuple[int, int], list[int]] = {}
    columns = ("table", "round__number", "entrant__number")
    for table, number, entrant in rows.order_by("table", "seat").values_list(*columns):
        found.setdefault((number, table), []).append(entrant)
    return [(number, tuple(people)) for (number, _table), people in found.items()]


def is_playing(entrant: Entrant) -> bool:
    """Return whether the entrant sits at a table that is not over."""
    return Place.objects.filter(entrant=entrant, table__state__in=UNSETTLED).exists()
