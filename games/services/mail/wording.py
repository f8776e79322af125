"""What a mail says of a match in words of its own: the sentence of each notice, and the subject."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from config.lib.formats import listing
from games import questions
from games.catalogue import lobby_words
from games.clocks import time_left, to_ms
from games.models import Kind, Match, Seat
from games.queries import play
from games.services.hooks import host_of
from games.table import Table, headline, seat_name, table_for

RESULTS = (Match.Ending.PLAYED, Match.Ending.RESIGNED, Match.Ending.TIMED_OUT)
REMINDERS = (Kind.REMINDER, Kind.REMINDER2)
FIRST = (
    *(Kind.VOIDED, Kind.ENDED, Kind.ABSENT, Kind.PLAYED, Kind.INVITED, Kind.DECLINED, Kind.PROPOSED, Kind.REFUSED),
    Kind.LAPSED,
)
"""Of what happened to a match, what the subject of its mail says rather than the question that waits."""


def subject_of(
    match: Match, user: User, seats: Sequence[Seat], table: Table, kinds: Sequence[Kind], *, said: str
) -> str:
    """Return what happened, and who did it, in few words: at last what the mail `said` first.

    Lock screens show it: it tells what any watcher may know.
    """
    told = next((kind for kind in FIRST if kind in kinds), None)
    own = next((seat for seat in seats if seat.user_id == user.pk), None)
    if told is None and own is not None and table["ask"] is not None:
        if any(kind in REMINDERS for kind in kinds) and own.deadline is not None:
            left = time_left(to_ms(own.deadline), exact=False)
            return _("%(left)s left in %(match)s") % {"left": left, "match": _with_names(match, own, seats)}
        return questions.subject_of(table_for(match, seats, None), own.number)
    if told == Kind.ENDED and match.ending in RESULTS:
        return _("%(result)s in %(game)s") % {"result": headline(table), "game": match.title}
    if told == Kind.INVITED:
        words = _("%(name)s invites you to %(game)s")
        if play.played_before(match, user):
            words = _("%(name)s asks you for a rematch of %(game)s")
        return words % {"name": _host(match), "game": match.title}
    words = sentence_of(told, match, user) if told else said
    return " · ".join(filter(None, [_with_names(match, own, seats), words])).removesuffix(".")


def facts_of(match: Match) -> list[str]:
    """Return what a match to which one is invited would be: time to think, rated or not, size, options."""
    return [
        str(match.pace.label),
        _("rated") if match.rated else _("casual"),
        ngettext("%(num)d player", "%(num)d players", match.size) % {"num": match.size},
        *lobby_words(match.game, match.options),
    ]


def _with_names(match: Match, own: Seat | None, seats: Sequence[Seat]) -> str:
    """Return the game of a match and with whom the reader plays it."""
    names = listing(seat_name(seat) for seat in seats if seat is not own and not seat.is_free)
    return _("%(game)s with %(names)s") % {"game": match.title, "names": names} if names else match.title


def _host(match: Match) -> str:
    return match.creator.username if match.creator else host_of(match) or _("former member")


def _proposal(match: Match) -> str:
    seats = [seat for seat in play.seats_of(match) if seat.is_in]
    pausing = [seat_name(seat) for seat in seats if seat.wants_pause and match.paused_at is None]
    stopping = [seat_name(seat) for seat in seats if seat.wants_call_off]
    pause = ngettext("%(names)s proposes to pause the match.", "%(names)s propose to pause the match.", len(pausing))
    call_off = ngettext(
        "%(names)s proposes to call the match off.", "%(names)s propose to call the match off.", len(stopping)
    )
    said = ((pause, pausing), (call_off, stopping))
    return " ".join(words % {"names": listing(names)} for words, names in said if names)


def _refusal(match: Match) -> str:
    seats = [seat for seat in play.seats_of(match) if seat.is_in]
    playing = {"names": listing(seat_name(seat) for seat in seats if seat.wants_pause is False)}
    going = {"names": listing(seat_name(seat) for seat in seats if seat.wants_call_off is False)}
    said = [_("%(names)s would rather not pause the match.") % playing if playing["names"] else ""]
    said.append(_("%(names)s would rather not call the match off.") % going if going["names"] else "")
    return " ".join(filter(None, said))


def _declined(match: Match) -> str:
    names = {"names": listing(play.invited_names(match, declined=True))}
    if match.rematch_of_id:
        return _("The rematch was declined by %(names)s.") % names
    return _("The invitation to your table was declined by %(names)s.") % names


def _absent(match: Match, user: User) -> str:
    """Return that a bot plays on, and whether the seat can be taken back (spec: site.md, Clocks)."""
    said = [_("Your time ran out, so a bot plays on in your seat.")]
    if any(seat.user_id == user.pk and seat.may_return(match) for seat in play.seats_of(match)):
        said.append(_("You can take it back, once, as long as the match goes on and nobody has stepped in for you."))
        if match.rated:
            said.append(_("Do so soon: in a rated match a bot may not win points for you."))
    return " ".join(said)


def sentence_of(kind: Kind, match: Match, user: User) -> str:
    game = match.title
    if kind == Kind.ABSENT:
        return _absent(match, user)
    if kind == Kind.INVITED:
        if play.played_before(match, user):
            return _("%(name)s asks for a rematch of %(game)s.") % {"name": _host(match), "game": game}
        return _("%(name)s invites you to a match of %(game)s.") % {"name": _host(match), "game": game}
    if kind == Kind.DECLINED:
        return _declined(match)
    if kind == Kind.PROPOSED:
        return _proposal(match)
    if kind == Kind.REFUSED:
        return _refusal(match)
    if kind == Kind.ENDED and match.voided_at and match.ending == Match.Ending.CALLED_OFF:
        return _("A moderator has ended the match, without a result.")
    if kind == Kind.ENDED and match.ending == Match.Ending.TIMED_OUT:
        return _("The match has ended because time ran out.")
    if kind == Kind.ENDED and match.ending == Match.Ending.RESIGNED:
        return _("The match has ended by resignation.")
    if kind == Kind.LAPSED and match.pace.is_live:
        return _("Your live table of %(game)s has been closed, as nobody was there for 10 minutes.") % {"game": game}
    return {
        Kind.REMINDER: _("Your time is getting short."),
        Kind.REMINDER2: _("Your time is almost up."),
        Kind.PLAYED: _(
            "Your time ran out, so we played for you, this once. The next time in this match, a bot takes your seat."
        ),
        Kind.VACATION: _("Your time would have run out, so a day off was taken."),
        Kind.SAID: _("There is something new in the chat."),
        Kind.STARTED: _("The match has started."),
        Kind.ENDED: _("The match is over."),
        Kind.VOIDED: _("A moderator has voided this match: it no longer counts."),
        Kind.LAPSED: _("Nobody joined your %(game)s table for two weeks, so it was closed.") % {"game": game},
    }[kind]
