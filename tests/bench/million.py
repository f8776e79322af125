"""A million members, a million running and three million ended matches on PostgreSQL: what pages and tasks ask of it.

`python -m tests.bench.million 1000000`: rows are copied in bulk from matches really played, measured and removed
again, in an hour and 60 GB; without a number ten thousand of each, in ten minutes.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.postgres import Cluster
from tests.processes import redis_process

MEMBERS = 10_000
MEMORY = {  # a quarter of a machine of 16 GB, as PostgreSQL's manual proposes
    "shared_buffers": "4GB",
    "effective_cache_size": "12GB",
    "maintenance_work_mem": "1GB",
    "random_page_cost": "1.1",
    "max_wal_size": "3GB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
}


def environment(folder: Path, database: str) -> dict[str, str]:
    """Return the settings of the site on this database."""
    return os.environ | {
        "VAR_DIR": str(folder),
        "REDIS_URL": f"unix://{folder}/redis.sock",
        "DATABASE_URL": database,
        "SITE_URL": "http://localhost:8000",
        "SECRET_KEY": "the key of the bench",
        "LOG_LEVEL": "WARNING",
        "STAFF_SECOND_FACTOR": "0",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }


def manage(env: dict[str, str], *words: str) -> None:
    """Run a command of manage.py, and print what it tells as it comes. CalledProcessError."""
    command = [sys.executable, "manage.py", *words]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            print(json.loads(line)["said"] if line.startswith('{"said"') else line.rstrip(), flush=True)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)


def tuned(made: Cluster) -> None:
    """Start it again with the memory of a database server."""
    made.stop()
    with (made.folder / "data" / "postgresql.conf").open("a") as conf:
        conf.writelines(f"{name} = {value}\n" for name, value in MEMORY.items())
    made.start()


def main(members: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="club-y-million-"))
    redis, database = redis_process(folder), Cluster(durable=False)
    redis.start()
    try:
        tuned(database)
        env = environment(folder, database.address)
        manage(env, "migrate", "--verbosity=0")
        manage(env, "collectstatic", "--noinput", "--verbosity=0")
        manage(
            env, "shell", "--no-imports", "-c", f"from tests.bench import million_fill; million_fill.fill({members})"
        )
        manage(
            env, "shell", "--no-imports", "-c", "from tests.bench import million_measures; million_measures.measure()"
        )
    finally:
        redis.stop()
        database.kill()  # else it would write gigabytes out before they are removed
        shutil.rmtree(database.folder, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MEMBERS)
