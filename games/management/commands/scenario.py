"""Play scenarios and print what differs from them."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine import run_file
from games.rules import get_game


class Command(BaseCommand):
    help = "Play the scenarios in the given YAML files; fails if anything differs from what they say."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *, files: list[Path], **options: Any) -> None:
        differing = 0
        for file in files:
            differences = run_file(file, get_game)
            differing += bool(differences)
            self.stdout.write(f"{file}: {'differs' if differences else 'ok'}")
            for difference in differences:
                self.stdout.write(f"  {difference}")
        if differing:
            raise CommandError(f"{differing} of {len(files)} differ")
