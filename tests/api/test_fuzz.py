"""schemathesis makes requests from the whole description: no error of ours, and no answer outside of it.

A few for each operation in short; thousands, by each role's token, with PROOF=full (`make proof`).
"""

import json
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from accounts.models import User
from config.lib import rate_limits
from games.api import openapi
from games.models import Match
from games.moderation.models import Sanction
from tests import FULL
from tests.api.calling import Program
from tests.api.fitting import fits
from tests.factories import member, moderator, seated

EXAMPLES = 150 if FULL else 3
MODES = {"as it should be": GenerationMode.POSITIVE, "as it should not": GenerationMode.NEGATIVE}
SCHEMA = schemathesis.openapi.from_dict(openapi.schema("en"))
OPERATIONS = {
    f"{one.method.upper()} {one.path.removeprefix('/api/v1')}": one
    for one in (found.ok() for found in SCHEMA.get_all_operations())
}
ROLES = ("player", "watcher", "suspended", "bot", "moderator", "nobody")


@pytest.fixture
def programs(ann: User, bob: User, cem: User, monkeypatch: pytest.MonkeyPatch) -> dict[str, Program]:
    """A program of each role, at a site where a match runs and a table is open; limits are not what is tried."""
    monkeypatch.setattr(rate_limits, "REQUESTS", 10**9)
    monkeypatch.setattr(rate_limits, "allows_post_of", lambda user_id: True)
    monkeypatch.setattr(rate_limits, "allows", lambda *args, **named: True)
    seated(ann, bob, game_slug="yay")
    late, bot = member("late"), User.objects.create_user("Robo", "", None)
    Sanction.objects.create(member=late, kind=Sanction.Kind.SUSPENSION, reason="x")
    people = {"player": ann, "watcher": cem, "suspended": late, "moderator": moderator()}
    found = {name: Program(person) for name, person in people.items()}
    found["player"].post("/tables", {"game": "yes", "size": 3})
    found["player"].post(f"/matches/{Match.objects.order_by('pk')[0].pk}/chat", {"text": "hello"})
    return found | {"bot": Program(bot, ["bot"]), "nobody": Program()}


def _real(name: str, rng: Random) -> Any:
    """Return a value of a part of an address that there is."""
    if name == "match_id":
        return rng.choice(list(Match.objects.values_list("pk", flat=True)) or [1])
    return {"slug": "yay", "name": "bob", "token": "x"}.get(name, 1)


def sent(program: Program, operation: Any, case: Any, rng: Random) -> Any:
    """Send a generated request; half of them at addresses where something is."""
    path = operation.path.removeprefix("/api/v1")
    for name, value in (case.path_parameters or {}).items():
        shown = _real(name, rng) if rng.random() < 0.5 else value
        path = path.replace(f"{{{name}}}", quote(str(shown), safe="", errors="replace"))
    query = urlencode(case.query or {}, doseq=True, errors="replace")
    headers = {name: str(value).encode("latin-1", "replace").decode("latin-1") for name, value in case.headers.items()}
    headers = {name: value for name, value in headers.items() if name != "Authorization"}
    body = None if case.body.__class__.__name__ == "NotSet" else case.body
    text = body if isinstance(body, str | bytes) or body is None else json.dumps(body)
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    address = f"/api/v1{path}?{query}" if query else f"/api/v1{path}"
    about = {"data": data or b"", "content_type": case.media_type or "application/json"}
    return program.client.generic(operation.method.upper(), address, **about, headers=headers | program.headers)


@pytest.mark.thin(34)
@pytest.mark.django_db
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_no_answer_is_outside_of_the_description(programs, name: str, mode: str) -> None:
    operation = OPERATIONS[name]
    cases = operation.as_strategy(generation_mode=MODES[mode])

    @seed(7)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, role=st.sampled_from(ROLES), rng=st.randoms(use_true_random=False))
    def tried(case: Any, role: str, rng: Random) -> None:
        answer = sent(programs[role], operation, case, rng)
        assert answer.status_code < 500, (answer.status_code, answer.content)
        if answer.status_code not in (204, 304) and answer.resolver_match is not None:
            fits(operation.method, operation.path, answer)

    if mode == "as it should not" and not (operation.body or operation.query or operation.path_parameters):
        return
    tried()
