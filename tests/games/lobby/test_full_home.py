"""The pages of a member who has everything at once: all games in all states, invitations, wishes, rematches."""

from itertools import cycle, islice, product
from random import Random

import pytest

from accounts.models import User
from games.models import Match, Seat
from games.queries.play import seats_of
from games.rules import games, get_game
from games.services.chat import lines
from games.services.lobby import closing, opening
from games.services.play import moves
from tests.factories import browser_of, member, opened, played_on, rated, seated
from tests.games.lobby.test_many import copies

PAGES = ("/", "/?fragment=1", "/play/", "/play/?fragment=1", "/play/?fragment=1&home=1", "/matches/", "/people/ann/")
TURNS = (0, 3, 12, 40)


@pytest.fixture
def crowd(db) -> list[User]:
    return [member(f"crowd{number}") for number in range(7)]


def fewest(slug: str) -> int:
    """Return how many play at least, each for themselves."""
    game = get_game(slug)
    return min(max(3, game.min_seats), game.max_seats)


@pytest.fixture
def full(ann, bob, crowd) -> User:
    """Ann, who has more than forty running matches, eight of each game, at every stage."""
    for slug, turns in [(slug, turns) for slug in games() for turns in (*TURNS, *TURNS)]:
        size = fewest(slug) if turns % 2 else min(get_game(slug).max_seats, 5)
        people = [ann, bob, *crowd][:size]
        match = played_on(seated(*people, game_slug=slug), Random(turns), turns=turns)
        if match.status == Match.Status.RUNNING and turns == 12:
            moves.wish_call_off(match_id=match.pk, user=bob, wish=True)
            lines.say(match=match, seats=seats_of(match), user=bob, text="salut @ann, <b>ça va</b> ?")
    for slug in games():
        people = [ann, bob, *crowd][: fewest(slug)]
        table = opened(people[1], size=min(fewest(slug) + 1, get_game(slug).max_seats), game_slug=slug)
        if get_game(slug).max_seats > fewest(slug):
            opening.join(match_id=table.pk, user=ann)
        ended = seated(*people, game_slug=slug)
        moves.resign(match_id=ended.pk, user=people[1])
        for other in people[2:]:
            moves.resign(match_id=ended.pk, user=other)
    wish_everything(ann, crowd)
    return ann


def wish_everything(ann: User, crowd: list[User]) -> None:
    proposed, refused = (seated(ann, other, pace="7d") for other in crowd[:2])
    moves.wish_pause(match_id=proposed.pk, user=crowd[0], wish=True)
    moves.wish_call_off(match_id=proposed.pk, user=crowd[0], wish=True)
    for wish, who in ((True, ann), (False, crowd[1])):
        moves.wish_pause(match_id=refused.pk, user=who, wish=wish)
        moves.wish_call_off(match_id=refused.pk, user=who, wish=wish)
    paused = seated(ann, crowd[2])
    for who in (ann, crowd[2]):
        moves.wish_pause(match_id=paused.pk, user=who, wish=True)
    for other, slug in zip(crowd[:6], cycle(games())):
        opened(other, size=get_game(slug).max_seats, game_slug=slug, invited=[ann], access=Match.Access.INVITATION)
    own = opened(ann, invited=crowd[4:6])
    closing.decline(match_id=own.pk, user=crowd[4])
    again = seated(ann, crowd[6])
    moves.resign(match_id=again.pk, user=crowd[6])
    opening.rematch(match_id=again.pk, user=crowd[6])
    late = seated(ann, crowd[5])
    Seat.objects.filter(match=late, user=ann).update(absent=True, left=1, bot="strong")
    rated(ann, crowd[0])
    copies(proposed, 12)


@pytest.mark.thin(0)
def test_every_page_is_shown(full):
    running = Match.objects.filter(status=Match.Status.RUNNING, seats__user=full)
    assert running.count() >= 40
    assert set(running.values_list("game_slug", flat=True)) == set(games())
    for reader, language in product(islice(User.objects.order_by("pk"), 3), ("fr", "en")):
        User.objects.update(language=language)
        browser = browser_of(reader)
        browser.raise_request_exception = True
        for page in PAGES:
            answer = browser.get(page)
            assert answer.status_code == 200, (page, reader)
            assert answer.headers["Content-Language"] == language
