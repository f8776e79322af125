"""The fuse of the mails: when most of the last sends were refused, for different people, none is sent."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import Max

from accounts.addresses import PROVIDERS, domain_of
from accounts.models import User
from config.lib import clock
from games.models import Mail, MailStop

log = structlog.get_logger(__name__)

LEAST = 5  # different addresses refused, and at most as many mails sent meanwhile
LARGE, SINCE = 20, timedelta(days=30)  # members of a domain, and for how long, so that each of them counts
WITHIN = timedelta(days=1)
LATEST_MAILS = 200


def stopped() -> MailStop | None:
    """Return the stop in force; None while mails are sent."""
    return MailStop.objects.filter(open=True).first()


def look(error: str, *, ours: bool = False) -> bool:
    """Blow if most of the last sends were refused; return whether mails are stopped.

    A refusal of the site itself (`ours`) is nobody else's doing: then each address counts, whatever its domain.
    """
    refusals = _refusals()
    if not ours:
        refusals = _each_domain_once(refusals)
    latest = sorted(_last_of_each(refusals), reverse=True)[:LEAST]
    if len(latest) < LEAST:
        return stopped() is not None
    begin, newest = latest[-1], Mail.objects.filter(pk__in=Mail.objects.order_by("-pk").values("pk")[:LATEST_MAILS])
    if newest.filter(sent_at__gte=begin).count() > LEAST:
        return stopped() is not None
    last_sent = newest.filter(sent_at__lt=begin).aggregate(at=Max("sent_at"))["at"]
    series = [(key, at) for key, at in refusals if last_sent is None or at > last_sent]
    _blow(min(at for _key, at in series), len({key for key, _at in series}), error)
    return True


def _blow(since: datetime, addresses: int, error: str) -> None:
    details = {"since": since, "addresses": addresses, "error": error[:200]}
    _stop, is_new = MailStop.objects.get_or_create(open=True, defaults=details)
    if is_new:
        log.critical("mails stopped", addresses=addresses, error=error)


def _refusals() -> list[tuple[str, datetime]]:
    """Return whom the last refusals were for, and when, since somebody last let the mails go on."""
    resumed = MailStop.objects.aggregate(at=Max("released_at"))["at"]
    since = max(filter(None, [clock.now() - WITHIN, resumed]))
    rows = Mail.objects.filter(refused_at__gt=since).values_list("user__email", "message__to", "refused_at")
    return [(str(email or to or ""), at) for email, to, at in rows if at]


def _each_domain_once(refusals: list[tuple[str, datetime]]) -> list[tuple[str, datetime]]:
    """Return the refusals by domain, unless it is a large one: whoever owns a domain may refuse all its mails."""
    large = _large({domain_of(address) for address, _at in refusals})
    keyed = ((address, domain_of(address), at) for address, at in refusals)
    return [(address if domain in large else _registered(domain), at) for address, domain, at in keyed]


def _large(domains: Iterable[str]) -> set[str]:
    old = User.objects.filter(date_joined__lt=clock.now() - SINCE)
    return {one for one in domains if one in PROVIDERS or old.filter(email__endswith=f"@{one}").count() >= LARGE}


def _registered(domain: str) -> str:
    """Return what a domain's owner registered, or more (`co.uk`): who owns one has all those under it."""
    return ".".join(domain.split(".")[-2:])


def _last_of_each(refusals: list[tuple[str, datetime]]) -> list[datetime]:
    return list(dict(sorted(refusals, key=lambda row: row[1])).values())


def release() -> MailStop | None:
    """End the stop, once; return it, None when there was none."""
    with transaction.atomic():
        stop = MailStop.objects.select_for_update().filter(open=True).first()
        if stop is not None:
            stop.open, stop.released_at = None, clock.now()
            stop.save(update_fields=["open", "released_at"])
    return stop
