"""Deletes what the site noted of its own work once nothing can come of it any more (docs/operation.md)."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from config.lib import clock
from config.lib.steps import delete_in_steps
from games.models import REPLIES_KEPT, Audit, Invitation, MailStop, Match, Outage, Reply, Sweep, TimeOut

KEPT = timedelta(days=90)  # after the end of a match, or what else it belongs to


def forget_old() -> dict[str, int]:
    """Delete old time-outs, sweeps, outages, stops of the mails, invitations and replies; return how many of each."""
    before = clock.now() - KEPT
    old = (_time_outs(before), _sweeps(before), _outages(before), _stops(before), _invitations(before), _replies())
    return {rows.model._meta.model_name or "": delete_in_steps(rows) for rows in old}


def _time_outs(before: datetime) -> QuerySet[TimeOut]:
    """Return those of matches that ended long ago: they are not undone any more."""
    return TimeOut.objects.filter(at__lt=before, match__status=Match.Status.ENDED, match__ended_at__lt=before)


def _sweeps(before: datetime) -> QuerySet[Sweep]:
    """Return those of which no time-out is left; not the last, which holds the fuse, nor what the audit names."""
    used = Exists(TimeOut.objects.filter(sweep=OuterRef("pk"))) | Exists(Audit.objects.filter(sweep=OuterRef("pk")))
    last = Sweep.objects.order_by("-pk").values_list("pk", flat=True)[:1]
    return Sweep.objects.filter(~used, at__lt=before).exclude(pk__in=list(last))


def _outages(before: datetime) -> QuerySet[Outage]:
    """Return those that every running clock was given back; not the last, nor what the audit names."""
    owed = Match.objects.filter(status=Match.Status.RUNNING, outage__lt=OuterRef("pk"))
    last = Outage.objects.order_by("-pk").values_list("pk", flat=True)[:1]
    named = Audit.objects.filter(outage=OuterRef("pk"))
    return Outage.objects.filter(~Exists(owed), ~Exists(named), end__lt=before).exclude(pk__in=list(last))


def _stops(before: datetime) -> QuerySet[MailStop]:
    return MailStop.objects.filter(open=None, released_at__lt=before)


def _invitations(before: datetime) -> QuerySet[Invitation]:
    """Return those to matches that ended long ago: nobody comes late to them any more."""
    return Invitation.objects.filter(match__status=Match.Status.ENDED, match__ended_at__lt=before)


def _replies() -> QuerySet[Reply]:
    return Reply.objects.filter(at__lt=clock.now() - REPLIES_KEPT)
