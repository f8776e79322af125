"""Bring back what `backup` copied."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from accounts.services.mail_links import end_all_links
from games.models import Match
from games.services.operation import backups


class Command(BaseCommand):
    help = "Put database and keys of a copy in the place of those of now, with the site stopped; then migrate."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--replace", action="store_true", help="the present PostgreSQL, once it is copied aside")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = backups.restore(Path(options["file"]), replace=options["replace"])
        except (backups.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        call_command("migrate", interactive=False, verbosity=0)
        end_all_links()
        people, matches = User.objects.count(), Match.objects.count()
        self.stdout.write(f"Restored: {people} people, {matches} matches, as of {manifest['made_at']}.")
        self.stdout.write("Now: manage.py check_matches, then start the site.")
