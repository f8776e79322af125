"""What the tests of the operation page share: its address, sweeps with something due, what it answers."""

from datetime import timedelta

from accounts.models import User
from config.lib import clock as site_clock
from games.models import Heartbeat, Match, Seat, Sweep
from games.services.clocks import outages, time_outs
from games.services.operation import admin_actions

PAGE = "/admin/operation/"


ALL = f"{PAGE}give-time/"


def beat(web: float = 0, sweep: float = 0) -> None:
    """Have the parts of the site show life so many seconds ago; the web server is up for a day."""
    now = site_clock.now()
    for name, age in ((outages.WEB, web), (outages.SWEEP, sweep)):
        at = now - timedelta(seconds=age)
        since = now - timedelta(days=1)
        Heartbeat.objects.update_or_create(name=name, defaults={"at": at, "since": since})


def run_out(*matches: Match, ago: timedelta = timedelta(minutes=10)) -> None:
    """Let the clocks that run in these matches have run out so long ago, with no day off to save them."""
    User.objects.update(vacation_by_itself=False)
    at = site_clock.now() - ago
    running = Seat.objects.filter(match__in=matches, deadline__isnull=False)
    running.update(deadline=at, runs_from=at - timedelta(days=3), bank=3 * 24 * 3600 * 1000)


def swept() -> Sweep:
    """Sweep, and judge what it found."""
    beat()
    sweep, due = time_outs.sweep()
    for match_id in due:
        time_outs.judge(match_id=match_id, sweep_id=sweep.pk)
    return sweep


def answer(root, **fields) -> dict:
    return {"reason": "the mail server hung", "last": admin_actions.last_act(root), **fields}


def text(page) -> str:
    return page.content.decode()


def message_of(page) -> str:
    return " ".join(str(message) for message in page.wsgi_request._messages)
