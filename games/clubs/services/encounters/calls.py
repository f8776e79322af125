"""Has the webhooks of both clubs called about an encounter."""

from games.clubs.models import Encounter
from games.models import Webhook
from games.services.webhooks import groups


def tell(encounter: Encounter, kind: str, *, again: int = 0) -> None:
    """Have both clubs' webhooks called about a locked encounter: "announced", "accepted", "called_off" or "result"."""
    for club_id in encounter.sides:
        if club_id is not None:
            groups.tell(groups.Group(Webhook.Of.CLUB, club_id), kind, encounter.pk, again=again)
