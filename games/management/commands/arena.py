"""`manage.py arena GAME BOT BOT …`: have engines play each other offline, and say how strong each is."""

import json
import os
import secrets
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.arena.players import SECONDS, made
from games.arena.running import Line, OtherRun, Run, run, table
from games.engine import Game
from games.rules import games, get_game

WIDE = 28  # characters of a player's name in the table


class Command(BaseCommand):
    """Plays matches between bots, seats balanced, and prints Elo with 95 % intervals."""

    help = (
        "Have bots play each other offline. A BOT is a level of the site's (easy, regular, strong), a Python function "
        "module:function that takes a view and returns a move, or a command that answers lines of JSON."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", choices=games())
        parser.add_argument("bots", nargs="+", metavar="BOT")
        parser.add_argument("--matches", type=int, default=200)
        parser.add_argument("--seats", type=int, help="default: as many as bots, as far as the game has them")
        parser.add_argument("--seed", help="makes the same dice again; drawn and printed without it")
        parser.add_argument("--options", default="{}", help='JSON, such as {"scratch": "free"}')
        parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
        parser.add_argument("--seconds", type=float, default=SECONDS, help="for one decision of a command")
        parser.add_argument("--out", type=Path, help="a JSON file; a run that it has begun goes on")

    def handle(self, *args: Any, **given: Any) -> None:
        """Play and print. CommandError for what cannot be played."""
        sys.path.insert(0, str(Path.cwd()))  # where functions are looked for
        about = self._about(given)
        self.stdout.write(f"{about.game}, {about.seats} seats, seed {about.seed}")
        try:
            played = run(about, given["matches"], given["jobs"], given["out"], self._told)
        except OtherRun as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{len(played)} matches")
        for line in table(about, played):
            self.stdout.write(words(line))
        for one in [one for one in played if one.fault is not None][:5]:
            assert one.fault is not None
            player, kind, what = one.fault
            self.stdout.write(f"match {one.number}: {about.bots[player]}: {kind}: {what}")

    def _told(self, number: int) -> None:
        self.stderr.write(f"\r{number} matches", ending="")

    def _about(self, given: dict[str, Any]) -> Run:
        game: Game[Any] = get_game(given["game"])
        bots: list[str] = given["bots"]
        if len(bots) < 2:
            raise CommandError("Name two bots at least; the same one twice, if you like.")
        if given["matches"] < 1 or given["jobs"] < 1:
            raise CommandError("--matches and --jobs are 1 at least.")
        seats = given["seats"] or min(max(len(bots), game.min_seats), game.max_seats)
        try:
            options = dict(game.full_options(seats, json.loads(given["options"])))
            if not game.min_seats <= seats <= game.max_seats:
                raise ValueError(f"seats: from {game.min_seats} to {game.max_seats}")
            for word in bots:
                made(game, word).close()
        except (ValueError, ImportError, AttributeError) as error:
            raise CommandError(str(error)) from error
        if game.is_cooperative(options) or game.is_live(options):
            raise CommandError("The arena is for players against each other, and not against the clock.")
        return Run(game.slug, bots, seats, options, given["seed"] or secrets.token_hex(8), given["seconds"])


def words(line: Line) -> str:
    """Return a player's line of the table."""
    elo = f"{line.elo:+7.1f} ± {line.plus_minus:5.1f}" if line.is_bounded else "   not bounded   "
    faults = f", {line.illegal} illegal, {line.crashes} crashed" if line.illegal or line.crashes else ""
    share = 100 * line.won / line.matches if line.matches else 0
    return f"{line.bot[:WIDE]:{WIDE}} {elo}  {line.matches} seats, {share:.1f} % won{faults}"
