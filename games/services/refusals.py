"""The exceptions by which services refuse, each with an HTTP status and a sentence for the user."""

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.engine import IllegalMove


class Refused(Exception):
    """A refused request: nothing was changed. `status` is the HTTP status, `sentence` the reason."""

    status = 409
    sentence: str | Promise = _("This is not possible now.")

    def __init__(self, sentence: str | Promise = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence or self.sentence

    def __str__(self) -> str:
        return str(self.sentence)


class NotYourSeat(Refused):
    status = 403
    sentence = _("You have no seat in this match.")


class NotesChanged(Refused):
    """The person's notes were saved from another page after this one had shown them."""

    sentence = _("Your notes were saved from another tab meanwhile. Nothing is lost: both stand below.")


class OrdersChanged(Refused):
    """The person's standing orders were saved from another page after this one had shown them."""

    sentence = _("Your standing orders were saved from another tab meanwhile.")


class NoLongerProposed(Refused):
    """A proposal is accepted that has lapsed."""

    sentence = _("That proposal no longer stands: it was withdrawn, or has lapsed with a move.")


class NotYours(Refused):
    status = 403
    sentence = _("Only the member who opened this table may do that.")


class NotInvited(Refused):
    status = 403
    sentence = _("This table is by invitation only, and you are not invited.")


class NotOfClub(Refused):
    """A table is for members of a club to which the member does not belong, or not any more."""

    status = 403
    sentence = _("This table is for members of a club to which you do not belong.")


class KeptSeat(Refused):
    """The match is a rematch, and somebody who played before has not answered yet."""

    status = 403
    sentence = _("These seats are kept for those who played before, until all have answered.")


class BlockedByOther(Refused):
    """Somebody at the table has blocked the member; the sentence does not say so."""

    status = 403
    sentence = _("You cannot sit down at this table. You are welcome at others.")


class HasBlocked(BlockedByOther):
    """The member has blocked somebody at the table."""

    sentence = _("You have blocked somebody at this table. Unblock them in your settings to play with them.")


class GuestsCannot(Refused):
    status = 403
    sentence = _(
        "Guests play against bots, and at casual tables whose link lets them in. Sign up for this; your matches stay "
        "yours."
    )


class BotsCannot(Refused):
    status = 403
    sentence = _("Bots of members play at tables that take them. This is for people.")


class Unconfirmed(Refused):
    status = 403
    sentence = _("Rated matches are for members with a confirmed e-mail address. Confirm yours in your settings.")


class UnconfirmedHost(Refused):
    status = 403
    sentence = _("Confirm your e-mail address to invite others: the mail we sent you has the link.")


class NotAsked(Refused):
    """Somebody cannot be invited now; `sentence` says who, and why."""

    status = 403


class CannotWrite(Refused):
    """The member may not write in this chat; `sentence` says why."""

    status = 403


class TooOften(Refused):
    status = 429
    sentence = _("That was a little fast. Nothing was done; please wait a moment and try again.")


class NotAPage(Refused):
    status = 405
    sentence = _("This address only works through the site’s buttons. Nothing was done.")


class DoneSince(Refused):
    sentence = _(
        "You have already acted here since this page was shown, perhaps by pressing twice. "
        "Nothing more was done; look again first."
    )


class NotStopped(Refused):
    sentence = _("The fuse no longer stops this sweep. Nothing was done.")


class NothingToUndo(Refused):
    sentence = _("There is nothing left to undo in this sweep.")


class TooFast(Refused):
    status = 429
    sentence = _("Many matches were started from your network. Wait a while, or sign up to play on.")


class StaleQuestion(Refused):
    sentence = _("The match has gone on since this page was shown. Nothing was played; here is the table now.")


class NotUndoable(Refused):
    sentence = _("This move can no longer be taken back: others have moved since, or it has revealed something.")


class NonceNotTaken(Refused):
    sentence = _("Your part of the dice can no longer be opened: it is open already, or you have moved.")


class TooLate(Refused):
    sentence = _("Your time had run out when this move arrived. Nothing was played.")


class ClockOfTheGame(Refused):
    sentence = _("The clock of this race cannot be stopped.")


class NotRunning(Refused):
    sentence = _("This match is not running.")


class NotEnded(Refused):
    sentence = _("The record, with the secret of the dice, is opened when the match has ended.")


class NotOpen(Refused):
    sentence = _("This table is no longer open.")


class Full(Refused):
    sentence = _("All seats are taken.")


class NotOffered(Refused):
    sentence = _("This seat cannot be taken now.")


class TooManyTables(Refused):
    sentence = _("You already have many open tables. Close one, or wait until it fills.")


class TooManyBotMatches(Refused):
    sentence = _(
        "You have as many matches against bots running as you may. Finish one, or end it by resigning, and start again."
    )


class Invalid(Refused):
    """The input does not fit; `sentence` says what is wrong."""

    status = 400


class BadOrders(Refused):
    """The standing orders do not fit the game."""

    status = 400
    sentence = _(
        "These orders do not fit the game: a number is not whole or is out of range, or a row does not exist. "
        "Your orders were not changed."
    )


class Illegal(Refused):
    """The rules refuse the move; `code` is the engine's."""

    def __init__(self, refusal: IllegalMove) -> None:
        super().__init__(refusal.code)
        self.code = refusal.code
        self.sentence = _(refusal.message) % refusal.params


class NotSure(Refused):
    """A final move of a member who is asked before such moves; it is played once it is confirmed."""

    sentence = _("This cannot be taken back. Play it?")

    def __init__(self, move: object) -> None:
        super().__init__()
        self.move = move


class Advised(Refused):
    """The coach of a lesson has something to say to this move before it is played; sent again, it is played."""

    def __init__(self, sentence: str, move: object) -> None:
        super().__init__(sentence)
        self.move = move


def refuse_closed_accounts(people: Iterable[User]) -> None:
    """Keep these accounts from being closed until the transaction ends; Invalid if one was closed meanwhile.

    Rows that name somebody who is gone would fail at the end of the outermost transaction alone.
    """
    asked = {user.pk: user.username for user in people}
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=asked).order_by("pk")
    there = set(rows.values_list("pk", flat=True))
    gone = [name for pk, name in asked.items() if pk not in there]
    if gone:
        raise Invalid(_("There is no member named %(names)s.") % {"names": ", ".join(gone)})
