"""Reads of matches: whose turn it is, which tables are open, what a person may see."""

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.models import User, badge_of
from accounts.queries import blocked_ids
from config.lib import sql
from games.clocks import ALWAYS, times
from games.models import Invitation, Match, Seat
from games.queries import clubs
from games.time_controls import TIME_CONTROLS

Person = User | AnonymousUser

# Raw SQL on the path of a move: quicker than Django builds it (docs/decisions/0003-written-out-reads.md).
_MATCH = "SELECT * FROM games_match WHERE id = %s"
_PERSON = """
    accounts_user.username AS username, accounts_user.time_zone AS zone,
    accounts_user.is_staff AND accounts_user.is_active AS staff,
    accounts_user.is_superuser AND accounts_user.is_active AS superuser,
    accounts_user.quiet_from, accounts_user.quiet_until, accounts_user.vacation, games_match.automatic_days_off,
    accounts_user.asks_before_final AS asks_first, bot_owner.username AS owner,
    (SELECT MAX(id) FROM games_outage) AS last_outage"""
_JOINED = """
    FROM games_seat JOIN games_match ON games_match.id = games_seat.match_id
    LEFT JOIN accounts_user ON accounts_user.id = games_seat.user_id
    LEFT JOIN accounts_user AS bot_owner ON bot_owner.id = accounts_user.owner_id
    WHERE games_seat.match_id = %s ORDER BY games_seat.number"""
_SEATS = f"SELECT games_seat.*, {_PERSON} {_JOINED}"
_MATCH_AND_SEATS = f"SELECT games_match.*, games_seat.*, {_PERSON} {_JOINED}"

# Open questions, live tables that ask who is here, invitations, and what other players propose: pauses, call-offs.
_WAITING = """
    SELECT
        (SELECT COUNT(*) FROM games_seat WHERE user_id = %(user)s AND bot = '' AND ask IS NOT NULL)
        + (SELECT COUNT(*) FROM games_seat WHERE user_id = %(user)s AND ready_by IS NOT NULL)
        + (SELECT COUNT(*) FROM games_invitation JOIN games_match ON games_match.id = games_invitation.match_id
            WHERE games_invitation.user_id = %(user)s AND NOT declined AND status = 'open')
        + (SELECT COUNT(*) FROM games_seat AS own JOIN games_match AS game ON game.id = own.match_id
            WHERE own.user_id = %(user)s AND own.rank IS NULL
            AND own.bot = '' AND own.ask IS NULL AND game.status = 'running'
            AND EXISTS (SELECT 1 FROM games_seat AS other
                WHERE other.match_id = own.match_id AND other.user_id <> own.user_id
                AND (other.bot = '' OR other.absent)
                AND (other.wants_call_off AND own.wants_call_off IS NULL
                    OR other.wants_pause AND own.wants_pause IS NULL
                    AND game.paused_at IS NULL AND game.ends_at IS NULL)))"""

_HEAVY = ("state", "setup_draws")
_IN_SEATS = Prefetch("seats", Seat.objects.select_related("user__owner").order_by("number"))


def visible_to(user: Person) -> QuerySet[Match]:
    """Return the matches that this person may look at: public ones, their clubs', own ones, those invited to."""
    shared = shared_with(user)
    return Match.objects.filter(shared | _concerns(user.pk) if user.pk is not None else shared)


def shared_with(user: Person, match: str = "") -> Q:
    """Return the condition that a match, at the end of this path, is for everybody, or for a club of this person."""
    public = Q(**{f"{match}access": Match.Access.OPEN})
    if user.pk is None:
        return public
    return public | Q(**{f"{match}access": Match.Access.CLUB, f"{match}club__in": clubs.club_ids_of(user)})


def sees(match: Match, own: Seat | None, user: Person) -> bool:
    """Return whether this person may look at a match, `own` being their seat: `visible_to` of one that is read."""
    if match.is_public or own is not None:
        return True
    return clubs.belongs(match.club_id, user) if match.is_of_club else is_invited(match, user)


def _concerns(user_id: int) -> Q:
    """Return the condition that somebody has a seat at a match, had one, or is invited to it."""
    return _has_seat(user_id) | _is_invited(user_id)


def _has_seat(user_id: int) -> Q:
    return Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user_id=user_id)))


def _is_invited(user_id: int) -> Q:
    """Return the condition that somebody is invited to a match; to a club's table, that opens nothing."""
    return ~Q(access=Match.Access.CLUB) & Q(
        Exists(Invitation.objects.filter(match=OuterRef("pk"), user_id=user_id, declined=False))
    )


def _concerning(user_id: int) -> QuerySet[Match]:
    """Return the matches that fulfil `_concerns`, when nothing else narrows them down.

    Found by number: a condition on each match would make the database look at every one.
    """
    seated = Seat.objects.filter(user_id=user_id).order_by().values("match_id")
    return Match.objects.filter(
        pk__in=seated.union(Invitation.objects.filter(user_id=user_id, declined=False).values("match_id"))
    )


def listed(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Return the matches as lists show them: with their seats, without seed and setup."""
    return matches.defer("setup_draws").prefetch_related(_IN_SEATS)


def my_turns(user: Person) -> QuerySet[Seat]:
    """Return the seats in which this person owes a decision: least time left first, then longest waiting.

    Before them come those in which one is asked whether one is here, before a live match starts.
    """
    if user.pk is None:
        return Seat.objects.none()
    owed = Q(ask__isnull=False) | Q(ready_by__isnull=False)
    owing = Seat.objects.filter(owed, user_id=user.pk, bot="")
    end = Coalesce("deadline", "match__ends_at").asc(nulls_last=True)
    return owing.order_by(F("ready_by").asc(nulls_last=True), end, "asked_at", "match_id")


def proposed_to(user: Person) -> QuerySet[Seat]:
    """Return this person's seats in matches where others propose a pause or a call-off, not answered yet."""
    if user.pk is None:
        return Seat.objects.none()
    # A join to the other seats, which the databases follow from one's own; EXISTS they would work out over all seats.
    # One's own seat is none of them: it has no answer yet where the other one proposes.
    stands = Q(match__seats__bot="") | Q(match__seats__absent=True)  # `Seat.may_propose`
    can_pause = Q(match__paused_at__isnull=True, match__ends_at__isnull=True, wants_pause__isnull=True)
    pause = can_pause & Q(match__seats__wants_pause=True)
    call_off = Q(match__seats__wants_call_off=True, wants_call_off__isnull=True)
    running = Seat.objects.filter(user_id=user.pk, rank__isnull=True, bot="", match__status=Match.Status.RUNNING)
    proposed = running.filter(stands, pause | call_off, match__seats__user__isnull=False)
    return proposed.order_by("-match__moved_at", "match_id").distinct()


def waiting_count(user: Person) -> int:
    """Return how many matches wait for this person: for a decision, or an answer to others."""
    if user.pk is None:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, {"user": user.pk})
        return int(cursor.fetchone()[0])


def waiting_ids(user: Person) -> list[int]:
    """Return the matches that `waiting_count` counts: the most urgent first, invitations last."""
    asked = [*my_turns(user).values_list("match_id", flat=True), *proposed_to(user).values_list("match_id", flat=True)]
    return list(dict.fromkeys([*asked, *invited_to(user).values_list("pk", flat=True)]))


def matches_of(seats: QuerySet[Seat]) -> list[Match]:
    """Return the matches of these seats in their order, as lists show them."""
    order = list(seats.values_list("match_id", flat=True))
    found = listed(Match.objects.all()).in_bulk(order)
    return [found[match_id] for match_id in order if match_id in found]


def invited_names(match: Match, *, declined: bool = False) -> list[str]:
    """Return the names of the members invited to an open match: who may still come, or who declined."""
    invitations = match.invitations.filter(declined=declined).order_by("pk")
    return list(invitations.values_list("user__username", flat=True))


def is_invited(match: Match, user: Person) -> bool:
    """Return whether this person is invited to this match, and has not declined."""
    return user.pk is not None and match.invitations.filter(user_id=user.pk, declined=False).exists()


def late_invitation(match_id: int, user: Person) -> Match | None:
    """Return the match if this person was invited to it, and its table is no longer open."""
    if user.pk is None or not 0 < match_id < 2**63:
        return None
    late = Match.objects.exclude(status=Match.Status.OPEN).filter(pk=match_id, invitations__user_id=user.pk)
    return late.first()


def played_before(match: Match, user: Person) -> bool:
    """Return whether this is a rematch of a match in which this person sat."""
    if match.rematch_of_id is None or user.pk is None:
        return False
    return Seat.objects.filter(match_id=match.rematch_of_id, user_id=user.pk).exists()


def is_kept(match: Match, user: Person) -> bool:
    """Return whether a rematch is kept from this person: for those who played before, till all have answered."""
    if match.rematch_of_id is None or played_before(match, user) or is_invited(match, user):
        return False
    return match.invitations.filter(declined=False).exists()


def has_players_chat(match: Match, seats: Sequence[Seat], user_id: int | None) -> bool:
    """Return whether this person reads and writes among the players: who sits or sat there, and the invited."""
    if user_id is None:
        return False
    if any(seat.user_id == user_id for seat in seats):
        return True
    return match.status == Match.Status.OPEN and match.invitations.filter(user_id=user_id, declined=False).exists()


def opens(token: str, match_id: int) -> bool:
    """Return whether this is the token of the match's link."""
    if not token or "\0" in token:
        return False
    return Match.objects.filter(pk=match_id, access=Match.Access.LINK, token=token).exists()


def takes_guests(token: str, match_id: int) -> bool:
    """Return whether this is the token of a table's link by which guests sit down, too."""
    return opens(token, match_id) and Match.objects.filter(pk=match_id, takes_guests=True).exists()


def seat_number(match_id: int, user: Person) -> int | None:
    """Return the seat in which this person plays; None for a watcher or one who left.

    Who ran out of time is there all the same: to be gone at that moment would tell it before it is told.
    """
    if user.pk is None:
        return None
    seats = Seat.objects.filter(Q(bot="") | Q(absent=True), match_id=match_id, user_id=user.pk)
    return seats.values_list("number", flat=True).first()


def open_tables(user: Person, game_slug: str = "", pace: str = "") -> QuerySet[Match]:
    """Return the open matches that this person may join or has joined (blocks considered), newest first.

    Those of members without a confirmed address come last; those whose people are asked if they are here, not at all.
    """
    tables = Match.objects.filter(status=Match.Status.OPEN)
    checking = Seat.objects.filter(match=OuterRef("pk"), ready_by__isnull=False)
    at_table = Seat.objects.filter(match=OuterRef("pk"), rank__isnull=True)  # nobody has a rank there yet
    mine = Q(Exists(at_table.filter(user_id=user.pk))) if user.pk is not None else Q(pk__in=())
    tables = tables.filter(~Exists(checking) | mine)
    awaited = Invitation.objects.filter(match=OuterRef("pk"), declined=False)
    free = shared_with(user) & (Q(rematch_of__isnull=True) | ~Exists(awaited))
    if user.pk is None:
        tables = tables.filter(free)
    else:
        tables = tables.filter(free | mine | _is_invited(user.pk))
        apart = blocked_ids(user.pk, "user_id")
        tables = tables.filter(mine | ~Exists(at_table.filter(apart)))
    if isinstance(user, User) and user.is_bot:
        tables = tables.filter(mine | Q(takes_bots=True))
    if game_slug:
        tables = tables.filter(game_slug=game_slug)
    if pace in TIME_CONTROLS:
        tables = tables.filter(pace_slug=pace)
    tables = tables.alias(is_unproven=Q(creator__email="")).order_by("is_unproven", "-joined_at", "-pk")
    return tables.defer(*_HEAVY).prefetch_related(_IN_SEATS)


def invited_to(user: Person) -> QuerySet[Match]:
    """Return the open matches to which this person is invited, newest first."""
    if user.pk is None:
        return Match.objects.none()
    mine = Invitation.objects.filter(user_id=user.pk, declined=False)
    invited = Match.objects.filter(pk__in=mine.values("match"), status=Match.Status.OPEN)
    return listed(invited).order_by("-joined_at", "-pk")


def running_in_public(user: Person, game_slug: str = "") -> QuerySet[Match]:
    """Return the public running matches of others, the latest move first; one game's, if given."""
    matches = Match.objects.filter(status=Match.Status.RUNNING, access=Match.Access.OPEN)
    if user.pk is not None:
        matches = matches.exclude(Exists(Seat.objects.filter(match=OuterRef("pk"), user_id=user.pk)))
    if game_slug:
        matches = matches.filter(game_slug=game_slug)
    return listed(matches).order_by("-moved_at")


def my_matches(user: Person) -> QuerySet[Match]:
    """Return the matches in which this person sits or sat, or is invited to, seats included."""
    if user.pk is None:
        return Match.objects.none()
    return listed(_concerning(user.pk).exclude(ending=Match.Ending.CLOSED))


def my_running(user: Person) -> QuerySet[Match]:
    """Return the running matches in which this person sits or sat: by the seats that have no rank yet, not by all."""
    if user.pk is None:
        return Match.objects.none()
    seated = Seat.objects.filter(user_id=user.pk, rank__isnull=True).order_by().values("match_id")
    return listed(Match.objects.filter(pk__in=seated, status=Match.Status.RUNNING))


def seats_to_take_back(user: Person) -> list[Match]:
    """Return the running matches in which a bot holds this person's seat, which they may take back."""
    if user.pk is None:
        return []
    left = Seat.objects.filter(user_id=user.pk, absent=True, returned=False).exclude(bot="").values("match_id")
    held = listed(Match.objects.filter(pk__in=left, status=Match.Status.RUNNING)).order_by("pk")
    return [match for match in held if any(s.user_id == user.pk and s.may_return(match) for s in match.seats.all())]


def match_row(match_id: int, *, lock: bool = False, wait: bool = True) -> Match:
    """Return one match, locked if asked for. Match.DoesNotExist, without `wait` also if locked elsewhere."""
    if not 0 < match_id < 2**63:
        raise Match.DoesNotExist
    locked = " FOR NO KEY UPDATE" if lock and connection.features.has_select_for_update else ""
    if locked and not wait:
        locked += " SKIP LOCKED"
    for match in sql.read(Match, _MATCH + locked, [match_id]):
        return match
    raise Match.DoesNotExist


def match_and_seats(match_id: int) -> tuple[Match, list[Seat]]:
    """Return a match and its seats, as they are at one moment: by one statement. Match.DoesNotExist."""
    if not 0 < match_id < 2**63:
        raise Match.DoesNotExist
    found = sql.read_with(Match, Seat, _MATCH_AND_SEATS, [match_id])
    if found is None:  # none without seats
        raise Match.DoesNotExist
    return found[0], _with_people(found[1])


def seats_of(match: Match) -> list[Seat]:
    """Return the seats of a match that is locked or has ended, by number, with their persons' names and times."""
    return seats_in(match.pk)


def seats_in(match_id: int) -> list[Seat]:
    """Return the seats of the match with this id, as `seats_of` does; none without such a match."""
    return _with_people(sql.read(Seat, _SEATS, [match_id]))


def _with_people(seats: list[Seat]) -> list[Seat]:
    for seat in seats:
        own = seat.__dict__
        zone, vacation, automatic = own.pop("zone"), own.pop("vacation"), bool(own.pop("automatic_days_off"))
        seat.badge = badge_of(own.pop("staff"), own.pop("superuser"), own.pop("owner"))
        quiet = own.pop("quiet_from"), own.pop("quiet_until")
        is_free = zone is None or (quiet[0] is None and vacation == "[]")
        seat.times = ALWAYS if is_free else times(zone, *quiet, vacation, automatic)
    return seats
