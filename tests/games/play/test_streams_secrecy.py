"""What a stream tells is equal, to the byte, when only what its member may not know is changed."""

from datetime import UTC, datetime

import pytest

from accounts.models import User
from games.api.models import StreamEvent
from games.api.services import streaming, tokens
from games.api.streams import drawing
from games.api.streams.drawing import Drawing, Manner
from games.models import Match
from games.rules import games
from tests.games.play.secrecy import Viewer, leaks, match_of

pytestmark = [pytest.mark.usefixtures("steady"), pytest.mark.django_db]
AT = datetime(2026, 1, 1, tzinfo=UTC)


def heard(match: Match, viewer: Viewer) -> dict[str, bytes]:
    """What this person's stream would say of the match, and what it would find to say."""
    if viewer.person is None:
        return {}
    event = StreamEvent(kind="match", subject=match.pk, mark=match.version, number=7, at=AT, over=False)
    invited = StreamEvent(kind="invitation", subject=match.pk, mark=1, number=8, at=AT, over=False)
    said = {}
    for tables in (True, False):
        frames = Drawing().frames(viewer.person, Manner("en", tables), [event, invited])
        said[f"frames, tables: {tables}"] = "".join(frame.text for frame in frames).encode()
    token = viewer.person.api_tokens.first()
    if token is None:
        token, _secret = tokens.issue(user=viewer.person, name="x", scopes=["read"], ends_at=None)
        streaming.take(token.pk, "h", None)
    found = streaming.differences(streaming.Look([token.pk], AT, 0))
    said["what there is to tell"] = repr(sorted(found.get(token.pk, {}).items())).encode()
    return said


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
def test_a_stream_tells_no_secret(slug: str, ann: User, bob: User, viewers: list[Viewer]) -> None:
    match = match_of(slug, ann, bob, 12)
    assert b'"view":{' in b"".join(b"".join(heard(match, viewer).values()) for viewer in viewers)
    assert leaks(match, viewers, look=heard) == set()


def test_a_stream_that_told_of_the_seed_would_be_caught(
    ann: User, bob: User, viewers: list[Viewer], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_of("yam-menteur", ann, bob, 12)
    honest = drawing.state_of
    monkeypatch.setattr(
        drawing,
        "state_of",
        lambda viewing, turns: honest(viewing, turns) | {"seed": bytes(viewing.match.server_seed).hex()},
    )
    assert "the seed" in {what for what, _who, _where in leaks(match, viewers, look=heard)}


def test_who_is_no_player_is_told_nothing_of_a_private_match(ann: User, bob: User, eve: User) -> None:
    match = match_of("yay", ann, bob, 12)
    Match.objects.filter(pk=match.pk).update(access="invitation")
    (frame,) = Drawing().frames(
        eve, Manner("en", tables=True), [StreamEvent(kind="match", subject=match.pk, mark=1, number=7, at=AT)]
    )
    assert '"state":null,"table":null' in frame.text
