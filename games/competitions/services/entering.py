"""Signing up for a tournament, withdrawing, and being ready in an arena."""

from collections.abc import Sequence
from functools import cached_property

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.queries import blocked_among
from config.lib import clock
from games import broadcast
from games.competitions import queries
from games.competitions.models import Correction, Entrant, Offer, Tournament
from games.competitions.services import notices
from games.competitions.services.locking import changed, lock
from games.competitions.services.refusals import Closed, NoEntrant, NoOffer, NotWelcome, UnconfirmedEntrant
from games.competitions.services.rounds import is_barred, leave, lot_of
from games.queries.clubs import belongs, club_ids_of
from games.queries.people import ended_matches, reliability
from games.services.hooks import check_entering, check_taking_part, ratings_of
from games.services.people import blocks
from games.services.refusals import BotsCannot, Full, GuestsCannot, Refused

STATE = Tournament.State


def enter(*, tournament_id: int, user: User, token: str = "") -> Entrant:
    """Sign a member up; twice is harmless, and whoever withdrew before it began comes back.

    Closed, Full, NotWelcome, GuestsCannot, BotsCannot, UnconfirmedEntrant, HasBlocked, BlockedByOther, or what a
    sanction says.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        own = Entrant.objects.filter(tournament=tournament, user=user).first()
        if own is not None and own.is_in:
            return own
        refuse(tournament, user, token=token, knows=own is not None)
        if own is None:
            own = Entrant(tournament=tournament, user=user, number=1 + tournament.entrants.count())
        own.left, own.left_at, own.signed_at = "", None, clock.now()
        if tournament.state == STATE.RUNNING:
            own.lot = own.lot or lot_of(tournament, own.number)
        own.strength = ratings_of(tournament.game_slug, [user.pk])[user.pk]
        own.save()
        for offer in Offer.objects.filter(tournament=tournament, user=user, state=Offer.State.OPEN):
            _answer(offer, Offer.State.LAPSED)  # who has a place of their own needs no other's
        changed(tournament.pk)
    return own


def refuse(
    tournament: Tournament, user: User, *, token: str = "", knows: bool = False, instead: Entrant | None = None
) -> None:
    """Refuse, in words, a member whom the tournament does not take now; see `enter`. `instead`: in whose place."""
    if user.is_guest:
        raise GuestsCannot
    if user.is_bot:
        raise BotsCannot
    takes_late = tournament.state == STATE.RUNNING and (instead is not None or tournament.is_arena)
    if tournament.state != STATE.OPEN and not takes_late:
        raise Closed
    if tournament.access == Tournament.Access.LINK and not (
        knows or token == tournament.token or tournament.organiser_id == user.pk
    ):
        raise NotWelcome(_("This tournament is by invitation: use its link to sign up."))
    if tournament.access == Tournament.Access.CLUB and not belongs(tournament.club_id, user):
        raise NotWelcome(_("This tournament is for members of a club to which you do not belong."))
    if Entrant.objects.filter(tournament=tournament, user=user, left=Entrant.Left.REMOVED).exists():
        raise NotWelcome(_("You were taken out of this tournament."))
    check_taking_part(user)
    check_entering(tournament, user)
    if not user.is_confirmed:
        raise UnconfirmedEntrant
    if tournament.organiser is not None and tournament.organiser_id != user.pk:
        blocks.refuse_pair(user, tournament.organiser)
    others = Entrant.objects.filter(tournament=tournament, left="")
    if (others.exclude(pk=instead.pk) if instead else others).count() >= tournament.most:
        raise Full
    _refuse_by_conditions(tournament, Applicant(user))


class Applicant:
    """What tournaments ask of a member, each looked up once, as a list asks for many of them."""

    def __init__(self, user: User) -> None:
        self.user = user
        self._points: dict[str, int] = {}

    def points(self, game_slug: str) -> int:
        """Return their rating in a game."""
        if game_slug not in self._points:
            self._points[game_slug] = ratings_of(game_slug, [self.user.pk])[self.user.pk]
        return self._points[game_slug]

    @cached_property
    def clubs(self) -> set[int]:
        """The clubs to which they belong."""
        return set(club_ids_of(self.user).values_list("club", flat=True))

    @cached_property
    def ended(self) -> int:
        """How many matches they have ended against people."""
        return ended_matches(self.user)

    @cached_property
    def share(self) -> int:
        """Their reliability in per cent; 100 as long as there is none."""
        kept = reliability(self.user)
        return round(100 * kept.share) if kept else 100


def _refuse_by_conditions(tournament: Tournament, who: Applicant) -> None:
    lowest, highest = tournament.lowest_rating, tournament.highest_rating
    if lowest or highest is not None:
        points = who.points(tournament.game_slug)
        if points < (lowest or 0) or (highest is not None and points > highest):
            raise NotWelcome(_("Your rating of %(points)d is outside this tournament’s range.") % {"points": points})
    if tournament.least_ended and who.ended < tournament.least_ended:
        missing = tournament.least_ended - who.ended
        sentence = ngettext(
            "%(count)d ended match is missing for this tournament.",
            "%(count)d ended matches are missing for this tournament.",
            missing,
        )
        raise NotWelcome(sentence % {"count": missing})
    if tournament.least_reliability and who.share < tournament.least_reliability:
        words = {"own": who.share, "asked": tournament.least_reliability}
        raise NotWelcome(_("Your reliability is %(own)d %%; this tournament asks for %(asked)d %%.") % words)


def open_to(tournaments: Sequence[Tournament], user: User) -> set[int]:
    """Return which of these open tournaments (`queries.listed`) would take this member now, by their ids."""
    if user.is_guest or user.is_bot or not user.is_confirmed or is_barred(user):
        return set()
    who, apart = Applicant(user), blocked_among(user.pk, [one.organiser_id for one in tournaments])
    return {one.pk for one in tournaments if one.organiser_id not in apart and _takes(one, who)}


def _takes(tournament: Tournament, who: Applicant) -> bool:
    if getattr(tournament, "entered", 0) >= tournament.most:
        return False
    if tournament.access == Tournament.Access.CLUB and tournament.club_id not in who.clubs:
        return False
    try:
        if tournament.organiser_id is None:  # the site's own, a few, have conditions of their own
            check_entering(tournament, who.user)
        _refuse_by_conditions(tournament, who)
    except Refused:
        return False
    return True


def why_not(tournament: Tournament, user: User, token: str = "") -> str:
    """Return in words why a tournament does not take this member now; empty if it does."""
    try:
        refuse(tournament, user, token=token)
    except Refused as refusal:
        return str(refusal)
    return ""


def take_place(*, tournament_id: int, user: User) -> Entrant:
    """Accept to take part in somebody's place, who leaves if they have not yet; return the new entrant.

    Whoever comes has a number of their own and no points. NoOffer, Closed, or what refuses whoever signs up.
    """
    with transaction.atomic():
        tournament, offer = _offered(tournament_id, user)
        gone = offer.entrant
        gone.tournament = tournament
        refuse(tournament, user, token=tournament.token, instead=gone)
        if not gone.left:
            leave(gone, Entrant.Left.REMOVED, by=offer.by, reason=offer.reason)
            notices.tell(gone, Entrant.News.REMOVED)
        number = 1 + tournament.entrants.count()
        come = Entrant.objects.create(
            tournament=tournament,
            user=user,
            number=number,
            lot=lot_of(tournament, number),
            strength=ratings_of(tournament.game_slug, [user.pk])[user.pk],
        )
        _answer(offer, Offer.State.ACCEPTED)
        Correction.objects.create(
            tournament=tournament,
            kind=Correction.Kind.REPLACED,
            by=offer.by,
            reason=offer.reason,
            entrant=gone,
            instead=come,
        )
        changed(tournament.pk)
    return come


def decline_place(*, tournament_id: int, user: User) -> None:
    """Decline to take part in somebody's place. NoOffer."""
    with transaction.atomic():
        _answer(_offered(tournament_id, user)[1], Offer.State.DECLINED)


def _offered(tournament_id: int, user: User) -> tuple[Tournament, Offer]:
    """Return the locked tournament, and the offer of a place in it that waits for this member's answer. NoOffer."""
    tournament = lock(tournament_id)
    offers = Offer.objects.filter(tournament=tournament, user=user, state=Offer.State.OPEN)
    offer = offers.select_related("entrant", "by").first()
    if offer is None or Entrant.objects.filter(tournament=tournament, user=user).exists():
        raise NoOffer
    return tournament, offer


def _answer(offer: Offer, state: Offer.State) -> None:
    offer.state, offer.answered_at, offer.to_tell = state, clock.now(), False
    offer.save(update_fields=["state", "answered_at", "to_tell"])
    broadcast.questions_changed([offer.user_id])


def withdraw(*, tournament_id: int, user: User) -> None:
    """Withdraw: no further table is given, results stand. NoEntrant, Closed."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.state not in (STATE.OPEN, STATE.RUNNING):
            raise Closed
        entrant = Entrant.objects.filter(tournament=tournament, user=user, left="").first()
        if entrant is None:
            raise NoEntrant
        entrant.tournament = tournament
        leave(entrant, Entrant.Left.WITHDREW)


def be_ready(*, tournament_id: int, user: User, ready: bool) -> None:
    """Wait for a table of an arena, or pause. NoEntrant, Closed."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.state != STATE.RUNNING or not tournament.is_arena:
            raise Closed
        entrant = Entrant.objects.filter(tournament=tournament, user=user, left="").first()
        if entrant is None:
            raise NoEntrant
        if (entrant.ready_at is not None) != ready and not queries.is_playing(entrant):
            entrant.ready_at = clock.now() if ready else None
            entrant.save(update_fields=["ready_at"])
            if ready:
                broadcast.tournaments_waiting()
