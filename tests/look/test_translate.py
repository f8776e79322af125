"""Names, and words that people wrote, are marked so that a browser's translation leaves them alone."""

from html.parser import HTMLParser

import pytest

from games.queries.play import seats_of
from games.rules import games, get_game
from games.services.chat import lines
from tests.factories import browser_of, confirmed_member, member, opened, seated

VOID = {"meta", "link", "input", "br", "hr", "img", "use", "path", "rect", "circle", "source"}


class Translated(HTMLParser):
    """Counts where a name stands alone: marked, or as a text that may be translated."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name, self.open, self.kept, self.lost = name, [], 0, []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("translate") == "no"))

    def handle_endtag(self, tag):
        if any(tag == opened for opened, _no in self.open):
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data):
        if data.strip().lstrip("@") == self.name and not any(tag in ("title", "option") for tag, _no in self.open):
            if any(no for _tag, no in self.open):
                self.kept += 1
            else:
                self.lost.append(" ".join(tag for tag, _no in self.open))


def shown(page: str, name: str) -> Translated:
    found = Translated(name)
    found.feed(page)
    return found


@pytest.fixture
def maple(db):
    return confirmed_member("maple", "maple@example.org")


ADDRESSES = ("/", "/play/", "/matches/", "/people/maple/", "/settings/people/")


def test_a_name_is_left_alone(ann, maple):
    """On the pages where people meet, and at the table of every game."""
    crowd = [member(f"crowd{number}") for number in range(2)]
    tables = [seated(ann, maple, *crowd[: get_game(slug).max_seats - 2], game_slug=slug) for slug in games()]
    opened(maple)
    lines.say(match=tables[0], seats=seats_of(tables[0]), user=maple, text="good luck @ann")
    browser = browser_of(ann)
    browser.post("/people/maple/follow/", {"wish": "1"})
    for address in (*ADDRESSES, *(f"/matches/{match.pk}/" for match in tables)):
        found = shown(browser.get(address).content.decode(), "maple")
        assert found.lost == [], address
        assert found.kept > 0, address
