"""What the tests of the pages of YESSS! share: buttons, posts and matches at a moment."""

import re
from html import unescape

from django.urls import reverse

from games.models import Match
from tests.factories import browser_of, fresh, seat, state_of, submit


def page(person, match: Match) -> str:
    return browser_of(person).get(f"/matches/{match.pk}/").content.decode()


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def buttons(html: str) -> list[str]:
    return [unescape(value) for value in re.findall(r'name="move" value=[\'"](.*?)[\'"](?= |>)', html)]


def post(match, number, move, *, live=True, **fields):
    """Post as a seat's person, as a page with a script does, or one without."""
    asked = seat(match, number)
    data = {"ask": asked.ask, "key": f"k{match.turns}-{number}", "move": move, **fields}
    where = reverse("move", args=[match.pk])
    return browser_of(asked.user).post(where, data, headers={"X-Live": "1"} if live else {})


def view(match, number=None):
    return match.game.view(state_of(fresh(match)), number)


def act(match, number, move) -> None:
    submit(match, seat(match, number), move, key=f"a{fresh(match).turns}")


def roles(match, token=0):
    shown = view(match)["tokens"][token]
    known = [shown["announcer"], shown["keeper"]]
    return [*known, *(number for number in range(4) if number not in known)]
