"""What clubs store about a member: the data export, and that a closed account leaves its clubs, which pass on."""

from typing import Any

from accounts.models import User
from config.lib.giving_way import lock_at_once
from games.clubs.models import News
from games.clubs.services.roles import part
from games.models import Club, Membership


def club_data(user: User) -> dict[str, Any]:
    """Return what the member is to which clubs, and what waits to be mailed; a hook of accounts (DATA_EXPORTS)."""
    rows = Membership.objects.filter(user=user).select_related("club").order_by("pk")
    return {
        "clubs": [
            {"club": row.club.name, "state": row.state, "role": row.role, "since": row.since.isoformat()}
            | {"chat_read_up_to": row.seen}
            for row in rows
        ],
        "news_of_clubs": [
            {"club": news.name, "kind": news.kind, "at": news.at.isoformat()}
            for news in News.objects.filter(user=user).order_by("pk")
        ],
    }


def leave_clubs(user: User) -> None:
    """End what the person is to clubs; one that they own passes on. GiveWay. A hook of accounts (ON_ACCOUNT_CLOSING).

    Whoever holds a club may wait for the person's row until their transaction ends, so clubs are locked at once.
    """
    lock_at_once(Club.objects.filter(pk__in=Membership.objects.filter(user=user).values("club")).order_by("pk"))
    for club in Club.objects.filter(memberships__user=user).order_by("pk"):
        part(club, user.pk)
