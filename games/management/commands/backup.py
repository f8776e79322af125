"""Copy the site into one file."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.lib import clock
from games.services.operation import backups


class Command(BaseCommand):
    help = "Copy database and keys into one file, while the site runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", help="by default in BACKUP_DIR, or in backups in the data folder")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(settings.BACKUP_DIR or settings.VAR_DIR / "backups")
        to = Path(options["file"] or folder / f"club-y-{clock.now():%Y%m%dT%H%M%SZ}.tar")
        try:
            backups.back_up(to)
        except (backups.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{to}: {to.stat().st_size / 1e6:.1f} MB. It holds the keys too: keep it as safe as them.")
