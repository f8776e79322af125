"""Standing challenges: a member offers to play whoever accepts, at so many matches at once."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import broadcast
from games.models import Match, Seat, StandingChallenge
from games.queries.challenges import UNDER_WAY, accepted_by
from games.rules import get_game
from games.services import hooks
from games.services.lobby import inviting, opening
from games.services.lobby.member_bots import NoBots, refuse_bots
from games.services.people import blocks
from games.services.refusals import (
    GuestsCannot,
    Invalid,
    NotAsked,
    NotOffered,
    Refused,
    TooManyTables,
    Unconfirmed,
    UnconfirmedHost,
)
from games.time_controls import TIME_CONTROLS

MOST_AT_ONCE = 10  # matches of one challenge


def offer(
    *,
    member: User,
    game_slug: str,
    size: int,
    pace: str,
    most: int,
    rated: bool,
    options: dict[str, Any],
    takes_bots: bool = False,
) -> StandingChallenge:
    """Offer to play this game at this pace, in place of what was offered of them before.

    GuestsCannot, BotsCannot, UnconfirmedHost, Invalid.
    """
    if member.is_guest:
        raise GuestsCannot
    refuse_bots(member)
    if not member.is_confirmed:
        raise UnconfirmedHost
    game = get_game(game_slug)
    whole = game.full_options(size, options)
    if pace not in TIME_CONTROLS or TIME_CONTROLS[pace].is_live or game.is_live(whole):
        raise Invalid(_("A standing challenge is for matches by correspondence. Choose a time to think from the list."))
    if not 1 <= most <= MOST_AT_ONCE:
        raise Invalid(_("Choose how many matches at once: 1 to %(most)d.") % {"most": MOST_AT_ONCE})
    facts: dict[str, Any] = {"size": size, "options": options, "most": most, "takes_bots": takes_bots}
    facts["paused"] = False
    facts["rated"] = rated and not game.is_cooperative(whole)
    with transaction.atomic():
        about: dict[str, Any] = {"member": member, "game_slug": game_slug, "pace_slug": pace}
        made, _new = StandingChallenge.objects.update_or_create(**about, defaults=facts)
        broadcast.lobby_changed()
    return made


def pause(*, challenge_id: int, member: User, paused: bool) -> None:
    """Let nobody accept the challenge for the time being, or let them again. NotOffered."""
    with transaction.atomic():
        if not StandingChallenge.objects.filter(pk=challenge_id, member=member).update(paused=paused):
            raise NotOffered
        broadcast.lobby_changed()


def withdraw(*, challenge_id: int, member: User) -> None:
    """End the challenge; its matches go on. Twice is harmless."""
    with transaction.atomic():
        StandingChallenge.objects.filter(pk=challenge_id, member=member).delete()
        broadcast.lobby_changed()


def show_anew(member: User) -> None:
    """Have open lobbies shown anew if something of this member's may stand there; a hook (ON_INVITATIONS_CHANGE)."""
    at_table = Seat.objects.filter(user=member, match__status=Match.Status.OPEN, match__access=Match.Access.OPEN)
    if StandingChallenge.objects.filter(member=member).exists() or at_table.exists():
        broadcast.lobby_changed()


def accept(*, challenge_id: int, user: User, nonce: str = "", seal: str = "", promise: str = "") -> Match:
    """Open a match of the two, which begins at once if it is for two; the challenge is locked meanwhile.

    GuestsCannot, NotOffered, NotAsked, Unconfirmed, NoBots, BlockedByOther, or what ON_JOINING raises.
    """
    if user.is_guest:
        raise GuestsCannot
    with transaction.atomic():
        found = StandingChallenge.objects.select_for_update(of=("self",)).filter(pk=challenge_id)
        challenge = found.select_related("member").first()
        if challenge is None or challenge.member_id == user.pk or not challenge.member.is_active:
            raise NotOffered(_("This challenge does not stand any more."))
        if challenge.paused or challenge.matches.filter(status__in=UNDER_WAY).count() >= challenge.most:
            raise NotOffered(_("This challenge takes no further match at the moment."))
        if challenge.rated and not user.is_confirmed:
            raise Unconfirmed
        if user.is_bot and not challenge.takes_bots:
            raise NoBots
        blocks.refuse_pair(user, challenge.member)
        if why := inviting.unwished(user, challenge.member):
            raise NotAsked(why)
        _refuse_again(challenge, user)
        match = _match_of(challenge, promise)
        _refuse_for(challenge, match)
        return opening.join(match_id=match.pk, user=user, nonce=nonce, seal=seal)


def _refuse_again(challenge: StandingChallenge, user: User) -> None:
    """Refuse who has accepted the challenge already or within a day: it is for others, too."""
    before = accepted_by(user).filter(challenge=challenge).order_by("-pk").first()
    if before is not None and before.status in UNDER_WAY:
        raise NotOffered(_("You are in a match of this challenge already."))
    if before is not None:
        raise NotOffered(_("You accepted this challenge within the last 24 hours. Ask for a rematch, or wait a day."))


def _refuse_for(challenge: StandingChallenge, match: Match) -> None:
    """Refuse if whoever made the challenge may not play now; why is for them alone."""
    try:
        hooks.check_taking_part(challenge.member)
        hooks.check_joining(match, challenge.member)
    except Refused as refusal:
        raise NotOffered(_("This challenge takes no further match at the moment.")) from refusal


def _match_of(challenge: StandingChallenge, promise: str) -> Match:
    try:
        return opening.create_match(
            creator=challenge.member,
            game_slug=challenge.game_slug,
            size=challenge.size,
            options=challenge.options,
            pace=challenge.pace_slug,
            rated=challenge.rated,
            takes_bots=challenge.takes_bots,
            challenge=challenge,
            promise=promise,
        )
    except (TooManyTables, Unconfirmed) as refusal:  # who made it, not who accepts it
        raise NotOffered(_("This challenge takes no further match at the moment.")) from refusal
