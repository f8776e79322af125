"""What the mover's thread draws for others of the match as it has saved it is what is read of it after that."""

import json
import re
from random import Random
from urllib.parse import urlencode

import pytest

from config.lib import clock
from games.models import Match
from games.rules import games, get_game
from games.sockets.tables import Frame, Reader, Sent, answer_move, for_readers
from tests.factories import asked, member, random_move, seated


def html(frame: Frame | None) -> str:
    """Return the table without the keys of its forms, each of which is drawn by lot."""
    assert frame is not None and isinstance(frame.text, str)
    return re.sub(r'(name="key" value=)"[^"]*"', r"\1", json.loads(frame.text)["table"])


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", games())
def test_drawn_by_the_mover_as_it_is_read(slug, db, monkeypatch):
    present, now = clock.now(), clock.now_ms()
    monkeypatch.setattr("config.lib.clock.now", lambda: present)
    monkeypatch.setattr("config.lib.clock.now_ms", lambda: now)
    people = [member(name) for name in ("ann", "bob", "cem")][: get_game(slug).max_seats]
    match = seated(*people, game_slug=slug)
    watcher, rng = member("dan"), Random(slug)
    for number in range(12):
        if (mover := asked(match)) is None:
            break
        move = random_move(match, mover.number, rng)
        form = urlencode({"ask": mover.ask, "key": f"k{number}", "move": json.dumps(move)})
        readers = [Reader(person, None, "fr") for person in (*people, watcher)]
        sender = Reader(mover.user, None, "fr")
        answer = answer_move(sender, match.pk, Sent(1, form, now), readers)
        match = Match.objects.get(pk=match.pk)
        again = for_readers(match.pk, [Reader(person, None, "fr") for person in (*people, watcher)])
        assert [html(frame) for frame in answer.others] == [html(frame) for frame in again]
        assert html(answer.frame) == html(again[people.index(mover.user)])
    assert match.turns > 5
