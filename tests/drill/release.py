"""The next release, made for the drill: other static files, a migration, a further version of a game's rules."""

import shutil
from pathlib import Path

from django.db.migrations.loader import MigrationLoader

from tests.processes import ROOT

LEFT_OUT = (".git", ".venv", ".env", "var", "docs", "*_cache", "__pycache__", ".installing")
GAME = "tests/sample_game"
FORMER, NEXT = 2, 3  # versions of its rules

MIGRATION = """\
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "{last}")]
    operations = [
        migrations.AddField("turn", "drilled", models.CharField(db_default="", max_length=8)),
    ]
"""


def change(path: Path, *changes: tuple[str, str]) -> None:
    """Replace texts of a file, each of which has to be there once."""
    text = path.read_text()
    for old, new in changes:
        assert text.count(old) == 1, f"{path}: {old!r} is there {text.count(old)} times: change tests/drill/release.py"
        text = text.replace(old, new)
    path.write_text(text)


def make(folder: Path) -> Path:
    """Copy the tree into the folder and change it to a next release; return the folder.

    Its rules have no copy of the former ones yet: `keep_rules` does that.
    """
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (folder / ".venv").symlink_to(ROOT / ".venv")
    with (folder / "config/static/site/site.css").open("a") as file:
        file.write("\n.of-the-next-release { outline: 0; }\n")
    (_app, last) = MigrationLoader(None).graph.leaf_nodes("games")[0]
    (folder / "games/migrations/9999_drill.py").write_text(MIGRATION.format(last=last))
    column = "    at = models.BigIntegerField()  # milliseconds since the epoch\n"
    change(
        folder / "games/models/match.py",
        (column, f'{column}    drilled = models.CharField(max_length=8, db_default="")\n'),
    )
    rules = f"rules_version = {FORMER}", f"rules_version = {NEXT}"
    change(folder / GAME / "rules.py", rules, ("BONUS = 1 ", "BONUS = 2 "))
    return folder


def keep_rules(release: Path) -> None:
    """Put the former rules beside the next ones, as CONTRIBUTING.md says under "Change the rules of a game"."""
    kept = release / GAME / f"v{FORMER}"
    kept.mkdir()
    (kept / "__init__.py").write_text('"""The second rules of the sample game: the hidden die was worth one step."""\n')
    shutil.copyfile(ROOT / GAME / "rules.py", kept / "rules.py")
