"""Inside the site under the bench of a million: lists of the admin, tasks, and all that is measured."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from accounts import tasks as account_tasks
from accounts.models import User
from config.lib import clock
from games.moderation import tasks as moderation_tasks
from games.moderation.models import moderators
from games.services import posts
from games.services.clocks import outages, time_outs
from games.services.lobby import closing, readiness
from games.services.mail import delivery, planning
from games.services.operation import metrics, old_rows, samples
from games.services.play import archiving, bots, dice_counts
from leaderboards import ranks
from tests.bench.million_pages import ROUNDS, Bench, Crowd, match_pages, page, people_pages, told
from tests.bench.million_rows import FIRST, run, say


def measure(*only: str) -> None:
    """Print a line for each page and task whose name holds one of these words; all without any."""
    crowd = Crowd()
    say(f"{crowd.members:,} members, {len(crowd.running):,} running and {len(crowd.ended):,} ended matches")
    pages = [*people_pages(crowd), *match_pages(crowd), *admin_pages(crowd), *tasks(crowd), *ranked_pages(crowd)]
    for name, make, rounds in pages:
        if not only or any(word in name for word in only):
            try:
                told(name, make(), rounds)
            except Exception as error:
                say(f"{name:34s} {type(error).__name__}: {error}"[:400])


def ranked_pages(crowd: Crowd) -> list[Bench]:
    """Return the pages of a board again, now that its order is in Redis."""
    paths = {
        "ranks in Redis": "/leaderboards/yum-extra/",
        "ranks in Redis, page 5000": "/leaderboards/yum-extra/?page=5000",
    }
    return [(name, lambda path=path: page(lambda _n: path, crowd.one), ROUNDS) for name, path in paths.items()]


def admin_pages(crowd: Crowd) -> list[Bench]:
    root = User.objects.filter(username="root").first() or User.objects.create_superuser(
        "root", "root@example.org", "x"
    )
    mo = User.objects.filter(username="mo").first() or User.objects.create_user("mo", "mo@example.org", is_staff=True)
    mo.groups.add(moderators())
    some = lambda: FIRST + crowd.rng.randrange(crowd.members)  # noqa: E731
    name = lambda _n: User.objects.get(pk=some()).username  # noqa: E731

    def pages(path: Any, who: User = root) -> Bench:
        asked = path if callable(path) else lambda _n: path
        shown = path if isinstance(path, str) else path(0)
        return (f"admin/{shown}", lambda: page(lambda n: f"/admin/{asked(n)}", lambda _n: who), ROUNDS)

    lists = [
        "",
        "accounts/user/",
        "accounts/user/?p=100",
        "accounts/user/?is_guest__exact=1",
        "accounts/user/?is_staff__exact=1",
        "accounts/user/?is_active__exact=0",
        "accounts/user/?language=fr",
        lambda n: f"accounts/user/?q={name(n)}",
        "accounts/user/?q=otter",
        "accounts/user/?q=nobodyhasthis",
        "accounts/user/?q=m77@example.org",
        lambda _n: f"accounts/user/{some()}/change/",
        "account/emailaddress/",
        "account/emailaddress/?q=m77@example.org",
        "account/emailaddress/?verified__exact=0",
        "games/match/",
        "games/match/?p=100",
        "games/match/?status__exact=running",
        "games/match/?ending__exact=called_off",
        "games/match/?game_slug=yesss&access__exact=link",
        lambda _n: f"games/match/?q={crowd.rng.choice(crowd.running)}",
        lambda n: f"games/match/?q={name(n)}",
        "games/match/?q=otter",
        lambda _n: f"games/match/{crowd.rng.choice(crowd.running)}/change/",
        "games/mail/",
        "games/mail/?state__exact=failed",
        "games/mail/?kind=turn",
        lambda _n: f"games/mail/?q={some()}",
        lambda n: f"games/mail/?q={name(n)}",
        "games/timeout/",
        lambda _n: f"games/timeout/?q={crowd.rng.choice(crowd.running)}",
        "games/sweep/",
        "games/outage/",
        "games/chatline/",
        lambda n: f"games/chatline/?q={name(n)}",
        "moderation/report/",
        "moderation/report/?state=all",
        lambda n: f"moderation/report/?q={name(n)}",
        "moderation/audit/",
        "moderation/audit/?deed__exact=warn",
        "moderation/sanction/",
        lambda n: f"moderation/sanction/?q={name(n)}",
        "moderation/appeal/",
        "moderation/barred/",
        "leaderboards/settlement/",
        lambda _n: f"leaderboards/settlement/?q={crowd.rng.choice(crowd.ended)}",
        lambda n: f"leaderboards/settlement/?q={name(n)}",
        "leaderboards/ratingchange/",
        lambda n: f"leaderboards/ratingchange/?q={name(n)}",
        "leaderboards/standing/",
        lambda n: f"leaderboards/standing/?q={name(n)}",
        "operation/",
    ]
    return [
        *map(pages, lists),
        *(pages(path, mo) for path in ("moderation/report/", "games/chatline/", "games/match/")),
    ]


def due_now() -> None:
    """Let the clocks of 1 000 matches have run out; people could reach the site all the while."""
    now = clock.now()
    outages.beat(outages.WEB, at=now)
    run("UPDATE games_heartbeat SET since = now() - interval '1 hour'")
    run(
        "UPDATE games_seat SET runs_from = runs_from - (deadline - now()) - interval '1 minute', "
        "deadline = now() - interval '1 minute' WHERE id IN (SELECT id FROM games_seat "
        "WHERE deadline IS NOT NULL AND ask IS NOT NULL ORDER BY deadline LIMIT 1000)"
    )


def tasks(crowd: Crowd) -> list[Bench]:
    def sweep(number: int) -> None:
        found, late = time_outs.sweep()
        say(f"    {len(late)} due" + (" (stopped by the fuse)" if found and found.stopped else ""))
        if number:
            begin = time.perf_counter()
            for match_id in late:
                time_outs.judge(match_id=match_id, sweep_id=found.pk)
            say(f"    judged in {time.perf_counter() - begin:.1f} s")

    def due_sweep(number: int) -> None:
        if number == 0:
            due_now()
        sweep(number)

    def run_task(task: Callable[[], object]) -> Callable[[int], None]:
        def act(_number: int) -> None:
            begin, found = time.perf_counter(), task()
            say(f"    {found} ({time.perf_counter() - begin:.1f} s)")

        return act

    def archive() -> int:
        MigrationRecorder(connection).migration_qs.update(applied=clock.now() - 2 * archiving.GOING_BACK)
        return archiving.archive_matches()

    named: dict[str, Callable[[], object]] = {
        "mails due (planning)": planning.sweep,
        "mails sent": delivery.send_due,
        "bots": bots.sweep_bots,
        "lapse of open matches": closing.lapse_open_matches,
        "live tables": readiness.tend_live_tables,
        "archiving": archive,
        "dice counted": dice_counts.count_matches,
        "figures of rows": metrics._of_rows,
        "sample": samples.keep,
        "ranks": ranks.refresh,
        "old mails": delivery.forget_old,
        "old posts": posts.forget_old,
        "old rows": old_rows.forget_old,
        "old sessions": account_tasks.forget_sessions,
        "idle guests": account_tasks.forget_guests,
        "old traces": moderation_tasks.forget_traces,
        "moderation": moderation_tasks.see_through,
    }
    return [
        ("task: sweep of 1 000 due clocks", lambda: due_sweep, 2),
        *((f"task: {name}", partial(run_task, task), 2) for name, task in named.items()),
    ]
