"""A club challenges another, which accepts or declines (spec: clubs.md, Club against club)."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import blocked_among
from config.lib import clock
from games import broadcast
from games.clubs import encounters
from games.clubs.models import Encounter, EncounterNews, Lineup
from games.clubs.services.encounters import calls, notices
from games.clubs.services.encounters.locking import lock
from games.clubs.services.encounters.refusals import CannotChallenge, NotForOrganisers, TooLate
from games.models import Club, Membership
from games.queries.clubs import membership
from games.rules import get_game
from games.services.hooks import check_taking_part, check_writing
from games.services.refusals import Invalid
from games.time_controls import TIME_CONTROLS

TO_ANSWER = timedelta(days=7)
SOONEST, LATEST = timedelta(hours=1), timedelta(days=60)  # until it begins
MOST_TABLES = 50
MOST_UNDER_WAY = 10  # of a club
SIZES = (2, 4, 6, 8)
STATE, NEWS = Encounter.State, EncounterNews.Kind


def sizes(game_slug: str, options: dict[str, Any] | None = None) -> list[int]:
    """Return at how many seats two clubs can meet in this game: even, so that both have as many."""
    game = get_game(game_slug)
    return [size for size in SIZES if game.min_seats <= size <= game.max_seats and _fits(game, size, options)]


def _fits(game: Any, size: int, options: dict[str, Any] | None) -> bool:
    try:
        whole = game.full_options(size, options or {})
    except ValueError:
        return options is None  # others may do
    return not game.is_cooperative(whole) and not game.is_live(whole)


def challenge(*, user: User, own_id: int, other_id: int, begins_at: datetime, **wishes: Any) -> Encounter:
    """Challenge a club in the name of another that one organises; `wishes` are fields of Encounter.

    NotForOrganisers, CannotChallenge, Invalid, or what a sanction says.
    """
    check_taking_part(user)
    if wishes.get("words"):
        check_writing(None, user)
    _clubs(user, own_id, other_id)
    made = Encounter(begins_at=begins_at, made_by=user, **wishes)
    _check(made)
    with transaction.atomic():
        list(Club.objects.select_for_update(no_key=True).filter(pk__in=(own_id, other_id)).order_by("pk"))
        own, other = _clubs(user, own_id, other_id)  # as they are now: nobody changes or dissolves them meanwhile
        _refuse_many(own, other)
        now = clock.now()
        made.challenger, made.challenged = own, other
        made.challenger_name, made.challenged_name = own.name, other.name
        made.public = own.is_listed and other.is_listed
        made.made_at, made.answer_by = now, min(now + TO_ANSWER, begins_at)
        made.save()
        notices.tell(made, NEWS.CHALLENGED, encounters.organisers([other.pk]))
        calls.tell(made, "announced")
    return made


def _clubs(user: User, own_id: int, other_id: int) -> tuple[Club, Club]:
    """Return the club that the member organises, and the one it challenges. NotForOrganisers, CannotChallenge."""
    row = membership(own_id, user)
    if row is None or not row.organises:
        raise NotForOrganisers
    own, other = Club.objects.filter(pk=own_id).first(), Club.objects.filter(pk=other_id).first()
    if own is None or other is None or own == other:
        raise CannotChallenge
    owner = Membership.objects.filter(club=other, role=Membership.Role.OWNER).values_list("user", flat=True).first()
    if blocked_among(user.pk, [owner]):
        raise CannotChallenge(_("This club cannot be challenged now."))
    return own, other


def _check(made: Encounter) -> None:
    """Refuse (Invalid) what two clubs cannot play."""
    game = get_game(made.game_slug)
    if made.seats not in sizes(made.game_slug, made.options):
        raise Invalid(_("%(game)s cannot be played with these options.") % {"game": game.name})
    pace = TIME_CONTROLS.get(made.pace_slug)
    if pace is None or pace.is_live:
        raise Invalid(_("Choose a time to think from the list."))
    if not 1 <= made.most_tables <= MOST_TABLES:
        raise Invalid(_("Choose between 1 and %(most)d tables.") % {"most": MOST_TABLES})
    if not clock.now() + SOONEST <= made.begins_at <= clock.now() + LATEST:
        raise Invalid(_("It begins between one hour and sixty days from now."))


def _refuse_many(own: Club, other: Club) -> None:
    _refuse_one_more(own.pk)
    if encounters.taken_up(other.pk).count() >= MOST_UNDER_WAY:
        raise CannotChallenge(
            _("That club has %(most)d club matches under way. Try it again later.") % {"most": MOST_UNDER_WAY}
        )
    if encounters.under_way(own.pk).filter(pk__in=encounters.under_way(other.pk), state__in=encounters.ANNOUNCED):
        raise CannotChallenge(_("These two clubs have announced a match already."))


def _refuse_one_more(club_id: int) -> None:
    if encounters.taken_up(club_id).count() >= MOST_UNDER_WAY:
        raise CannotChallenge(
            _("Your club has %(most)d club matches under way. Wait until one is over.") % {"most": MOST_UNDER_WAY}
        )


def answer(*, encounter_id: int, user: User, accepts: bool) -> Encounter:
    """Accept or decline a challenge for the club that got it.

    NotForOrganisers, TooLate, CannotChallenge for one too many, or what a sanction says.
    """
    if accepts:
        check_taking_part(user)
    with transaction.atomic():
        got = Encounter.objects.filter(pk=encounter_id).order_by().values("challenged")
        list(Club.objects.select_for_update(no_key=True).filter(pk__in=got))  # which accepts one after the other
        encounter = lock(encounter_id)
        if 1 not in encounters.organised_by(encounter, user):
            raise NotForOrganisers
        now = clock.now()
        if encounter.state != STATE.OFFERED or now >= encounter.answer_by or encounter.challenger is None:
            raise TooLate
        if accepts:
            _refuse_one_more(encounter.challenged_id or 0)
        encounter.state, encounter.answered_at = STATE.ACCEPTED if accepts else STATE.DECLINED, now
        encounter.save(update_fields=["state", "answered_at"])
        notices.forget(encounter, NEWS.CHALLENGED)
        notices.tell(
            encounter, NEWS.ACCEPTED if accepts else NEWS.DECLINED, encounters.organisers([encounter.challenger_id])
        )
        if accepts:
            calls.tell(encounter, "accepted")
    return encounter


def withdraw(*, encounter_id: int, user: User) -> Encounter:
    """Take a challenge back, or call off what both had agreed before it begins. NotForOrganisers, TooLate."""
    with transaction.atomic():
        encounter = lock(encounter_id)
        sides = encounters.organised_by(encounter, user)
        if encounter.state == STATE.OFFERED and 0 in sides:
            encounter.state, encounter.ended_at = STATE.WITHDRAWN, clock.now()
            encounter.save(update_fields=["state", "ended_at"])
            notices.forget(encounter, NEWS.CHALLENGED)
        elif encounter.state == STATE.ACCEPTED and sides:
            call_off(encounter)
        else:
            raise TooLate if sides else NotForOrganisers
    return encounter


def call_off(encounter: Encounter) -> None:
    """Call off a locked encounter that has not begun; who said that they play, and the organisers are told."""
    encounter.state, encounter.ended_at = STATE.CALLED_OFF, clock.now()
    encounter.save(update_fields=["state", "ended_at"])
    EncounterNews.objects.filter(encounter=encounter).delete()
    playing = Lineup.objects.filter(encounter=encounter, plays=True, user__isnull=False).values_list("user", flat=True)
    notices.tell(encounter, NEWS.CALLED_OFF, {*playing, *encounters.organisers(encounter.sides)})
    calls.tell(encounter, "called_off")
    broadcast.clubs_waiting()
