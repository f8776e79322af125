"""Rebuild all ratings from the matches."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboards.rebuild import rebuild


class Command(BaseCommand):
    help = "Work all ratings out anew from the matches; print what differed, and put it right."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only compare, and fail if anything differs")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        found = rebuild(write=not check)
        for words in found:
            self.stdout.write(words)
        mended = ", put right" if found and not check else ""
        self.stdout.write(f"{len(found)} differences{mended}")
        if check and found:
            raise CommandError("the ratings are not what the matches give")
