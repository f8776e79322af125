"""Prove that a tournament's draws and standings follow from its secret and its results."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.competitions import record
from games.competitions.models import Tournament
from games.competitions.pairing.verifying import Unreadable, Verdict, verify

MARKS = {True: "sound", False: "NOT SOUND", None: "not checked"}
NEVER = [  # whichever way it is called
    Verdict("ratings at the start", None, "they are taken as they stand in the record"),
    Verdict("blocks", None, "nobody is told who blocks whom: a draw that they changed is told as not following"),
]
OF_FILES = Verdict("the results", None, "a record does not have the matches: check each with verify_match")


class Command(BaseCommand):
    help = "Draw a tournament that is over again, reckon its standings once more, and say what differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tournament", metavar="ID or RECORD.json")

    def handle(self, *, tournament: str, **options: Any) -> None:
        verdicts = self._of_site(int(tournament)) if tournament.isdecimal() else self._of_file(Path(tournament))
        for one in [*verdicts, *NEVER]:
            self.stdout.write(f"{MARKS[one.well]}: {one.about}: {one.words}")
        if wrong := [one.about for one in verdicts if one.well is False]:
            raise CommandError(f"not sound: {', '.join(wrong)}")

    def _of_site(self, number: int) -> list[Verdict]:
        found = Tournament.objects.filter(pk=number).first()
        if found is None or not record.is_opened(found):
            raise CommandError("there is no such tournament, or it is not over: its secret is opened then")
        return [*verify(record.record_of(found)), record.verdict_on_results(found)]

    def _of_file(self, path: Path) -> list[Verdict]:
        try:
            return [*verify(json.loads(path.read_bytes())), OF_FILES]
        except (OSError, ValueError, RecursionError) as error:
            kind = "" if isinstance(error, Unreadable) else f"{path} cannot be read: "
            raise CommandError(f"{kind}{error}") from None
