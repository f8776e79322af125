"""How open tables come about and fill: create, join, invite, start with bots, rematch."""

import secrets
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from config.lib import clock
from games import broadcast
from games.clocks import MS
from games.models import Club, Match, Seat, StandingChallenge
from games.queries.play import is_invited, is_kept, played_before
from games.rules import get_game
from games.services.lobby import club_tables, inviting, member_bots, promises
from games.services.lobby.closing import is_host, save_open_match, start_if_full
from games.services.lobby.joining import refuse_joining
from games.services.lobby.seating import sit
from games.services.lobby.terms import check_terms, checked_options, refuse_many
from games.services.people import blocks
from games.services.play.locking import Person, lock_match, seat_of
from games.services.refusals import (
    Full,
    GuestsCannot,
    Invalid,
    KeptSeat,
    NotAsked,
    NotInvited,
    NotOpen,
    NotYours,
    NotYourSeat,
    Unconfirmed,
    refuse_closed_accounts,
)
from games.time_controls import LIVE, USUAL

FILLING_BOT = "easy"


def create_match(
    *,
    creator: User,
    game_slug: str,
    size: int,
    options: dict[str, Any] | None = None,
    bots: Sequence[str] = (),
    access: str = Match.Access.OPEN,
    invited: Sequence[User] = (),
    nonce: str = "",
    seal: str = "",
    promise: str = "",
    pace: str = USUAL,
    automatic_days_off: bool = True,
    rematch_of: Match | None = None,
    rated: bool = False,
    rating_range: tuple[int | None, int | None] = (None, None),
    guests: bool = True,
    takes_bots: bool = False,
    challenge: StandingChallenge | None = None,
    club: Club | None = None,
    coached: bool = False,
) -> Match:
    """Open a table with the creator in seat 0 and the bots in the last seats; it starts if it is full.

    `bots` are levels. `nonce` and `seal` are the creator's part of the dice, drawn for the commitment of `promise`.
    Only a table of members who play against each other can be rated, and one whose options need all at once is live;
    `rating_range` limits who may join, in points. `guests` may sit down at a casual table by link; bots of members
    where `takes_bots` says so, and at a bot's own, which invites nobody. `club` is that of a table for its members.
    `coached`: a lesson.
    NotOfClub, Invalid, GuestsCannot, BotsCannot, BotBusy, TooManyTables, Unconfirmed, UnconfirmedHost, NotAsked.
    """
    game = get_game(game_slug)
    wishes = checked_options(game_slug, size, options or {}, bots)
    check_terms(pace, rating_range)
    if creator.is_guest and 1 + len(bots) < size:
        raise GuestsCannot
    if invited:
        member_bots.refuse_bots(creator)
    lowest, highest = rating_range
    rated = rated and not bots and not game.is_cooperative(wishes)
    if rated and not creator.is_confirmed:
        raise Unconfirmed
    with transaction.atomic():
        club_tables.check_opening(access, club, creator, waits=rematch_of is None)
        member_bots.take_place(creator)
        refuse_closed_accounts(invited)
        if 1 + len(bots) < size:
            refuse_many(creator)
        match = promises.create(
            promise,
            game_slug=game_slug,
            rules_version=game.rules_version,
            options=wishes,
            size=size,
            access=access,
            pace_slug=LIVE if game.is_live(wishes) else pace,
            automatic_days_off=automatic_days_off,
            creator=creator,
            rematch_of=rematch_of,
            challenge=challenge,
            club=club,
            coached=coached,
            prepared=[] if coached else None,
            rated=rated,
            lowest_rating=lowest,
            highest_rating=highest,
            takes_bots=takes_bots or creator.is_bot,
            takes_guests=guests and access == Match.Access.LINK and not rated and (lowest, highest) == (None, None),
        )
        seats = [Seat(match=match, number=n, bank=match.pace.bank // MS) for n in range(size)]
        sit(seats[0], creator, nonce, seal)
        for seat, level in zip(reversed(seats), reversed(bots), strict=False):
            seat.bot = level
        Seat.objects.bulk_create(seats)
        blocks.check_guests(creator, invited)
        _ask(match, creator, _askable(match, creator, invited))
        start_if_full(match, seats, by=creator)
        broadcast.lobby_changed()
    return match


def _askable(match: Match, creator: User, invited: Iterable[User]) -> list[User]:
    """Return whom the creator asks, each once: guests only for a rematch of a table that takes them."""
    asks_guests = match.takes_guests and match.rematch_of_id is not None
    others = {user.pk: user for user in invited if user.pk != creator.pk and (asks_guests or not user.is_guest)}
    return list(others.values())


def join(*, match_id: int, user: User, nonce: str = "", seal: str = "", token: str = "") -> Match:
    """Take the first free seat; the last to join starts the match. Joining twice is harmless.

    `token` opens a match by link. GuestsCannot, NotOpen, NotInvited, NotOfClub, Full, Unconfirmed, NoBots, OwnBots,
    BotBusy, BlockedByOther, or what ON_JOINING raises.
    """
    with transaction.atomic():
        match, seats = lock_match(match_id)
        if any(seat.user_id == user.pk for seat in seats):
            return match
        refuse_late(match, seats)
        if user.is_guest and not match.takes_guests:
            raise GuestsCannot
        club_tables.refuse_strangers(match, user)
        if not _welcome(match, user, token):
            raise NotInvited
        if is_kept(match, user):
            raise KeptSeat
        refuse_joining(match, user, seats)
        member_bots.take_place(user)
        seat = next((seat for seat in seats if seat.is_free), None)
        if seat is None:  # they are being asked whether they are here
            raise Full
        sit(seat, user, nonce, seal)
        seat.save(update_fields=["user", "nonce", "seal"])
        match.joined_at = clock.now()
        match.invitations.filter(user=user).delete()
        inviting.note_accepted(match, user)
        save_open_match(match, seats, by=user)
    return match


def refuse_late(match: Match, seats: Sequence[Seat]) -> None:
    """Refuse who comes when the table is no longer open: Full, NotOpen."""
    if match.status != Match.Status.OPEN:
        is_full = match.status == Match.Status.RUNNING and not any(seat.is_free for seat in seats)
        raise Full if is_full else NotOpen


def _welcome(match: Match, user: User, token: str) -> bool:
    if match.has_watchers:  # whoever may look at it; strangers to its club have been refused
        return True
    if match.access == Match.Access.LINK and secrets.compare_digest(token.encode(), match.token.encode()):
        return True
    return played_before(match, user) or is_invited(match, user)


def start_with_bots(*, match_id: int, user: Person, level: str = FILLING_BOT) -> None:
    """Start an open match with bots in the free seats: its creator, or whoever sits at one that nobody opened.

    NotOpen, NotYours, Invalid.
    """
    with transaction.atomic():
        match, seats = lock_match(match_id)
        if match.status != Match.Status.OPEN:
            raise NotOpen
        if not is_host(match, seats, user):
            raise NotYours
        if level not in match.game.levels:
            raise Invalid(_("Those bots do not fit this table."))
        for seat in seats:
            if seat.is_free:
                seat.bot = level
                seat.save(update_fields=["bot"])
        save_open_match(match, seats, by=user)


def invite(*, match_id: int, user: User, guests: Sequence[User]) -> None:
    """Invite members, all or nobody; anyone seated may.

    NotOpen, NotYourSeat, GuestsCannot, BotsCannot, BlockedByOther, UnconfirmedHost, NotAsked.
    """
    member_bots.refuse_bots(user)
    if user.is_guest or any(guest.is_guest for guest in guests):
        raise GuestsCannot
    with transaction.atomic():
        match, seats = lock_match(match_id)
        if match.status != Match.Status.OPEN:
            raise NotOpen
        seat_of(seats, user)
        seated = {seat.user_id for seat in seats}
        missing = [guest for guest in guests if guest.pk not in seated]
        refuse_closed_accounts(missing)
        for guest in missing:
            blocks.refuse_invitation(user, guest, seats)
        match.version += 1
        match.save(update_fields=["version"])
        _ask(match, user, missing)


def _ask(match: Match, host: User, guests: Sequence[User]) -> None:
    """Invite members to a table; NotAsked also for bots that it does not take, and for strangers to its club."""
    unfit = club_tables.obstacles(match.access, match.club, guests) | member_bots.obstacles(match, host, guests)
    if unfit:
        raise NotAsked(" ".join(unfit.values()))
    inviting.ask(match, host, guests)


def rematch(*, match_id: int, user: User, nonce: str = "", seal: str = "", promise: str = "") -> Match:
    """Open or join the rematch: same game, options, access, bots and members.

    Whoever cannot be asked is left out. NotYourSeat, NotOpen, BotsCannot, UnconfirmedHost; NotAsked if that is
    everybody.
    """
    with transaction.atomic():
        old, seats = lock_match(match_id)  # whoever asks in the same instant finds what this one opens
        if all(seat.user_id != user.pk for seat in seats):
            raise NotYourSeat
        if old.status != Match.Status.ENDED or old.sandbox:
            raise NotOpen
        following = Match.objects.filter(rematch_of=old).first()
        if following is not None:
            return join(match_id=following.pk, user=user, nonce=nonce, seal=seal)
        others = _others(seats, user)
        if others:
            member_bots.refuse_bots(user)
        access, club = club_tables.place_of_rematch(old, user)
        apart = inviting.obstacles(user, others) | club_tables.obstacles(access, club, others)
        if others and len(apart) == len(others):
            raise NotAsked(" ".join(apart.values()))
        return create_match(
            creator=user,
            game_slug=old.game_slug,
            size=old.size,
            options=old.options,
            bots=[seat.bot for seat in seats if seat.user_id is None and seat.bot],
            access=access,
            club=club,
            pace=old.pace_slug,
            automatic_days_off=old.automatic_days_off,
            invited=[other for other in others if other.pk not in apart],
            nonce=nonce,
            seal=seal,
            promise=promise,
            rematch_of=old,
            rated=old.rated and user.is_confirmed,
            rating_range=(old.lowest_rating, old.highest_rating),
            guests=old.takes_guests,
            takes_bots=old.takes_bots,
        )


def unasked(match_id: int, user: User) -> list[str]:
    """Return why members who played with this one cannot be asked for a rematch, a sentence each."""
    seats = Seat.objects.filter(match=match_id).select_related("user").order_by("number")
    others = _others(seats, user)
    access, club = club_tables.place_of_rematch(Match.objects.get(pk=match_id), user)
    apart = inviting.obstacles(user, others) | club_tables.obstacles(access, club, others)
    return list(apart.values())


def _others(seats: Iterable[Seat], user: User) -> list[User]:
    """Return the other members in these seats, but those whom a block separates from this one."""
    return blocks.without_blocked(user, [s.user for s in seats if s.user and s.user_id != user.pk])
