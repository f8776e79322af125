"""Answers by one press from a mail: links that need no log-in, each good for one act of one member at one question."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from typing import Any

import structlog
from django.core import signing
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import days_off, mail_links, visits
from config.lib import clock
from games import questions
from games.clocks import to_ms
from games.engine import Move, permits
from games.models import Kind, Mail, Match, PlayedKey, Seat
from games.queries import play
from games.services.lobby import closing, joining, opening
from games.services.play import moves
from games.services.refusals import NotRunning, Refused, StaleQuestion
from games.table import Table, table_for

log = structlog.get_logger(__name__)

SALT = "games.answers"
LIFE = timedelta(days=90)  # as long as mails are kept
MOVE, JOIN, DECLINE, DAY = "move", "join", "decline", "day"
ACTS = (MOVE, JOIN, DECLINE, DAY)


class BadLink(Exception):
    """The link is none of ours, is damaged, or its member is gone."""


@dataclass(frozen=True)
class Link:
    """What a link is good for: `act` of a member at a match, to the question `ask` that was asked at `asked` (ms)."""

    user: User
    mail_id: int
    match_id: int
    act: str
    ask: int
    asked: int
    move: Move | None
    seal: str

    @property
    def key(self) -> str:
        """The idempotency key of its move: two mails about one question have the same link twice."""
        about = [self.user.pk, self.match_id, self.ask, self.asked, self.move]
        return "m" + blake2b(signing.JSONSerializer().dumps(about), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Standing:
    """What has become of a link: "open", "given", "stale", "over", "ended" or "off"; what it is about, while open."""

    state: str
    match: Match | None = None
    table: Table | None = None


class Offer(dict[str, Any]):
    """A button of a mail: `words`, `outcome`, `token`, `act`."""


def token_of(user: User, mail_id: int, match_id: int, act: str, *, seat: Seat | None, move: Move | None = None) -> str:
    """Return the token of a link, bound to member, match, question and answer."""
    ask, asked = (seat.ask, to_ms(seat.asked_at)) if seat and seat.ask and seat.asked_at else (0, 0)
    about = [user.pk, mail_id, match_id, act, ask, asked, move, mail_links.seal_of(user)]
    return signing.dumps(about, salt=SALT, compress=True)


def read(token: str) -> Link:
    """Return what a token is good for, if it is ours and not older than mails are kept. BadLink."""
    try:
        user_id, *about = signing.loads(token, salt=SALT, max_age=LIFE)
        link = Link(User.objects.get(pk=user_id), *about)
    except (signing.BadSignature, User.DoesNotExist) as error:
        raise BadLink from error
    if link.act not in ACTS:
        raise BadLink
    return link


def offers(
    user: User, match: Match, seat: Seat | None, table: Table, *, kinds: Sequence[Kind], mail_id: int
) -> list[Offer]:
    """Return the buttons of a mail about a match; [] for who has turned them off."""
    if not mail_links.are_wanted(user):
        return []
    if Kind.INVITED in kinds:
        can_join = not joining.why_not(match, user, play.seats_of(match))
        return [
            Offer(
                act=act,
                words=words,
                outcome=invited_words(act, match),
                token=token_of(user, mail_id, match.pk, act, seat=None),
            )
            for act, words in ((JOIN, _("Accept")), (DECLINE, _("Decline")))
            if can_join or act == DECLINE
        ]
    if seat is None or table["ask"] is None or seat.asked_at is None:
        return []
    found = [
        Offer(
            act=MOVE,
            words=answer.words,
            outcome=answer.outcome,
            token=token_of(user, mail_id, match.pk, MOVE, seat=seat, move=answer.move),
        )
        for answer in questions.answers_of(table)
    ]
    if can_take_day(match, seat, user):
        token = token_of(user, mail_id, match.pk, DAY, seat=seat)
        found.append(Offer(act=DAY, words=_("I need a day more"), outcome=day_words(user), token=token))
    return found


def invited_words(act: str, match: Match) -> str:
    """Return what accepting or declining an invitation brings."""
    if act == DECLINE:
        return _("Those at the table are told.")
    if match.pace.is_live or sum(seat.is_free for seat in play.seats_of(match)) > 1:
        return _("You sit down; the match starts when the last seat is taken.")
    return _("You sit down, and the match starts.")


def can_take_day(match: Match, seat: Seat, user: User) -> bool:
    """Return whether a day off, taken now, would stop this seat's clock."""
    runs = seat.deadline is not None and seat.deadline > clock.now() and not match.pace.is_live
    return runs and match.automatic_days_off and days_off.can_take_now(user)


def day_words(user: User) -> str:
    """Return what a day off taken now does."""
    left = days_off.left(user, days_off.today(user).year)
    words = _(
        "Takes a day off now: your clocks stand still for 24 hours, in all your matches. "
        "Days off that you have: %(left)d."
    )
    return words % {"left": left}


def standing_of(link: Link) -> Standing:
    """Return what has become of a link, and while it is open what it is about, as its member may see it."""
    user = link.user
    if not user.is_active or not user.email:
        return Standing("ended")
    if not constant_time_compare(link.seal, mail_links.seal_of(user)):
        return Standing("ended")
    if not mail_links.are_wanted(user):
        return Standing("off")
    try:
        match, seats = play.match_and_seats(link.match_id)
    except Match.DoesNotExist:
        return Standing("over")
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if link.act in (JOIN, DECLINE):
        return Standing(_invitation_state(link, match, seat), match, table_for(match, seats, seat))
    state = _question_state(link, match, seat)
    if state != "open":
        return Standing(state, match)
    table = table_for(match, seats, seat)
    if link.act == MOVE and not permits((table["view"] or {}).get("prompt"), link.move):
        return Standing("stale", match)
    return Standing("open", match, table)


def _invitation_state(link: Link, match: Match, seat: Seat | None) -> str:
    declined = match.invitations.filter(user=link.user).values_list("declined", flat=True).first()
    if (link.act == JOIN and seat is not None) or (link.act == DECLINE and declined):
        return "given"
    if match.status != Match.Status.OPEN:
        return "over"
    return "open" if declined is False and seat is None else "stale"


def _question_state(link: Link, match: Match, seat: Seat | None) -> str:
    own = PlayedKey.objects.filter(match=match, seat=seat.number, key=link.key) if seat else PlayedKey.objects.none()
    if link.act == MOVE and own.exists():
        return "given"
    if match.status != Match.Status.RUNNING:
        return "over"
    if seat is None or not seat.is_in or seat.asked_at is None:
        return "stale"
    if (seat.ask, to_ms(seat.asked_at)) != (link.ask, link.asked):
        return "stale"
    if link.act == DAY and not can_take_day(match, seat, link.user):
        return "given" if _was_given(link) else "stale"
    return "open"


def give(link: Link, *, received: int) -> None:
    """Do what the link is good for, once; `received` is when the press arrived (ms). Refused, if it is spent or ended.

    A press that is repeated changes nothing and is not refused. The mail's row keeps that the answer came by it.
    """
    state = standing_of(link).state
    if state == "given":
        return
    if state != "open":
        raise NotRunning if state == "over" else StaleQuestion
    with transaction.atomic():
        _act(link, received)
        _keep(link)
    visits.note(link.user.pk)
    log.info("answered by mail", match=link.match_id, mail=link.mail_id, act=link.act)


def _act(link: Link, received: int) -> None:
    user, match_id = link.user, link.match_id
    if link.act == MOVE:
        moves.submit_move(match_id=match_id, user=user, ask=link.ask, key=link.key, move=link.move, received=received)
    elif link.act == JOIN:
        opening.join(match_id=match_id, user=user)
    elif link.act == DECLINE:
        closing.decline(match_id=match_id, user=user)
    else:
        try:
            days_off.take_now(user_id=user.pk)
        except days_off.NotBooked as refusal:
            raise Refused(str(refusal)) from refusal


def _keep(link: Link) -> None:
    """Note in the mail's row that it was answered, once for each act at a question; it may be forgotten already."""
    mail = Mail.objects.select_for_update().filter(pk=link.mail_id, user=link.user).first()
    if mail is None or _mark(link) in [answer["of"] for answer in mail.answers]:
        return
    mail.answers = [*mail.answers, {"of": _mark(link), "at": clock.now().isoformat(timespec="seconds")}]
    mail.save(update_fields=["answers"])


def _mark(link: Link) -> str:
    return f"{link.match_id}:{link.act}:{link.ask}"


def _was_given(link: Link) -> bool:
    found = Mail.objects.filter(pk=link.mail_id, user=link.user).values_list("answers", flat=True).first()
    return _mark(link) in [answer["of"] for answer in found or []]
