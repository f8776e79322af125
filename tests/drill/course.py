"""All drills of a run, one after another on one house; at the end every match is replayed."""

import importlib
import time
import traceback
from collections.abc import Callable
from random import Random

from tests.drill.drill import Drill, Stage
from tests.drill.house import House
from tests.drill.play import Play, tables
from tests.drill.watch import MailServer
from tests.faults.ledger import Ledger

SEED = 20261129
WARM_UP = 5.0  # seconds


def run(made: House, drills: list[tuple[str, str]], say: Callable[..., None], end: float) -> int:
    """Run these drills, each a name and where it is, until the moment `end`; return 1 when one failed."""
    mail = MailServer(made.mail_port)
    mail.start()
    made.open()
    ledger, failed = Ledger(made.folder / "ledger"), 0
    stage = Stage(made, tables(made, ledger, Random(SEED)), ledger, mail)
    try:
        with Play(stage.members):  # the first requests of all are slow
            time.sleep(WARM_UP)
        for name, place in drills:
            if time.monotonic() > end:
                say(f"== {name}: FAILED, the time of all was over before it began")
                failed = 1
                continue
            drill = Drill(name, stage)
            try:
                module, function = place.split(".")
                getattr(importlib.import_module(f"tests.drill.{module}"), function)(drill)
            except Exception as error:
                drill.fail(f"broke off: {error!r}"[:3000])
                traceback.print_exc()
                made.mend()
            drill.count()
            say(*drill.report())
            failed |= bool(drill.failures)
        failed |= settle(made, say)
    finally:
        stage.watch.stop()
        mail.controller.stop()
    return failed


def settle(made: House, say: Callable[..., None]) -> int:
    """Replay every match by the release that is in now; return 1 when one is torn."""
    tree = made.web[0].folder
    script = "from tests.faults.ledger import torn_matches; print('torn matches:', torn_matches() or 'none')"
    said = made.manage("shell", "-v0", "-c", script, folder=tree).splitlines()[-1]
    say(f"at the end: {said}")
    return int(not said.endswith("none"))
