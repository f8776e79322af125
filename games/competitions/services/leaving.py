"""What leaving a club does in its tournaments (spec: clubs.md, Tournaments of a club): one takes part no more."""

from typing import Any

from django.db.models import QuerySet

from games.competitions.models import Entrant, Tournament
from games.competitions.services.calls import group_of
from games.competitions.services.locking import lock
from games.competitions.services.rounds import leave
from games.models import Membership
from games.services.webhooks import groups

UNDER_WAY = (Tournament.State.OPEN, Tournament.State.RUNNING)


def of_clubs_under_way(clubs: Any) -> QuerySet[Tournament]:
    """Return the tournaments for members of these clubs, by number, that are open or run."""
    return Tournament.objects.filter(club__in=clubs, access=Tournament.Access.CLUB, state__in=UNDER_WAY)


def leave_club(club_id: int, user_id: int) -> None:
    """Withdraw who leaves a club from its tournaments that are open or run; those they organise pass to its owner.

    Their webhooks go. A hook (ON_LEAVING_CLUB), in the transaction in which they stopped belonging to it. All of the
    club's are locked: whoever signs up at this instant is waited for. Tables that have begun are played on.
    """
    own = of_clubs_under_way([club_id])
    owner = Membership.objects.filter(club=club_id, role=Membership.Role.OWNER).exclude(user=user_id).first()
    for tournament_id in list(own.order_by("pk").values_list("pk", flat=True)):
        tournament = lock(tournament_id)
        entrant = Entrant.objects.filter(tournament=tournament, user=user_id, left="").first()
        if entrant is not None and tournament.state in UNDER_WAY:
            entrant.tournament = tournament
            leave(entrant, Entrant.Left.WITHDREW)
        if tournament.organiser_id == user_id:
            tournament.organiser = owner.user if owner else None
            tournament.save(update_fields=["organiser"])
            groups.forget(group_of(tournament_id))  # which tell on, where none of the club may read it
