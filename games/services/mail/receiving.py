"""Replies by mail: whose one is, which question it answers, and the move that it is; what is refused changes nothing.

Nothing is told to a sender who is not proven to be the member: answers go to the member's own address alone.
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from email.message import Message
from hashlib import sha256
from typing import Any

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.lib import clock, mail_proof, mail_reading, metrics
from config.lib.texts import clean_text
from games.engine.replies import understand, words_of
from games.models import REPLIES_OFF, Match, Reply, Seat
from games.queries import play
from games.rules import grammar
from games.services.mail import reply_address, reply_answers
from games.services.mail.reply_address import NoReplyAddress, Question
from games.services.mail.reply_answers import written_to
from games.services.play import moves
from games.services.refusals import NotRunning, NotYourSeat, Refused, StaleQuestion
from games.table import seat_name, table_for

log = structlog.get_logger(__name__)

Outcome = Reply.Outcome
HELP = frozenset({("help",), ("aide",), ("orders",), ("order",), ("ordres",), ("ordre",), ("h",)})
AN_HOUR = timedelta(hours=1)
MESSAGE_ID = re.compile(r"<[\x21-\x7e]{3,198}>")
MOST_OF_MEMBER = 60  # replies an hour
MOST_RECIPIENTS = 10  # of one mail
MOST_OF_ADDRESS = 120  # mails an hour from one address, whatever they answer


ANSWERED = _("That question is answered already.")


@dataclass(frozen=True)
class Verdict:
    """What the mail server that brought a reply is told: `code` of SMTP, and a sentence that reveals nothing."""

    code: str
    words: str

    def __str__(self) -> str:
        return f"{self.code} {self.words}"


TAKEN = Verdict("250 2.0.0", "Taken")
NO_ADDRESS = Verdict("550 5.1.1", "There is no such address for replies, or it has been ended")
NOT_THE_MEMBER = Verdict(
    "550 5.7.1", "This address takes replies from its own member alone, with a sender that is proven"
)
TURNED_OFF = Verdict("550 5.7.1", "This member has turned off replies by mail")
NO_MAIL = Verdict("554 5.6.0", "This is no mail that can be read")
TOO_MANY = Verdict("450 4.7.1", "Too many replies: try again later")


def addressed(recipient: str) -> Verdict | None:
    """Return the refusal of mail to this address; None if it is for replies."""
    try:
        reply_address.read(recipient)
    except NoReplyAddress:
        _report("no address")
        return NO_ADDRESS
    return None


def receive(raw: bytes, *, recipient: str, envelope_sender: str | None, received: int) -> Verdict:
    """Carry out a reply once, and have it answered; return what to tell who brought it.

    `envelope_sender` is "" for mails of programs, None where it is not known; `received` is in ms. Errors of the
    database are raised: the mail is to be brought again.
    """
    try:
        question = reply_address.read(recipient)
    except NoReplyAddress:
        return _refused("no address", NO_ADDRESS)
    mail = mail_reading.parsed(raw)
    if mail is None:
        return _refused("no mail", NO_MAIL)
    if envelope_sender == "" or mail_reading.is_from_a_program(mail) or reply_answers.is_ours(mail):
        return _refused("a program", TAKEN)
    sender = mail_reading.sender(mail)
    is_own = _is_members_own(question.user, mail, sender)
    if not _counts(sender if is_own else f"not {sender}"):  # who forges an address does not use up its owner's limit
        return _refused("many from an address", TOO_MANY)
    if not is_own:
        _warn(question)
        return _refused("another sender", NOT_THE_MEMBER)
    if REPLIES_OFF in question.user.mail_off:
        return _refused("turned off", TURNED_OFF)
    if Reply.objects.filter(user=question.user, at__gt=clock.now() - AN_HOUR).count() >= MOST_OF_MEMBER:
        return _refused("many of a member", TOO_MANY)
    with written_to(question.user):
        _take(question, mail, raw, received)
    return TAKEN


def _report(why: str) -> None:
    """Log and count a mail that was not taken: never from whom, nor to which address."""
    log.info("reply not taken", why=why)
    metrics.count("club_replies", why)


def _refused(why: str, verdict: Verdict) -> Verdict:
    _report(why)
    return verdict


def _counts(sender: str) -> bool:
    """Count a mail from this address; return whether it is within the limit of an hour. Without Redis it is."""
    key = f"reply-from-{reply_address.hidden(sender)}"
    try:
        cache.add(key, 0, AN_HOUR.total_seconds())
        return bool(cache.incr(key) <= MOST_OF_ADDRESS)
    except ValueError:  # away, or expired in between
        return True


def _is_members_own(user: User, mail: Message, sender: str) -> bool:
    """Return whether the mail is from the member's confirmed address, by what our own mail server found."""
    if not sender or sender != user.email.lower():
        return False
    return settings.REPLY_SENDERS_CHECKED or mail_proof.is_proven(mail, sender, settings.REPLY_AUTHSERV_ID)


def _warn(question: Question) -> None:
    """Tell the member once that somebody else answered this question, or they from another address."""
    _record(question, reply_address.mark_of("forged", *_key(question)), Meant(Outcome.FORGED))


def _key(question: Question) -> tuple[int, int, int]:
    return question.user.pk, question.match_id, question.ask


def _take(question: Question, mail: Message, raw: bytes, received: int) -> None:
    """Carry the reply out and have it answered, both in one transaction, unless it came before."""
    message_id = mail_reading.header(mail, "Message-ID")
    mark = reply_address.mark_of(*_key(question), message_id or sha256(raw).hexdigest())
    if Reply.objects.filter(pk=mark).exists():
        _report("came before")
        return
    try:
        meant = _meant(question, mail_reading.own_words(mail))
    except Match.DoesNotExist:
        _report("no match")
        return
    came_as = message_id if MESSAGE_ID.fullmatch(message_id) else ""
    _record(question, mark, meant, received=received, came_as=came_as)


@dataclass(frozen=True)
class Meant:
    """What a text says to the question that it answers."""

    outcome: Outcome
    why: str = ""
    move: Any = None
    since: int = 0


def _meant(question: Question, text: str) -> Meant:
    """Return what a text says now. Match.DoesNotExist."""
    match, seats = play.match_and_seats(question.match_id)
    seat = next((seat for seat in seats if seat.user_id == question.user.pk and seat.is_in), None)
    if asks_for_help(text):
        return Meant(Outcome.HELP)
    if seat is None or match.status != Match.Status.RUNNING:
        return Meant(Outcome.STALE, str(NotYourSeat.sentence if seat is None else NotRunning.sentence))
    if seat.ask != question.ask:
        return Meant(Outcome.STALE, str(ANSWERED))
    move = _read(match, seats, seat, text)
    return Meant(Outcome.UNCLEAR) if move is None else Meant(Outcome.PLAYED, move=move, since=match.turns)


def _record(question: Question, mark: str, meant: Meant, *, received: int = 0, came_as: str = "") -> None:
    """Play what was meant, note the reply and queue its answer; nothing if this mark is known."""
    user, match_id, ask = question
    try:
        with transaction.atomic():
            known = {"user": user, "match_id": match_id, "ask": ask, "seen": meant.since, "came_as": came_as}
            reply = Reply.objects.create(mark=mark, outcome=meant.outcome, why=meant.why, **known)
            if meant.move is not None:
                _play(reply, meant.move, received)
            reply.mail = reply_answers.queue(reply)
            reply.save()
    except IntegrityError:
        if not Reply.objects.filter(pk=mark).exists() and Match.objects.filter(pk=match_id).exists():
            raise
        _report("came before")
        return
    log.info("reply taken", match=match_id, outcome=reply.outcome)
    metrics.count("club_replies", reply.outcome)


def _play(reply: Reply, move: Any, received: int) -> None:
    """Make the move as a page does, and note on the reply what became of it."""
    key = f"mail-{reply.mark[:32]}"
    try:
        moves.submit_move(
            match_id=reply.match_id, user=reply.user, ask=reply.ask, key=key, move=move, received=received
        )
    except StaleQuestion:
        reply.outcome, reply.why = Outcome.STALE, str(ANSWERED)
    except Refused as refusal:
        reply.outcome, reply.why = Outcome.REFUSED, str(refusal)[:300]


def asks_for_help(text: str) -> bool:
    """Return whether a text asks what one is asked, and what one may say."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first.strip() == "?" or words_of(first) in HELP


def _read(match: Match, seats: list[Seat], seat: Seat, text: str) -> Any:
    """Return the move that a text is for what the seat is asked; None if it is none, or the game has no words."""
    known = grammar(match.game_slug, match.rules_version)
    if known is None:
        return None
    view = table_for(match, seats, seat)["view"]
    return understand(known, clean_text(text), view, [seat_name(other) for other in seats])
