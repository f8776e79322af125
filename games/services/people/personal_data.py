"""A person's data in games: the export of their data file, and deletion of what they wrote in chats."""

from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.names import may_name, normalise
from games import broadcast
from games.models import (
    CalendarFeed,
    ChatLine,
    Device,
    Invitation,
    LastInvitation,
    Mail,
    Match,
    Notice,
    PuzzleAnswer,
    Reply,
    Seat,
    StandingChallenge,
    TimeOut,
    Turn,
    Webhook,
)
from games.queries import turns
from games.queries.play import match_and_seats
from games.queries.readable import why_unreadable
from games.record import record_of, signed
from games.services import channel_order
from games.services.chat.lines import MENTION, muted_by
from games.services.push import devices
from games.table import name_and_badge, table_for

SEAT = (
    *(
        "number",
        "bot",
        "left",
        "absent",
        "returned",
        "substituted",
        "nonce",
        "seal",
        "run_outs",
        "orders",
        "seen",
        "notes",
    ),
    *("chat_seen", "notices", "wants_call_off", "wants_pause", "rank", "score"),
)


def play_data(user: User) -> dict[str, Any]:
    """Return the person's matches, invitations, tables, mails and devices; a hook (DATA_EXPORTS).

    Of an ended match the whole record; of a running one their own moves (not those of a bot in their seat)
    and the table as they see it, without what is hidden from them.
    """
    seats = Seat.objects.filter(user=user).select_related("match__tally").order_by("match_id")
    invitations = Invitation.objects.filter(user=user).order_by("match_id")
    opened = Match.objects.filter(creator=user).order_by("pk")
    mails = Mail.objects.filter(user=user).prefetch_related("notices").order_by("pk")
    notices = Notice.objects.filter(user=user, mail__isnull=True).order_by("pk")
    choice = devices.choice_of(user)
    return {
        "matches": (_seat(seat) for seat in seats.iterator(100)),
        "left_to_substitutes": [_left(seat) for seat in Seat.objects.filter(absentee=user).order_by("match_id")],
        "invitations": list(invitations.values("match_id", "declined")),
        "last_invited": [
            {"name": row.guest.username, "at": row.at.isoformat(), "accepted": row.accepted}
            for row in LastInvitation.objects.filter(host=user).select_related("guest").order_by("pk")
        ],
        "standing_challenges": list(
            StandingChallenge.objects.filter(member=user)
            .order_by("pk")
            .values("game_slug", "pace_slug", "rated", "most", "paused")
        ),
        "puzzles": [_puzzle(given) for given in PuzzleAnswer.objects.filter(user=user).select_related("puzzle")],
        "tables_opened": list(opened.values_list("pk", flat=True)),
        "mails": (_mail(mail) for mail in mails.iterator(500)),
        "replies": [_reply(reply) for reply in Reply.objects.filter(user=user).order_by("at")],
        "still_to_be_told": [_notice(notice) for notice in notices],
        "devices": [_device(device) for device in Device.objects.filter(user=user).order_by("pk")],
        "called_on_devices": {name: getattr(choice, name) for name in ("discreet", "not_asked")},
        "places_of_channels": channel_order.places_of(user),
        "webhooks": [_webhook(hook) for hook in user.webhooks.order_by("pk")],
        "calendar_since": [feed.created_at.isoformat() for feed in CalendarFeed.objects.filter(user=user)],
    }


def _puzzle(given: PuzzleAnswer) -> dict[str, Any]:
    puzzle = given.puzzle
    return {
        "day": puzzle.day.isoformat(),
        "game": puzzle.game_slug,
        "answer": puzzle.answers[given.choice],
        "at": given.at.isoformat(),
    }


def _device(device: Device) -> dict[str, Any]:
    at = {name: getattr(device, name) for name in ("created_at", "reached_at", "failed_at", "gone_at")}
    return {"name": device.name, "muted": device.muted} | {
        name: moment.isoformat() if moment else None for name, moment in at.items()
    }


def _mail(mail: Mail) -> dict[str, Any]:
    return {
        "match": mail.match_id,
        "kind": mail.kind,
        "state": mail.state,
        "made_at": mail.created_at.isoformat(),
        "sent_at": mail.sent_at.isoformat() if mail.sent_at else None,
        "answered": mail.answers,
        "tells": [_notice(notice) for notice in mail.notices.all()],
    }


def _reply(reply: Reply) -> dict[str, Any]:
    return {"match": reply.match_id, "outcome": reply.outcome, "at": reply.at.isoformat()}


def _webhook(hook: Webhook) -> dict[str, Any]:
    """Return what is known of a webhook, without address and secret, which open something elsewhere."""
    return {
        "name": hook.name,
        "format": hook.format,
        "since": hook.created_at.isoformat(),
        "off_since": hook.off_at.isoformat() if hook.off_at else None,
        "calls": [
            {"match": call.match_id, "kind": call.kind, "state": call.state, "at": call.created_at.isoformat()}
            for call in hook.calls.order_by("pk")
        ],
    }


def _notice(notice: Notice) -> dict[str, Any]:
    return {"match": notice.match_id, "kind": notice.kind, "at": notice.created_at.isoformat()}


def _dice(own: Seat) -> list[int] | None:
    tally = getattr(own.match, "tally", None)
    return tally.seats.get(str(own.number)) if tally and tally.counted_at else None


def _left(seat: Seat) -> dict[str, Any]:
    """Return what is known of a seat that the person lost to a substitute, whose it is now."""
    return {"match": seat.match_id, "number": seat.number, "ran_out_of_time": _run_outs(seat, before=True)}


def _run_outs(seat: Seat, *, before: bool = False) -> list[dict[str, Any]]:
    """Return when whoever has the seat ran out of time, or whoever had it before a substitute."""
    rows = list(TimeOut.objects.filter(match_id=seat.match_id, seat=seat.number).order_by("pk"))
    others = max(0, len(rows) - seat.run_outs) if seat.substituted else 0
    shown = rows[:others] if before else rows[others:]
    return [{"at": row.at.isoformat(), "then": row.kind, "undone": row.undone is not None} for row in shown]


def _seat(own: Seat) -> dict[str, Any]:
    match, seats = match_and_seats(own.match_id)
    found: dict[str, Any] = {
        "match": match.pk,
        "game": match.game_slug,
        "status": match.status,
        "rated": match.rated,
        "sandbox": match.sandbox,
        "voided_at": match.voided_at.isoformat() if match.voided_at else None,
        "pace": match.pace_slug,
        "started_at": match.started_at.isoformat() if match.started_at else None,
        "ended_at": match.ended_at.isoformat() if match.ended_at else None,
        "players": [name_and_badge(seat) for seat in seats],
        "seat": {name: getattr(own, name) for name in SEAT},
        "dice_rolled": _dice(own),
        "ran_out_of_time": _run_outs(own),
    }
    if match.state and match.status == Match.Status.ENDED:
        return found | {"record": signed(record_of(match, seats))}
    if seats[own.number].user_id != own.user_id:  # lost since the file was begun: a substitute's moves and table
        return found | {"moves": [], "table": None}
    theirs = [turn for turn in turns.of_match(match.pk) if turn.seat == own.number and turn.by != Turn.By.BOT]
    moves = [{"number": turn.number, "by": turn.by, "move": turn.move, "at": turn.at} for turn in theirs]
    return found | {"moves": moves, "table": _table(match, seats, own)}


def _table(match: Match, seats: list[Seat], own: Seat) -> Any:
    """Return the table as the person sees it; None while the match cannot be read."""
    return None if why_unreadable(match) else table_for(match, seats, seats[own.number])["view"]


def chat_data(user: User) -> dict[str, Any]:
    """Return what the person wrote and whom they muted; a hook of accounts (DATA_EXPORTS)."""
    lines = ChatLine.objects.filter(user=user).select_related("club").order_by("pk")
    return {
        "chat": (_line(line) for line in lines.iterator(500)),
        "muted": [row.person.username for row in muted_by(user)],
    }


def _line(line: ChatLine) -> dict[str, Any]:
    return {
        "match": line.match_id,
        "club": line.club.name if line.club else None,
        "channel": line.channel,
        "at": line.at.isoformat(),
        "text": line.text,
        "hidden": line.hidden,
    }


def forget_lines(user: User) -> None:
    """Delete what the person wrote, and mentions of their name; a hook (ON_ACCOUNT_CLOSING)."""
    said = ChatLine.objects.filter(user=user)
    matches = sorted(set(said.filter(match__isnull=False).values_list("match_id", flat=True)))
    said.delete()
    for match_id in matches:
        broadcast.chat_changed(match_id)
    forget_mentions(user.username, since=user.date_joined)


def forget_mentions(name: str, *, since: datetime, until: datetime | None = None) -> None:
    """Remove a name from others' mentions written in this time."""
    lines = ChatLine.objects.filter(may_name("text", name), text__contains="@", at__gte=since)
    matches: set[int] = set()
    for line in (lines.filter(at__lt=until) if until else lines).order_by("pk"):
        text = MENTION.sub(lambda found: _without(found.group(), name), line.text)
        if text != line.text:
            ChatLine.objects.filter(pk=line.pk).update(text=text)
            matches |= {line.match_id} if line.match_id is not None else set()
    for match_id in sorted(matches):
        broadcast.chat_changed(match_id)


def _without(mention: str, name: str) -> str:
    return "@…" if normalise(mention).removeprefix("@").casefold() == name.casefold() else mention
