"""The command `play`: a function of one's own plays all matches of a bot."""

import argparse
import importlib
import os
import sys
from pathlib import Path
from typing import Any

from club_y_client.client import Client
from club_y_client.errors import SiteError
from club_y_client.runner import Choose, Runner, of_view

TOKEN = "CLUB_Y_TOKEN"  # noqa: S105 (the name of the variable)


def add_to(commands: Any) -> None:
    """Add the command `play` to those of the client."""
    told = f"Plays all matches of a bot, whose token stands in the environment as {TOKEN}."
    parser = commands.add_parser("play", help="play all matches of a bot", description=told)
    parser.add_argument("choose", metavar="MODULE:FUNCTION", help="takes a table, returns a move")
    parser.add_argument("--site", required=True, metavar="ADDRESS", help="such as https://club-y.example")
    parser.add_argument("--view", action="store_true", help="the function takes a view, as in the arena")
    parser.add_argument("--no-stream", action="store_true", help="look every few seconds instead of being told")
    parser.set_defaults(run=_run)


def function(path: str) -> Choose:
    """Return the function of this name. ImportError, AttributeError when there is none."""
    module, _colon, name = path.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    found: Choose = getattr(importlib.import_module(module), name)
    return found


def _run(chosen: argparse.Namespace) -> int:
    token = os.environ.get(TOKEN, "")
    if not token:
        print(f"Put the bot's token into the environment as {TOKEN}.", file=sys.stderr)
        return 2
    choose = function(chosen.choose)
    with Client(chosen.site, token) as client:
        try:
            me = client.me()
            print(f"{me['name']} plays at {client.site}. Ctrl-C ends it.", flush=True)
            Runner(client, of_view(choose) if chosen.view else choose, streams=not chosen.no_stream).run()
        except SiteError as error:
            print(error, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            return 0
    return 0
