"""What the webhooks of a club say of its matches against other clubs: announced, accepted, called off, the result."""

from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.clubs import encounters
from games.clubs.models import Encounter

STATE = Encounter.State
TRUE_IN = {  # a kind is told while the encounter stands so
    "announced": (STATE.OFFERED, STATE.ACCEPTED),
    "accepted": (STATE.ACCEPTED, STATE.RUNNING),
    "called_off": (STATE.CALLED_OFF,),
    "result": (STATE.OVER,),
}


def facts_of(club_id: int, kind: str, about: int) -> dict[str, Any] | None:
    """Return what there is to say of an encounter to one of its clubs; None when it is true no more (GROUP_FACTS)."""
    encounter = encounters.found(about)
    if encounter is None or club_id not in encounter.sides or encounter.state not in TRUE_IN[kind]:
        return None
    first, second = encounters.names(encounter)
    words = {"first": first, "second": second, "game": encounter.game_name}
    sums = encounters.final(encounter) if kind == "result" else None
    if sums is not None:
        words["score"] = encounters.score(*sums)
    return {
        "text": _said(kind) % words,
        "url": urljoin(settings.SITE_URL, reverse("club-match", args=[encounter.pk])),
        "club_match": encounter.pk,
        "game": encounter.game_slug,
        "clubs": [first, second],
        "begins": encounter.begins_at.isoformat(timespec="seconds"),
        "points": [float(points) for points in sums] if sums is not None else None,
    }


def _said(kind: str) -> str:
    return {
        "announced": _("%(first)s challenges %(second)s to a club match of %(game)s."),
        "accepted": _("The club match %(first)s – %(second)s of %(game)s takes place."),
        "called_off": _("The club match %(first)s – %(second)s of %(game)s is called off."),
        "result": _("The club match %(first)s – %(second)s of %(game)s is over: %(score)s."),
    }[kind]
