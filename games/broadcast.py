"""Tells open pages and the worker after commit that something changed, never what."""

import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from celery import current_app
from django.core import signing
from django.db import transaction

from config.lib.sockets import person_group, ring

log = logging.getLogger(__name__)

LOBBY = "lobby"
TICKETS, TICKET_SECONDS = "series", 24 * 60 * 60

# A broker that is away may take seconds to say so: no request waits for it.
_postman = ThreadPoolExecutor(1, thread_name_prefix="postman")


def match_group(match_id: int) -> str:
    """Return the group of pages that show this match."""
    return f"match.{match_id}"


def match_changed(match_id: int, version: int, *, people: Iterable[int] = ()) -> None:
    """Notify all pages of the match, and all pages of the people whose waiting matches changed."""
    ring(
        (match_group(match_id), {"type": "ring", "version": version}),
        *((person_group(user_id), {"type": "ring.person"}) for user_id in people),
    )


def lobby_changed() -> None:
    """Notify all pages that show the open tables."""
    ring((LOBBY, {"type": "ring.lobby"}))


def chat_changed(match_id: int, *, mentioned: Iterable[int] = ()) -> None:
    """Notify all pages of the match about its chat, and all pages of the people mentioned."""
    ring(
        (match_group(match_id), {"type": "ring.chat"}),
        *((person_group(user_id), {"type": "ring.mention", "match": match_id}) for user_id in mentioned),
    )


def asked(match_id: int, people: Iterable[int]) -> None:
    """Notify all pages of these people, if any, that somebody asks or answers them about the match."""
    ring(*((person_group(user_id), {"type": "ring.asked", "match": match_id}) for user_id in people))


def series_group(name: str) -> str:
    """Return the group of pages that show a tournament or ladder, by its name there: `tournament.7`."""
    return f"series.{name}"


def series_changed(name: str) -> None:
    """Notify all pages that show this tournament or ladder."""
    ring((series_group(name), {"type": "ring.series"}))


def ticket_to(name: str) -> str:
    """Return what the page of a tournament or ladder shows its socket; good for a day, and for being rung alone."""
    return signing.dumps(name, salt=TICKETS)


def named_by(ticket: str) -> str:
    """Return the tournament or ladder whose page was given this ticket; empty if none was, or it is too old."""
    try:
        return str(signing.loads(ticket, salt=TICKETS, max_age=TICKET_SECONDS))
    except signing.BadSignature:
        return ""


def questions_changed(people: Iterable[int]) -> None:
    """Notify all pages of these people, if any, that what waits for them beside their matches has changed."""
    ring(*((person_group(user_id), {"type": "ring.person"}) for user_id in people))


def seat_lost(match_id: int, user_id: int) -> None:
    """Make this person's pages of the match check again what they may see."""
    ring((person_group(user_id), {"type": "seat.lost", "match": match_id}))


def bots_asked(match_id: int, *, after: float) -> None:
    """Have a worker play for this match's bots in `after` seconds."""
    transaction.on_commit(lambda: _post("games.tasks.play_bots", [match_id], after), robust=True)


def end_awaited(match_id: int, *, after: float) -> None:
    """Have a worker look at the match's own clock in `after` seconds."""
    transaction.on_commit(lambda: _post("games.tasks.time_up", [match_id], after), robust=True)


def here_asked(match_id: int, *, after: float) -> None:
    """Have a worker see in `after` seconds who of a live table has said that they are here."""
    transaction.on_commit(lambda: _post("games.tasks.free_silent_seats", [match_id], after), robust=True)


def tournaments_waiting() -> None:
    """Have a worker look at the tournaments: a table is to be opened, or a round may be over."""
    transaction.on_commit(lambda: _post("games.competitions.tasks.tend", [], 0), robust=True)


def ladders_waiting() -> None:
    """Have a worker look at the ladders: a match of one is over, or somebody is to be told."""
    transaction.on_commit(lambda: _post("games.ladders.tasks.tend", [], 0), robust=True)


def clubs_waiting() -> None:
    """Have a worker look at the matches between clubs: one may be over, or a table is to be opened."""
    transaction.on_commit(lambda: _post("games.clubs.tasks.tend_encounters", [], 0), robust=True)


def mails_waiting() -> None:
    """Have a worker send the waiting mails."""
    transaction.on_commit(lambda: _post("games.tasks.send_mails", [], 0), robust=True)


def pushes_waiting() -> None:
    """Have a worker send what waits for devices."""
    transaction.on_commit(lambda: _post("games.tasks.send_pushes", [], 0), robust=True)


def webhooks_waiting() -> None:
    """Have a worker call the webhooks that wait."""
    transaction.on_commit(lambda: _post("games.tasks.call_webhooks", [], 0), robust=True)


def puzzle_missing(day: int) -> None:
    """Have a worker make the puzzle of this day, an ordinal."""
    transaction.on_commit(lambda: _post("games.tasks.make_puzzle", [day], 0), robust=True)


def calls_waiting() -> None:
    """Have a worker send what waits on any channel: mails, messages to devices, calls of webhooks."""
    mails_waiting()
    pushes_waiting()
    webhooks_waiting()


def _post(task: str, arguments: list[int], after: float) -> None:
    _postman.submit(copy_context().run, _deliver, task, arguments, after)  # with the number of who asks


def _deliver(task: str, arguments: list[int], after: float) -> None:
    try:
        expires = min(after, 300) + 60  # later work is found by sweeps
        current_app.send_task(task, arguments, countdown=min(after, 300), expires=expires, retry=False)
    except Exception:
        log.warning("worker not rung", extra={"task": task, "arguments": arguments}, exc_info=True)
