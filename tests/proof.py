"""`make proof`: every proof in its full profile; the figures are added to docs/proof/<date>.txt."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.__main__ import machine
from tests.postgres import cluster

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "proof"
# Modules that print a line for each figure, and end non-zero when one failed; `-m=` takes the marked.
MAIL = (
    "tests/faults/test_mail.py tests/faults/test_push.py tests/faults/test_webhooks.py tests/faults/test_channels.py "
    "tests/faults/test_odd_requests.py tests/games/mail/test_pages.py "
    "tests/games/mail/test_reminders.py tests/games/mail/test_digest.py tests/games/mail/test_answers.py "
    "tests/games/mail/test_flood.py tests/games/mail/test_last_reminder.py tests/games/mail/test_match_by_mail.py"
)
PLAY = (
    "tests/rules tests/games/play/test_playthrough.py tests/games/play/test_secrecy.py "
    "tests/games/play/test_check_by_client.py "
    "tests/games/play/test_yes_secrecy.py tests/games/clocks/test_time_outs_secret.py"
)
HOSTILE = (
    "tests/test_hostile_texts.py tests/test_hostile_fields.py tests/test_hostile_groups.py "
    "tests/api/test_hostile_bodies.py tests/games/play/test_junk.py tests/api/test_fuzz.py "
    "tests/api/test_same_doors.py"
)
PAGES = (
    "tests/games/play/test_addresses.py tests/games/play/test_torn.py tests/games/play/test_yay.py "
    "tests/games/play/test_lessons.py tests/games/lobby/test_rules_pages.py "
    "tests/moderation/test_odd_addresses.py tests/leaderboards/test_rebuild.py tests/leaderboards/test_rating.py "
    "tests/accounts/test_pages.py tests/test_permissions.py tests/games/test_bad_matches.py "
    "tests/games/people/test_closing_at_once.py tests/games/people/test_hidden_matches.py tests/ladders/test_random.py "
    "tests/clubs/test_random.py tests/clubs/test_seating.py tests/api/test_streams_cut.py"
)
TOURNAMENTS = "pytest -q -s -m= tests/competitions/test_tournaments.py"  # which needs no database
EMBEDDED = "pytest -q -m=proof tests/operation/ tests/look/"  # on SQLite, as the next
THINNED = "pytest -q -m=thin tests/"
BROWSERS = "pytest -q -m=browser tests/e2e/"
OUTGROWN = "pytest -q -m=outgrown tests/"
PROOFS = [
    *(
        "tests.drill",
        "tests.faults",
        "tests.faults --sqlite",
        f"pytest -q -s -m= {MAIL}",
        f"pytest -q -m= {PLAY} {HOSTILE} {PAGES}",
    ),
    TOURNAMENTS,
    EMBEDDED,
    THINNED,
    BROWSERS,
    OUTGROWN,
]


def main(wanted: list[str]) -> int:
    """Run the wanted proofs, all when none is named; return 1 when one failed."""
    now = datetime.now(UTC)
    lines = [f"Proof of {now:%Y-%m-%d %H:%M} UTC", *(f"{name}: {value}" for name, value in machine().items())]
    failed, file = 0, FOLDER / f"{now:%Y-%m-%d}.txt"
    FOLDER.mkdir(parents=True, exist_ok=True)
    before = file.read_text() + "\n" if file.exists() else ""
    with cluster() as address:
        environment = os.environ | {"PROOF": "full", "DATABASE_URL": address}
        for proof in wanted or PROOFS:
            command = [sys.executable, "-m", *proof.split()]
            env = environment | ({"DATABASE_URL": ""} if proof in (EMBEDDED, THINNED, BROWSERS) else {})
            running = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
            for line in running.stdout:
                print(line, end="", flush=True)
                if '{"' not in line:  # not the log of the site under test
                    lines.append(line.rstrip())
                file.write_text(before + "\n".join(lines) + "\n")
            failed |= running.wait() != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
