"""What streams tell of clubs, their chats and matches, and of circles of friends (spec: streams.md)."""

from typing import Any

from accounts.models import User
from games.api.services.concerns import Concern
from games.clubs import circles, encounters
from games.clubs.models import Circle, CircleMember, Encounter
from games.models import Membership
from games.queries.clubs import may_see, with_news

# What one is to a club, and to who organises it how many ask to join.
_CLUBS = """
    SELECT own.user_id AS user_id, own.club_id AS subject,
        CASE WHEN own.state = 'invited' THEN 1 WHEN own.state = 'asked' THEN 2 WHEN own.role = 'member' THEN 3
            ELSE CASE WHEN own.role = 'organiser' THEN 4 ELSE 5 END + 10 * (
                SELECT COUNT(*) FROM games_membership asking
                WHERE asking.club_id = own.club_id AND asking.state = 'asked') END AS mark
    FROM games_membership own WHERE own.state <> 'out'"""
# The last line that somebody has not read, of people whom they hear.
_LAST = """
    SELECT MAX(line.id) FROM games_chatline line
    WHERE line.club_id = own.club_id AND line.id > own.seen AND NOT line.hidden AND line.user_id <> own.user_id
    AND NOT EXISTS (SELECT 1 FROM games_muted deaf WHERE deaf.user_id = own.user_id AND deaf.person_id = line.user_id)
    AND NOT EXISTS (SELECT 1 FROM accounts_block apart
        WHERE (apart.blocker_id = own.user_id AND apart.blocked_id = line.user_id)
        OR (apart.blocker_id = line.user_id AND apart.blocked_id = own.user_id))"""
_TALK = f"""
    SELECT own.user_id AS user_id, own.club_id AS subject, ({_LAST}) AS mark
    FROM games_membership own WHERE own.state = 'in' AND ({_LAST}) IS NOT NULL"""  # noqa: S608 (nothing of it is given)
# Those that are agreed or go on, and to organisers what is offered.
_MATCHES = """
    SELECT own.user_id AS user_id, met.id AS subject,
        CASE met.state WHEN 'offered' THEN 1 WHEN 'accepted' THEN 2 ELSE 3 END AS mark
    FROM games_membership own JOIN clubs_encounter met
        ON (met.challenger_id = own.club_id OR met.challenged_id = own.club_id)
        AND (met.state IN ('accepted', 'running') OR (met.state = 'offered' AND own.role <> 'member'))
    WHERE own.state = 'in'"""
_CIRCLES = """
    SELECT own.user_id AS user_id, own.circle_id AS subject, CASE WHEN own.accepted THEN 2 ELSE 1 END AS mark
    FROM clubs_circlemember own"""


def _clubs(user: User, numbers: list[int]) -> dict[int, dict[str, Any]]:
    """Return what the member is to these clubs; nothing of those that they may not see."""
    rows = Membership.objects.filter(user=user, club__in=numbers).exclude(state=Membership.State.OUT)
    told = {}
    for row in rows.select_related("club"):
        if may_see(row.club, row):
            asking = Membership.objects.filter(club=row.club_id, state=Membership.State.ASKED)
            told[row.club_id] = {
                "name": row.club.name,
                "me": row.state,
                "role": row.role if row.is_in else "",
                "asking": asking.count() if row.organises else 0,
            }
    return told


def _talk(user: User, numbers: list[int]) -> dict[int, dict[str, Any]]:
    """Return of which of these clubs the member has not read the chat."""
    own = Membership.objects.filter(user=user, club__in=numbers, state=Membership.State.IN).select_related("club")
    fresh = set(with_news(user).filter(club__in=numbers).values_list("club", flat=True))
    return {row.club_id: {"name": row.club.name, "unread": row.club_id in fresh} for row in own}


def _matches(user: User, numbers: list[int]) -> dict[int, dict[str, Any]]:
    """Return how these club matches stand, of those that the member may see."""
    found = list(Encounter.objects.filter(pk__in=numbers).select_related("challenger", "challenged"))
    return {
        one.pk: {
            "names": list(encounters.names(one)),
            "game": one.game_slug,
            "state": one.state,
            "begins_at": one.begins_at.isoformat(timespec="seconds"),
        }
        for one in found
        if encounters.may_see(one, user)
    }


def _circles(user: User, numbers: list[int]) -> dict[int, dict[str, Any]]:
    """Return the circles of these to which the member belongs, or is asked."""
    own = dict(CircleMember.objects.filter(user=user, circle__in=numbers).values_list("circle", "accepted"))
    found = list(Circle.objects.filter(pk__in=own))
    names = circles.names_of(found)
    return {
        one.pk: {"name": one.name, "me": "in" if own[one.pk] else "asked", "members": names[one.pk]} for one in found
    }


CONCERNS = (
    Concern("club", _CLUBS, _clubs),
    Concern("club_talk", _TALK, _talk),
    Concern("club_match", _MATCHES, _matches),
    Concern("circle", _CIRCLES, _circles),
)
