"""Replay every finished match and say what differs from what is stored; before a deploy, every running one."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine import verify
from games.models import Match, Seat
from games.queries.play import seats_of
from games.record import record_of, state_at
from games.rules import get_game
from games.services.operation import deploy_check

MOST_NAMED = 100  # in the last line


class Command(BaseCommand):
    requires_migrations_checks = True  # what this code reads may not be there yet
    help = "Replay every finished match from its draws and from its seed; print what differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--before-deploy",
            action="store_true",
            help="try every open and running match under this code, and name those that would break",
        )
        parser.add_argument("--ended", action="store_true", help="with --before-deploy: ended matches too")

    def handle(self, *args: Any, before_deploy: bool, ended: bool, **options: Any) -> None:
        if before_deploy:
            self._before_deploy(ended=ended)
        else:
            self._finished()

    def _before_deploy(self, *, ended: bool) -> None:
        matches = Match.objects.all() if ended else Match.objects.exclude(status=Match.Status.ENDED)
        checked, broken, began = 0, [], time.monotonic()
        for number in deploy_check.numbers(matches):
            checked += 1
            if found := deploy_check.what_breaks(number):
                broken.append(number)
                self.stdout.write(f"match {number}: {'; '.join(found)}")
        seconds = time.monotonic() - began
        self.stdout.write(f"{checked} matches tried in {seconds:.1f} s, {checked / max(seconds, 0.001):.0f} a second")
        if broken:
            more = f" and {len(broken) - MOST_NAMED} more" if len(broken) > MOST_NAMED else ""
            raise CommandError(f"{len(broken)} would break: {', '.join(map(str, broken[:MOST_NAMED]))}{more}")

    def _finished(self) -> None:
        checked = wrong = 0
        for match in Match.objects.filter(status=Match.Status.ENDED, state__isnull=False).iterator():
            checked += 1
            for problem in problems(match):
                wrong += 1
                self.stdout.write(f"match {match.pk}: {problem}")
        self.stdout.write(f"{checked} matches checked, {wrong} problems")
        if wrong:
            raise CommandError("some matches do not replay to what is stored")


def problems(match: Match) -> list[str]:
    """Return in words what a replay of this match finds wrong; nothing when all is well."""
    seats = seats_of(match)
    found = []
    verdict = verify(record_of(match, seats), get_game)
    if not verdict.sound:
        found.append(verdict.problem)
    try:
        state = state_at(match, seats, match.turns)
    except ValueError as error:
        return [*found, f"cannot be replayed: {error}"]
    if match.game.dump(state) != bytes(match.state or b""):
        found.append("the stored state is not what the recorded draws lead to")
    return found + standing_problems(match, seats, match.game.outcome(state))


def standing_problems(match: Match, seats: list[Seat], outcome: dict[str, Any] | None) -> list[str]:
    """Return in words where ranks and scores of the seats are not those of the replayed outcome."""
    stays = [seat for seat in seats if seat.left is None]
    leavers = sorted((seat for seat in seats if seat.left is not None), key=lambda seat: -(seat.left or 0))
    worth = {seat.number: outcome["ranks"][seat.number] if outcome else 1 for seat in stays}
    ranks: dict[int, int | None] = {number: 1 + sum(w < worth[number] for w in worth.values()) for number in worth}
    ranks |= {seat.number: rank for rank, seat in enumerate(leavers, len(stays) + 1)}
    if match.ending == Match.Ending.CALLED_OFF:
        ranks = dict.fromkeys(ranks)
    found = []
    for seat in seats:
        if seat.rank != ranks[seat.number]:
            found.append(f"the rank of seat {seat.number} is {seat.rank}, not {ranks[seat.number]}")
        score = outcome["scores"][seat.number] if outcome else None
        if seat.score != score:
            found.append(f"the score of seat {seat.number} is {seat.score}, not {score}")
    return found
