"""Which calls of webhooks are due: of open questions by query, of ends in their transaction; kept as rows."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import User
from accounts.services import visits
from config.lib import clock
from games import broadcast
from games.clocks import times_of
from games.models import CallChoice, Kind, Match, Seat, Webhook, WebhookCall, unheard
from games.services import channel_order
from games.services.mail.candidates import READERS, is_visiting
from games.services.mail.planning import kinds_due

MANY = 200  # members at once


def sweep() -> int:
    """Create the calls that are due about open questions; return how many."""
    if not settings.WEBHOOKS:
        return 0
    members = sorted(set(_in_use().values_list("user_id", flat=True)))
    made = sum(_plan(members[start : start + MANY]) for start in range(0, len(members), MANY))
    if made:
        broadcast.webhooks_waiting()
    return made


def note_end(match: Match, seats: Iterable[Seat]) -> None:
    """Add a call of the match's end to each webhook of these seats' people, in the transaction that ends it."""
    if not settings.WEBHOOKS:
        return
    hearing = [seat.user_id for seat in seats if seat.user_id and seat.notices not in unheard(Kind.ENDED)]
    hooks = _in_use().filter(user_id__in=hearing)
    calls = [WebhookCall(hook=hook, match=match, kind=Kind.ENDED, ask=match.version) for hook in hooks]
    if calls:
        WebhookCall.objects.bulk_create(calls, ignore_conflicts=True)
        broadcast.webhooks_waiting()


def _in_use() -> QuerySet[Webhook]:
    """Return the webhooks that are called whatever else is; the others have a place among their member's channels."""
    placed = User.objects.filter(READERS, call_choice__webhooks_place__gt=channel_order.ALWAYS)
    return Webhook.objects.filter(off_at=None, user__is_active=True).exclude(user__in=placed)


def holds(user: User, seen: datetime | None, now: datetime, *, last: bool) -> bool:
    """Return whether a call waits: in quiet hours, and while its member is here, but for the `last` reminder."""
    return times_of(user).is_quiet(now) or (is_visiting(user, seen, now) and not last)


def _plan(members: list[int]) -> int:
    now, seen = clock.now(), visits.last(members)
    people = User.objects.in_bulk(members)
    hooks: dict[int, list[Webhook]] = {}
    for hook in _in_use().filter(user_id__in=members):
        hooks.setdefault(hook.user_id or 0, []).append(hook)
    again = CallChoice.objects.filter(user__in=members).values_list("user_id", "webhooks_since")
    since = {user_id: moment for user_id, moment in again if moment is not None}
    running = Seat.objects.order_by().filter(ask__isnull=False, bot="", match__status=Match.Status.RUNNING)
    calls = [
        WebhookCall(hook=hook, match_id=seat.match_id, kind=kind, ask=seat.ask or 0)
        for seat in running.filter(user_id__in=members)
        for kind in _due(seat, now, since=since.get(seat.user_id or 0))
        if not holds(people[seat.user_id or 0], seen.get(seat.user_id or 0), now, last=kind == Kind.REMINDER2)
        for hook in hooks.get(seat.user_id or 0, ())
        if kind != Kind.TURN or (seat.asked_at and seat.asked_at > hook.created_at)
    ]
    fresh = list(_unknown(calls))
    WebhookCall.objects.bulk_create(fresh, ignore_conflicts=True)
    return len(fresh)


def _due(seat: Seat, now: datetime, *, since: datetime | None) -> list[Kind]:
    """Return the most urgent kind due about an open question, if any: what is more urgent says the rest as well.

    Not what was due already when, `since` then, webhooks came to be called always again.
    """
    before = kinds_due(seat, [], since) if since else []
    wanted = [kind for kind in kinds_due(seat, [], now)[-1:] if kind not in before]
    return [kind for kind in wanted if seat.notices not in unheard(kind)]


def _unknown(calls: list[WebhookCall]) -> Iterator[WebhookCall]:
    made = WebhookCall.objects.filter(
        hook__in={call.hook_id for call in calls}, match__in={call.match_id for call in calls}
    )
    known = set(made.values_list("hook", "match", "kind", "ask"))
    yield from (call for call in calls if (call.hook_id, call.match_id, call.kind, call.ask) not in known)
