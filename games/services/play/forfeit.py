"""How a person leaves a running match: a bot plays on, ranked below all who are still in."""

from config.lib import clock
from games import broadcast
from games.models import Match, Seat
from games.queries.readable import why_unreadable
from games.services.play.match_transaction import (
    finish,
    pause_if_agreed,
    save_all,
)
from games.services.play.pacing import due

# Which bot plays on in a seat that a person has left.
BOT_AFTER_RESIGNING = "strong"
BOT_AFTER_TIME_OUT = "strong"
BOT_AFTER_CLOSING = "easy"  # an account
BOT_AFTER_SANCTION = "easy"


def forfeit(match: Match, seats: list[Seat], seat: Seat, *, bot: str, ending: Match.Ending) -> None:
    """Give a person's seat to a bot for good, and save; the locked match may end, as `ending` says.

    It ends when nobody is still in, or only one person while all other people have left; one that cannot be read
    goes on, as nobody knows how it stands.
    """
    if why_unreadable(match):
        _leave_unread(match, seats, seat, bot)
        return
    seat.stop_clock(match.pace, clock.now())
    seat.left = 1 + max(other.left or 0 for other in seats)
    seat.bot = bot
    if seat.user_id is not None:
        broadcast.seat_lost(match.pk, seat.user_id)
    people_in = [other for other in seats if other.is_in]
    if not people_in or (len(people_in) == 1 and all(s.is_in or s.left for s in seats)):
        finish(match, seats, ending)
    elif all(other.wants_call_off for other in people_in):
        finish(match, seats, Match.Ending.CALLED_OFF)
    else:
        pause_if_agreed(match, seats)
        if seat.ask is not None:
            seat.bot_at = clock.now()
            broadcast.bots_asked(match.pk, after=max(0.0, (due(match, seat) - seat.bot_at).total_seconds()))
    is_told = not seat.left_at or seat.left_at <= match.turns
    if is_told:
        seat.wants_call_off = seat.wants_pause = None
    goes_on = match.status == Match.Status.RUNNING and match.paused_at is None
    save_all(match, seats, quietly=goes_on and not is_told)


def _leave_unread(match: Match, seats: list[Seat], seat: Seat, bot: str) -> None:
    seat.runs_from = seat.deadline = None
    seat.left = 1 + max(other.left or 0 for other in seats)
    seat.bot = bot
    seat.wants_call_off = seat.wants_pause = None
    save_all(match, seats)
