"""What ladders store about a member: the data export, and that a closed account leaves a climber without a name."""

from typing import Any

from django.db.models import Q

from accounts.models import User
from config.lib.giving_way import lock_at_once
from games.ladders.models import Challenge, Change, Climber, Ladder


def ladder_data(user: User) -> dict[str, Any]:
    """Return where the member stands and stood, their challenges, and what changed; a hook (DATA_EXPORTS)."""
    rows = Climber.objects.filter(user=user).select_related("ladder").order_by("ladder")
    return {"ladders": [_on_ladder(climber) for climber in rows]}


def lock_ladders(user: User) -> None:
    """Lock the ladders on which the person stands or stood. GiveWay. A hook of accounts (ON_ACCOUNT_CLOSING).

    Whoever holds a ladder may wait for the person's row until their transaction ends: the sweep then takes them off.
    """
    lock_at_once(Ladder.objects.filter(pk__in=Climber.objects.filter(user=user).values("ladder")).order_by("pk"))


def _on_ladder(climber: Climber) -> dict[str, Any]:
    own = Q(challenger=climber) | Q(challenged=climber)
    challenges = Challenge.objects.filter(own).select_related("challenger__user", "challenged__user").order_by("pk")
    changes = Change.objects.filter(climber=climber).order_by("pk")
    return {
        "game": climber.ladder.game_slug,
        "place": climber.place,
        "matches_at_once": climber.at_once,
        "joined_at": climber.joined_at.isoformat(),
        "left_at": climber.left_at and climber.left_at.isoformat(),
        "paused_until": climber.paused_until and climber.paused_until.isoformat(),
        "declined_freely_at": climber.declined_at and climber.declined_at.isoformat(),
        "challenges": [_challenge(one, climber) for one in challenges],
        "changes": [
            {"at": one.at.isoformat(), "kind": one.kind, "from": one.before, "to": one.after} for one in changes
        ],
    }


def _challenge(challenge: Challenge, climber: Climber) -> dict[str, Any]:
    is_mine = challenge.challenger_id == climber.pk
    other = challenge.challenged if is_mine else challenge.challenger
    return {
        "made_by_you": is_mine,
        "other": other.user.username if other.user else None,
        "at": challenge.made_at.isoformat(),
        "state": challenge.state,
        "match": challenge.match_id,
    }
