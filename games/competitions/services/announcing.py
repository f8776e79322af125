"""Announcing a tournament, and what its organiser may do before it begins."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from config.lib import clock
from games.competitions import pairing, queries
from games.competitions.models import Correction, Entrant, Tournament
from games.competitions.services.auditing import audit
from games.competitions.services.locking import lock
from games.competitions.services.refusals import Closed, NotOrganiser
from games.competitions.services.rounds import begin, cancel
from games.models import Club, Outage
from games.queries.people import ended_matches, reliability
from games.rules import get_game
from games.services.hooks import check_taking_part, check_writing
from games.services.refusals import Invalid, NotYours, TooManyTables
from games.time_controls import TIME_CONTROLS

LEAST_ENDED, LEAST_RELIABILITY = 20, 0.8
MOST_AT_ONCE = 3  # tournaments of one organiser, open or running
MOST_ENTRANTS = 1000
SOONEST, LATEST = timedelta(minutes=10), timedelta(days=90)  # until it begins
SHORTEST, LONGEST = timedelta(days=1), timedelta(days=60)  # of a round
ARENA_SHORTEST, ARENA_LONGEST = timedelta(minutes=30), timedelta(hours=6)
WHY = {  # by what the engine refuses
    "format": gettext_lazy("There is no such format."),
    "seats": gettext_lazy("This game has no tables of that size."),
    "game": gettext_lazy("This game has no tables of that size."),
    "rounds": gettext_lazy("Choose fewer rounds."),
    "advance": gettext_lazy("At each table somebody must stay behind."),
    "matches": gettext_lazy("A group plays at least one match."),
    "few": gettext_lazy("With so few there is not even one table."),
    "many": gettext_lazy("With so many it would take too many rounds until everybody has met everybody."),
}
UNDER_WAY = (Tournament.State.OPEN, Tournament.State.RUNNING)


def may_organise(member: User) -> bool:
    """Return whether the member may announce tournaments at all."""
    return not missing_to_organise(member)


def missing_to_organise(member: User) -> list[str]:
    """Return in words what a member still needs to announce tournaments; empty if nothing."""
    missing = []
    if not member.is_confirmed:
        missing.append(_("a confirmed e-mail address"))
    if member.has_perm("moderation.moderate"):
        return missing
    if (ended := ended_matches(member, most=LEAST_ENDED)) < LEAST_ENDED:
        words = _("%(least)d ended matches against people (you have %(own)d)")
        missing.append(words % {"least": LEAST_ENDED, "own": ended})
    kept = reliability(member)
    if kept is not None and kept.share < LEAST_RELIABILITY:
        words = _("a reliability of %(least)d %% (yours is %(own)d %%)")
        missing.append(words % {"least": round(100 * LEAST_RELIABILITY), "own": int(100 * kept.share)})
    return missing


def announce(*, organiser: User, begins_at: datetime, club: Club | None = None, **wishes: Any) -> Tournament:
    """Announce a tournament; `wishes` are fields of Tournament. NotOrganiser, TooManyTables, Invalid.

    `club` is that of one for its members, which whoever organises the club announces.
    """
    check_taking_part(organiser)
    check_writing(None, organiser)  # its name and description are for everybody
    tournament = Tournament(organiser=organiser, begins_at=begins_at, club=club, **wishes)
    if (tournament.access == Tournament.Access.CLUB) != (club is not None):
        raise Invalid(_("Choose the club for whose members the tournament is."))
    if club is None and not may_organise(organiser):
        raise NotOrganiser
    _check(tournament)
    with transaction.atomic():
        if club is not None:
            _refuse_for(club, organiser)
        User.objects.select_for_update(no_key=True).get(pk=organiser.pk)  # who announces two at once is counted
        if Tournament.objects.filter(organiser=organiser, state__in=UNDER_WAY).count() >= MOST_AT_ONCE:
            raise TooManyTables(_("You have three tournaments under way. Wait until one is over."))
        tournament.outage = _last_outage()
        tournament.save()
    return tournament


def _refuse_for(club: Club, organiser: User) -> None:
    """Refuse (NotOrganiser) who does not organise a club, which is locked: nobody's role there changes meanwhile."""
    list(Club.objects.select_for_update(no_key=True).filter(pk=club.pk))
    if not organiser.is_confirmed or club not in queries.clubs_organised(organiser):
        raise NotOrganiser(_("Tournaments of a club are announced by its owner and organisers."))


def announce_by_site(*, begins_at: datetime, **wishes: Any) -> Tournament:
    """Announce a tournament that nobody organises but the site, in the caller's transaction. Invalid."""
    tournament = Tournament(begins_at=begins_at, **wishes)
    _check(tournament)
    tournament.outage = _last_outage()
    tournament.save()
    return tournament


def _last_outage() -> int:
    return Outage.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def _check(tournament: Tournament) -> None:
    """Refuse (Invalid) what cannot be played, or would never end."""
    game = get_game(tournament.game_slug)
    least, most = queries.sizes_with(tournament.game_slug, tournament.options)
    if not least <= tournament.seats <= most:
        raise Invalid(_("%(game)s cannot be played with these options.") % {"game": game.name})
    whole = game.full_options(tournament.seats, tournament.options)
    if game.is_cooperative(whole):
        raise Invalid(_("Nobody wins alone in this mode: it has no tournaments."))
    pace = TIME_CONTROLS.get(tournament.pace_slug)
    if pace is None:
        raise Invalid(_("Choose a time to think from the list."))
    if tournament.is_arena != (pace.is_live or game.is_live(whole)):
        raise Invalid(_("A tournament in one evening is live, all others give days to think."))
    if not tournament.seats <= tournament.least <= tournament.most <= MOST_ENTRANTS:
        words = {"least": tournament.seats, "most": MOST_ENTRANTS}
        raise Invalid(_("It takes at least %(least)d and at most %(most)d who take part.") % words)
    shortest, longest = (ARENA_SHORTEST, ARENA_LONGEST) if tournament.is_arena else (SHORTEST, LONGEST)
    if not shortest <= tournament.round_span <= longest:
        raise Invalid(_("This limit of a round is too short or too long."))
    if not clock.now() + SOONEST <= tournament.begins_at <= clock.now() + LATEST:
        raise Invalid(_("It begins between ten minutes and ninety days from now."))
    if (tournament.lowest_rating or 0) > (tournament.highest_rating or 9999):
        raise Invalid(_("Nobody has a rating in that range."))
    sizes = range(least, most + 1)
    for people in (tournament.least, tournament.most):
        if why := pairing.refuse(queries.plan_of(tournament), people, sizes):
            raise Invalid(WHY[why])


def begin_now(*, tournament_id: int, user: User) -> None:
    """Begin before the hour, once enough have come. NotYours, Closed, Invalid."""
    with transaction.atomic():
        tournament = _own(tournament_id, user)
        here = Entrant.objects.filter(tournament=tournament, left="", user__isnull=False).count()
        if here < (least := tournament.least):
            words = ngettext(
                "%(count)d of %(least)d has signed up: it cannot begin yet.",
                "%(count)d of %(least)d have signed up: it cannot begin yet.",
                here,
            )
            raise Invalid(words % {"count": here, "least": least})
        begin(tournament)


def cancel_open(*, tournament_id: int, user: User, reason: str) -> None:
    """Cancel a tournament that has not begun, with a reason. NotYours, Closed, NoReason, CannotWrite."""
    with transaction.atomic():
        tournament = _own(tournament_id, user)
        check_writing(None, user)  # whoever has signed up is mailed the reason
        cancel(tournament, by=user, reason=reason)
        if tournament.organiser_id != user.pk:
            audit(tournament, user, Correction.Kind.CANCELLED, reason)


def _own(tournament_id: int, user: User) -> Tournament:
    """Return the locked tournament that this member organises, before it begins; moderators may as well."""
    tournament = lock(tournament_id)
    if tournament.organiser_id != user.pk and not user.has_perm("moderation.moderate"):
        raise NotYours
    if tournament.state != Tournament.State.OPEN:
        raise Closed
    return tournament
