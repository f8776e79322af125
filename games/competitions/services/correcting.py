"""Corrections by organisers and moderators: each with a reason, noted where all who take part read it."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import clock
from games import broadcast
from games.competitions.models import (
    LONGEST_NAME,
    LONGEST_REASON,
    LONGEST_WORDS,
    Correction,
    Entrant,
    Offer,
    Place,
    Table,
    Tournament,
)
from games.competitions.services import judging, notices
from games.competitions.services.auditing import MODERATE, audit
from games.competitions.services.entering import refuse
from games.competitions.services.locking import changed, current, lock
from games.competitions.services.refusals import BotsFinish, Closed, NotWelcome, OwnTable
from games.competitions.services.rounds import cancel, leave
from games.services.hooks import check_writing
from games.services.lobby.inviting import unwished
from games.services.refusals import Full, Invalid, NotAsked, NotYours, Refused

KIND, STATE = Correction.Kind, Tournament.State
TAKES_LATE = (Tournament.Format.SWISS, Tournament.Format.ARENA)  # others lay their tables out from the beginning
MOST_DAYS = 14  # that a round is extended by at once


def may_correct(tournament: Tournament, user: User) -> bool:
    """Return whether the member organises this tournament, or moderates."""
    return user.pk is not None and (tournament.organiser_id == user.pk or user.has_perm(MODERATE))


def may_decide(tournament: Tournament, user: User) -> bool:
    """Return whether the member, who may correct it, may decide its tables before the limit.

    Where bots finish, moderators alone: whoever is to move runs out of time by it, and loses a rated match.
    """
    return tournament.judge != Tournament.Judge.BOTS or user.has_perm(MODERATE)


def take_out(*, tournament_id: int, user: User, number: int, reason: str) -> None:
    """Seat an entrant no more; what they have reached stands. NotYours, Closed, Invalid."""
    with transaction.atomic():
        tournament, why = _locked(tournament_id, user, reason)
        gone = _entrant(tournament, number)
        leave(gone, Entrant.Left.REMOVED, by=user, reason=why)
        notices.tell(gone, Entrant.News.REMOVED)
        audit(tournament, user, KIND.LEFT, why, member=gone.user)


def replace(*, tournament_id: int, user: User, number: int, by: User, reason: str) -> Offer:
    """Ask somebody to take part from the next round on in the place of an entrant, who leaves once they accept.

    They must meet the conditions, and take invitations of whoever asks. NotYours, Closed, Invalid, NotAsked, or what
    refuses whoever signs up.
    """
    with transaction.atomic():
        tournament, why = _locked(tournament_id, user, reason)
        if tournament.format not in TAKES_LATE:
            raise Invalid(_("In this format nobody can come later: the tables are laid out from the beginning."))
        gone = _entrant(tournament, number, left=True)
        if Correction.objects.filter(kind=KIND.REPLACED, entrant=gone).exists():
            raise Invalid(_("This place is taken already."))
        if Entrant.objects.filter(tournament=tournament, user=by).exists():
            raise Invalid(_("%(name)s has taken part already.") % {"name": by})
        if not by.is_confirmed:
            raise Invalid(_("%(name)s has not confirmed their e-mail address yet.") % {"name": by})
        if why_not := unwished(user, by):
            raise NotAsked(why_not)
        _refuse_another(tournament, gone, by)
        _refuse_second_offer(tournament, gone, by)
        offer = Offer.objects.create(tournament=tournament, entrant=gone, user=by, by=user, reason=why)
        audit(tournament, user, KIND.REPLACED, why, member=gone.user)
        broadcast.questions_changed([by.pk])
    return offer


def _refuse_second_offer(tournament: Tournament, gone: Entrant, by: User) -> None:
    """Refuse (Invalid) to ask twice: the same person, or two for one place, or whoever declined this tournament."""
    theirs = Offer.objects.filter(tournament=tournament, user=by)
    if theirs.filter(state=Offer.State.DECLINED).exists():
        raise Invalid(_("%(name)s has declined to take part.") % {"name": by})
    if theirs.filter(state=Offer.State.OPEN).exists():
        raise Invalid(_("%(name)s is asked already, and has not answered yet.") % {"name": by})
    if Offer.objects.filter(entrant=gone, state=Offer.State.OPEN).exists():
        raise Invalid(_("Somebody else is asked to take this place, and has not answered yet."))


def _refuse_another(tournament: Tournament, gone: Entrant, by: User) -> None:
    """Refuse a member whom somebody else names: which sanction or block keeps them away is told to them alone."""
    try:
        refuse(tournament, by, token=tournament.token, instead=gone)
    except Full:
        raise
    except NotWelcome as refusal:
        words = _("%(name)s does not meet the conditions of this tournament.")
        raise NotWelcome(words % {"name": by}) from refusal
    except Refused as refusal:
        raise NotWelcome(_("%(name)s cannot take part now.") % {"name": by}) from refusal


def void_table(*, tournament_id: int, user: User, table_id: int, reason: str) -> None:
    """Let a table count for nothing; its match goes on as one of its own. NotYours, Closed, OwnTable, Invalid."""
    with transaction.atomic():
        tournament, why = _locked(tournament_id, user, reason)
        table = _table(tournament, user, table_id)
        if table.state == Table.State.VOID:
            return
        Table.objects.filter(pk=table.pk).update(state=Table.State.VOID)  # its match may end in this instant
        _add(tournament, user, KIND.VOIDED, why, table=table)


def extend(*, tournament_id: int, user: User, days: int, reason: str) -> datetime:
    """Give the running round more days; return its new limit. NotYours, Closed, Invalid."""
    with transaction.atomic():
        tournament, why = _locked(tournament_id, user, reason)
        if not 1 <= days <= MOST_DAYS:
            raise Invalid(_("A round is extended by 1 to %(most)d days.") % {"most": MOST_DAYS})
        found = current(tournament)
        if found is None or found.ended_at is not None:
            raise Closed
        found.ends_at = max(found.ends_at, clock.now()) + timedelta(days=days)
        found.last_day_told = False
        found.save(update_fields=["ends_at", "last_day_told"])
        _add(tournament, user, KIND.EXTENDED, why, until=found.ends_at)
    return found.ends_at


def decide(*, tournament_id: int, user: User, table_id: int, reason: str) -> None:
    """Decide a running table at once, as its round's limit would. NotYours, BotsFinish, Closed, OwnTable, Invalid."""
    with transaction.atomic():
        tournament, why = _locked(tournament_id, user, reason)
        table = _table(tournament, user, table_id)
        if table.state != Table.State.RUNNING:
            raise Closed
        if not may_decide(tournament, user):
            raise BotsFinish
        audit(tournament, user, KIND.JUDGED, why)
    judging.judge(table, clock.now(), by=user, reason=why)


def stop(*, tournament_id: int, user: User, reason: str) -> None:
    """Cancel a running tournament; moderators alone may. NotYours, Closed, Invalid."""
    if not user.has_perm(MODERATE):
        raise NotYours
    with transaction.atomic():
        tournament, why = _locked(tournament_id, user, reason)
        cancel(tournament, by=user, reason=why)
        audit(tournament, user, KIND.CANCELLED, why)


def amend(*, tournament_id: int, user: User, name: str, words: str, reason: str) -> None:
    """Change the name and description of a tournament, whatever its state; moderators alone may. NotYours, Invalid."""
    if not user.has_perm(MODERATE):
        raise NotYours
    with transaction.atomic():
        tournament, why = lock(tournament_id), _given(reason)
        if not name or len(name) > LONGEST_NAME or len(words) > LONGEST_WORDS:
            raise Invalid(_("Give it a name."))
        _add(tournament, user, KIND.AMENDED, why)  # the audit keeps the former name
        tournament.name, tournament.words = name, words
        tournament.save(update_fields=["name", "words"])


def _locked(tournament_id: int, user: User, reason: str) -> tuple[Tournament, str]:
    """Return the locked running tournament that this member may correct, and the reason, which must be given."""
    tournament = lock(tournament_id)
    if not may_correct(tournament, user):
        raise NotYours
    check_writing(None, user)  # everybody reads the reason
    if tournament.state != STATE.RUNNING:
        raise Closed
    return tournament, _given(reason)


def _given(reason: str) -> str:
    """Return the reason of a correction. Invalid without one."""
    why = reason.strip()
    if not why or len(why) > LONGEST_REASON:
        raise Invalid(_("Give a reason that everybody who takes part will read."))
    return why


def _entrant(tournament: Tournament, number: int, *, left: bool = False) -> Entrant:
    found = Entrant.objects.filter(tournament=tournament, number=number).first()
    if found is None or (found.left and not left):
        raise Invalid(_("Nobody of that number takes part any more."))
    found.tournament = tournament
    return found


def _table(tournament: Tournament, user: User, table_id: int) -> Table:
    rows = Table.objects.select_related("round__tournament").filter(round__tournament=tournament, pk=table_id)
    table = rows.first()
    if table is None:
        raise Invalid(_("There is no such table."))
    if Place.objects.filter(table=table, entrant__user=user).exists():
        raise OwnTable
    return table


def _add(tournament: Tournament, user: User, kind: Correction.Kind, reason: str, **about: object) -> None:
    row = Correction.objects.create(tournament=tournament, kind=kind, by=user, reason=reason, **about)
    changed(tournament.pk)
    audit(tournament, user, kind, reason, member=row.entrant.user if row.entrant else None)
