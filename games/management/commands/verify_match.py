"""Prove, without a database, that a match's dice were what its seed dictated."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine import verify
from games.rules import get_game


class Command(BaseCommand):
    help = "Replay a match's record from its seed alone and say what first differs, if anything does."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("record", type=Path, metavar="RECORD.json")

    def handle(self, *, record: Path, **options: Any) -> None:
        try:
            data = json.loads(record.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            raise CommandError(f"{record} cannot be read: {error}") from None
        verdict = verify(data, get_game)
        if not verdict.sound:
            raise CommandError(f"not sound: {verdict.problem}")
        but = f", but {verdict.prepared} that were prepared for a lesson" if verdict.prepared else ""
        if isinstance(origin := data.get("sandbox"), dict):
            told = f"up to move {origin.get('step')} they are those of the record {origin.get('record')}"
            but = f", but of {verdict.prepared}: {told}"
        self.stdout.write(f"sound: every draw is what the seed dictated{but}")
