"""`make release`: tag the present commit as the release of pyproject.toml, with what CHANGELOG.md says of it."""

import re
import subprocess
import sys

from config.lib.version import VERSION
from config.place import ROOT


def changes() -> str:
    """Return what CHANGELOG.md says of this release; exit with a sentence if it is not dated."""
    part = rf"^## {re.escape(VERSION)}, ([^\n]+)\n\n(.*?)(?=^## |\Z)"
    found = re.search(part, (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE | re.DOTALL)
    if not found or not re.fullmatch(r"\d{4}-\d\d-\d\d", found[1]):
        sys.exit(f"CHANGELOG.md has no part “## {VERSION}, <date>”.")
    return found[2].strip()


def git(*words: str, stdin: str | None = None) -> str:
    """Run git; return what it says, or exit with it."""
    done = subprocess.run(["git", *words], cwd=ROOT, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.strip())
    return done.stdout.strip()


def main() -> None:
    """Tag the commit."""
    told = changes()
    if f"### {VERSION}\n" not in (ROOT / "docs" / "upgrading.md").read_text():
        sys.exit(f"docs/upgrading.md has no part “### {VERSION}”.")
    if git("status", "--porcelain"):
        sys.exit("There are changes that are not committed.")
    git("tag", "--annotate", "--cleanup=verbatim", "--file=-", f"v{VERSION}", stdin=f"Club Y {VERSION}\n\n{told}\n")
    sys.stdout.write(f"Tagged v{VERSION}. Publish it: git push origin v{VERSION}\n")


if __name__ == "__main__":
    main()
