"""Opens sandboxes: unrated matches that go on from a step of a record, against bots, alone, or with friends."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import broadcast
from games.clocks import MS
from games.models import Imported, Match, Seat
from games.services import hooks
from games.services.lobby import opening, promises
from games.services.lobby.closing import start_if_full
from games.services.lobby.terms import refuse_many
from games.services.play.importing import packed
from games.services.records.checking import Sound, check_step
from games.services.refusals import GuestsCannot, Invalid, Refused
from games.time_controls import PATIENT, USUAL

MOST = 10  # of a member, open or running
KINDS = Match.Sandbox


class TooManySandboxes(Refused):
    def __init__(self) -> None:
        super().__init__(_("You have as many sandboxes as you may. End one of them first, by resigning."))


def open_from(
    *,
    user: User,
    sound: Sound,
    step: int,
    kind: str,
    seat: int | None = None,
    level: str = "",
    invited: Sequence[User] = (),
    source: Match | None = None,
) -> Match:
    """Open a sandbox after move `step` of a checked record, and start it if nobody else is waited for.

    The member takes `seat`, or without one the first that is asked. `level` is that of the bots, `source` the match of
    this site of which the record is. Invalid, GuestsCannot, TooManySandboxes, and what tables and invitations refuse.
    """
    if user.is_guest:
        raise GuestsCannot
    asked = check_step(sound, step)
    own = asked[0] if seat is None else seat
    if kind not in KINDS or not 0 <= own < sound.size:
        raise Invalid(_("Choose how to play on."))
    if kind == KINDS.BOTS and level not in sound.game.levels:
        raise Invalid(_("Those bots do not fit this table."))
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        hooks.check_taking_part(user)
        _refuse_too_many(user)
        if kind == KINDS.FRIENDS:
            refuse_many(user)
        match = promises.create(
            game_slug=sound.game.slug,
            rules_version=sound.game.rules_version,
            options=sound.options,
            size=sound.size,
            access=Match.Access.INVITATION,
            pace_slug=USUAL if kind == KINDS.FRIENDS else PATIENT,
            creator=user,
            prepared=[],
            sandbox=kind,
        )
        body = packed(sound.record["setup_draws"], sound.moves[:step])
        Imported.objects.create(match=match, source=source, digest=sound.digest, step=step, body=body)
        seats = [_seat(match, number, level) for number in range(sound.size)]
        seats[own].user, seats[own].bot = user, ""
        Seat.objects.bulk_create(seats)
        start_if_full(match, seats, by=user)
        if kind == KINDS.FRIENDS and invited:
            opening.invite(match_id=match.pk, user=user, guests=[one for one in invited if one.pk != user.pk])
        broadcast.lobby_changed()
    return match


def _refuse_too_many(user: User) -> None:
    theirs = Match.objects.filter(creator=user, status__in=[Match.Status.OPEN, Match.Status.RUNNING])
    if theirs.exclude(sandbox="").count() >= MOST:
        raise TooManySandboxes


def _seat(match: Match, number: int, level: str) -> Seat:
    """Return a seat in which a bot sits, or nobody yet; whoever plays all seats is told nothing of it."""
    kind, seat = match.sandbox, Seat(match=match, number=number, bank=match.pace.bank // MS)
    seat.bot, seat.hand = level if kind == KINDS.BOTS else "", kind == KINDS.ALONE
    seat.notices = "none" if seat.hand else "all"
    return seat
