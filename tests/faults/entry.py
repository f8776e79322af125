"""A worker, beat or web server with something planted: a faster time, a game that hangs, an early answer.

SPEED divides the spans of beat's schedule and of the heartbeat. SLOW names a match whose default move takes
SLOW_SECONDS. LINGER is for how many seconds a worker rests after each step of a tournament: whoever is killed is
killed at work. EARLY=1 answers a move before it is committed. SPOILT=1 has lines send tables twice, late or never, by
match. `web` as the first word is the web server.
"""

import os
import sys
import time
from functools import wraps
from threading import Thread

import django
from django.db import connection

import config.server
from config.celery import app
from games.competitions.services import judging, notices, rounds, seating
from games.services.clocks import time_outs
from games.services.play import moves
from games.services.play.locking import lock_match
from games.services.play.match_transaction import MatchTransaction
from games.sockets.page import PageSocket

django.setup()

SPEED = float(os.environ.get("SPEED", "1"))
SLOW, SLOW_SECONDS = int(os.environ.get("SLOW", "0")), float(os.environ.get("SLOW_SECONDS", "30"))
EARLY_SECONDS = 0.2
LINGER = float(os.environ.get("LINGER", "0"))
STEPS = {  # within transactions, but for `_open` and `judge`
    rounds: (rounds.add_round, rounds.leave, rounds.end),
    seating: (seating._open, seating.seat_together),
    judging: (judging.judge, judging.forfeit),
    notices: (notices.write,),
}

standing, submit_move, show = time_outs.standing, moves.submit_move, PageSocket.show


def slow_standing(match, seats):
    """Take long over one match, its row locked."""
    if match.pk == SLOW:
        time.sleep(SLOW_SECONDS)
    return standing(match, seats)


def answer_early(*, match_id, **post):
    """Answer as if the move was played; play it a moment later, unless something happens before."""

    def later() -> None:
        time.sleep(EARLY_SECONDS)
        try:
            submit_move(match_id=match_id, **post)
        except Exception:
            print("the early answer was a lie")
        finally:
            connection.close()

    Thread(target=later).start()
    return MatchTransaction(*_peeked(match_id))


def _peeked(match_id):
    with moves.transaction.atomic():
        return lock_match(match_id)


def lingering(act):
    """Return the same act, after which one rests."""

    @wraps(act)
    def lingers(*args, **named):
        found = act(*args, **named)
        time.sleep(LINGER)
        return found

    return lingers


async def show_spoilt(page, frame, *, is_answer=False):
    """Send a table twice, or the former one after it, or nothing: by the match."""
    if is_answer or frame.version is None:
        return await show(page, frame, is_answer=is_answer)
    if page.match_id % 3 == 0:
        page.reader.version = frame.version  # as if it was sent
        return None
    again, page.former = (frame if page.match_id % 3 == 1 else getattr(page, "former", frame)), frame
    await show(page, frame)
    return await page.send(
        **({"bytes_data": again.text} if isinstance(again.text, bytes) else {"text_data": again.text})
    )


def main() -> None:
    """Start what the arguments say."""
    time_outs.standing = slow_standing
    if SPEED != 1:
        config.server.BEAT_SECONDS /= SPEED
        for entry in app.conf.beat_schedule.values():
            entry["schedule"] = config.celery.every(entry["schedule"].run_every.total_seconds() / SPEED)
            entry["options"] = {"expires": 20}
    for module, acts in STEPS.items() if LINGER else ():
        for act in acts:
            setattr(module, act.__name__, lingering(act))
    if os.environ.get("EARLY"):
        moves.submit_move = answer_early
    if os.environ.get("SPOILT"):
        PageSocket.show = show_spoilt
    if sys.argv[1:] == ["web"]:
        config.server.main()
    else:
        app.start(sys.argv[1:])


if __name__ == "__main__":
    main()
