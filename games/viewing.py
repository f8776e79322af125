"""A match as one person may see it at this moment, on a page or over a socket: who may, and the table that they see."""

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import QueryDict
from django.utils.safestring import SafeString

from games.coaching import as_posted, coach_of
from games.ending import ending_of
from games.forms.play import inputs_of, pressed
from games.models import Match, Seat, Turn
from games.offers import named, offered
from games.queries import play
from games.queries.turns import last_turns
from games.questions import choice_in_words
from games.services.refusals import Advised, Illegal, NotSure, Refused
from games.story import links_of
from games.table import Table, render_table, seat_of_viewer, table_for

LONGEST_WORD = 80  # characters of a text that are shown again
SPOILT = "bad_word"  # the engine's code for a forbidden text


@dataclass
class Viewing:
    """A match with its seats, and who looks at it; `refused` is a refusal for the table to show."""

    user: play.Person
    match: Match
    seats: list[Seat]
    refused: dict[str, Any] | None = None

    @cached_property
    def viewer(self) -> Seat | None:
        return seat_of_viewer(self.seats, self.user.pk)

    @property
    def is_shown(self) -> bool:
        """Return whether the person may see the match for what they are to it; moderators may besides only look."""
        return play.sees(self.match, self.viewer, self.user)

    @cached_property
    def offered(self) -> dict[int, str]:
        """Return to whom free seats are offered, as far as the person may know."""
        return offered(self.match, self.seats, self.user)

    def is_own(self, turn: Turn) -> bool:
        """Return whether the viewer made the move in person."""
        return turn.by == Turn.By.PERSON and self.viewer is not None and turn.seat == self.viewer.number

    def table(self, since: int | None = None, *, turns: list[Turn] | None = None) -> Table:
        """Return what the person may see; `turns` are the last ones, if they have been read already."""
        since = since if self.viewer else None
        if turns is None or since is not None:
            turns = self.last_turns(since)
        if since is not None and any(self.is_own(turn) and turn.number > since for turn in turns):
            since = None  # who has moved is back, and reads on as everybody who is there
        table = table_for(self.match, self.seats, self.viewer, turns, since=since)
        if table["status"] == Match.Status.ENDED and self.match.state:
            state = self.match.game.load(bytes(self.match.state))
            table["hints"]["made"] = links_of(self.match, self.seats, state, self.match.turns)
        end = ending_of(self.match, self.seats, self.viewer, table)
        coach = coach_of(self.match, table["view"], playing=table["playing"])
        told: dict[str, Any] = {
            "seats": named(table["seats"], self.offered),
            "refused": self.refused,
            "coach": coach,
            "end": end,
        }
        told["promise"] = self.match.commitment
        if self.refused and self.refused["advised"]:
            words = choice_in_words(table | told, json.loads(self.refused["advised"]))
            told["refused"] = self.refused | {"named": words}
        return table | told

    def last_turns(self, since: int | None = None) -> list[Turn]:
        """Return the turns that the table tells."""
        return last_turns(self.match, since=since, most=self.match.game.log_length(self.match.options))

    def refuse(self, refusal: Refused, post: QueryDict) -> None:
        """Have the table show a refusal: its sentence, the texts typed by input, the input at fault."""
        typed = {name: post.get(name, "")[:LONGEST_WORD] for name in post if ".text." in name}
        is_of_text = isinstance(refusal, Illegal) and refusal.code == SPOILT
        self.refused = {"words": str(refusal), "typed": typed, "at": _text_input(post) if is_of_text else ""}
        self.refused["advised"] = as_posted(refusal.move) if isinstance(refusal, Advised) else ""
        self.refused["unsure"] = as_posted(refusal.move) if isinstance(refusal, NotSure) else ""

    def fragment(self, table: Table, refusal: str = "", *, csrf_token: str = "") -> SafeString:
        """Return the table as HTML; what the coach points at is marked."""
        html = render_table(table, csrf_token=csrf_token, refusal=refusal)
        for name in table["coach"]["points"] if table["coach"] else ():
            html = SafeString(html.replace(f'id="{name}"', f'id="{name}" data-pointed data-moment', 1))
        return html


def _text_input(post: QueryDict) -> str:
    """Return the name of the input whose text is part of the posted move; empty if there is none."""
    move = json.loads(pressed(post))  # valid: the rules have refused it
    inputs = inputs_of(post, move["type"], move.get("token"))
    return next((name for name, kind, _field in inputs if kind == "text"), "")
