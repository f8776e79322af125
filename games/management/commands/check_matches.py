"""Replay every finished match and say what differs from what is stored."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine import verify
from games.models import Match
from games.queries import seats_of
from games.table import record_of, state_at


class Command(BaseCommand):
    help = "Replay every finished match from its draws and from its seed; print what differs."

    def handle(self, *args: Any, **options: Any) -> None:
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
    verdict = verify(record_of(match, seats))
    if not verdict.sound:
        found.append(verdict.problem)
    try:
        state = state_at(match, seats, match.turns)
    except ValueError as error:
        return [*found, f"cannot be replayed: {error}"]
    if match.game.dump(state) != bytes(match.state or b""):
        found.append("the stored state is not what the recorded draws lead to")
    return found
