"""The picture of an open table's link, and its QR code: what they say, and who gets them."""

from io import BytesIO
from random import Random
from xml.etree import ElementTree

import pytest
from PIL import Image

from accounts.models import User
from games.models import Match
from games.rules import games
from games.services.lobby import opening
from games.views import cards
from games.views.card_drawing import Card
from games.views.result_drawing import ResultCard
from tests.factories import as_many, browser_of, end, opened, played_on, seated

LINK = Match.Access.LINK


@pytest.fixture
def drawn(monkeypatch) -> list[Card]:
    """The cards that are drawn, and not taken from the cache."""
    made: list[Card] = []
    usual = cards.draw
    monkeypatch.setattr(cards, "draw", lambda card: made.append(card) or usual(card))
    return made


def picture(path: str, browser=None) -> Image.Image:
    answer = (browser or browser_of()).get(path)
    assert answer.status_code == 200 and answer["Content-Type"] == "image/png"
    return Image.open(BytesIO(answer.content))


def test_a_card_says_what_whoever_has_the_link_may_see(ann, bob, cem, drawn):
    table = opened(ann, size=3, access=LINK, invited=[cem])
    opening.join(match_id=table.pk, user=bob, token=table.token)
    assert picture(f"/join/{table.token}/card.png").size == (1200, 630)
    said = drawn[0]
    assert (said.game, said.host, said.facts) == ("Yum EXTRA", "ann invites you", "3 days a move · casual")
    assert (said.free, said.taken) == ("1 seat free", (True, True, False))
    assert "cem" not in repr(said) and "bob" not in repr(said)  # who is asked, and who else sits there


def test_it_is_drawn_once_until_something_changes(ann, bob, drawn):
    table = opened(ann, size=4, access=LINK)
    User.objects.filter(pk=ann.pk).update(username="anna-of-this-test")
    for _time in range(2):
        picture(f"/join/{table.token}/card.png")
    assert len(drawn) == 1
    opening.join(match_id=table.pk, user=bob, token=table.token)
    picture(f"/join/{table.token}/card.png")
    assert [card.free for card in drawn] == ["3 seats free", "2 seats free"]


@pytest.mark.parametrize("slug", [slug for slug in games() if slug != "sample-game"])
def test_every_game_has_one_in_both_languages(ann, slug):
    table = opened(ann, game_slug=slug, size=3, options={})
    for language in ("en", "fr"):
        answer = browser_of().get(f"/matches/{table.pk}/card.png", headers={"accept-language": language})
        assert Image.open(BytesIO(answer.content)).size == (1200, 630)


@pytest.mark.parametrize("name", ["Анна", "Ελένη"])
def test_a_name_that_the_font_cannot_say_is_left_out(ann, drawn, name):
    User.objects.filter(pk=ann.pk).update(username=name)
    picture(f"/join/{opened(ann, access=LINK).token}/card.png")
    assert drawn[0].host == "Come and play"


@pytest.mark.parametrize("access", ["link", "invitation"])
def test_nobody_else_gets_the_card_of_a_private_table(ann, bob, cem, access):
    table = opened(ann, size=3, access=access, invited=[bob])
    for person in (None, ann, bob, cem):
        answer = browser_of(person).get(f"/matches/{table.pk}/card.png")
        assert answer.status_code == (302 if person is None else 404)
    wrong = "x" * 16 if access == "link" else table.token
    assert browser_of().get(f"/join/{wrong}/card.png").status_code == 404
    assert browser_of().get("/join/%00/card.png").status_code == 404


def test_no_card_once_the_table_is_not_open_any_more(ann, bob):
    for match, path in ((seated(ann, bob, access=LINK), "join/{0.token}"), (seated(ann, bob), "matches/{0.pk}")):
        assert browser_of().get(f"/{path.format(match)}/card.png").status_code == 404


def test_pages_name_their_card(ann, bob, settings):
    table, public, private = opened(ann, access=LINK), opened(ann), opened(ann, access="invitation", invited=[bob])
    site = settings.SITE_URL
    text = browser_of().get(f"/join/{table.token}/").content.decode()
    assert f'og:image" content="{site}/join/{table.token}/card.png"' in text
    assert "Yum EXTRA: ann invites you. 3 days a move · casual, 2 seats free." in text
    assert (
        f'og:image" content="{site}/matches/{public.pk}/card.png"'
        in browser_of().get(f"/matches/{public.pk}/").content.decode()
    )
    text = browser_of(bob).get(f"/matches/{private.pk}/").content.decode()
    assert "site/card" in text and f"/{private.pk}/card.png" not in text


# ——— Results


@pytest.fixture
def results(monkeypatch) -> list[ResultCard]:
    made: list[ResultCard] = []
    usual = cards.draw_result
    monkeypatch.setattr(cards, "draw_result", lambda card: made.append(card) or usual(card))
    return made


@pytest.mark.thin(2)
@pytest.mark.parametrize("slug", [slug for slug in games() if slug != "sample-game"])
def test_the_result_of_every_game_has_one_in_both_languages(ann, bob, cem, slug, results):
    match = played_on(seated(*as_many(slug, ann, bob, cem), game_slug=slug), Random(2))
    for language in ("en", "fr"):
        answer = browser_of().get(f"/matches/{match.pk}/card.png", headers={"accept-language": language})
        assert Image.open(BytesIO(answer.content)).size == (1200, 630)
    english, french = results
    assert sorted(place.seat for place in english.places) == list(range(match.size))
    assert len(english.curves) == match.size
    assert all(-0.01 <= part <= 1.01 for curve in english.curves for spot in curve for part in spot)
    assert english.headline != french.headline


def test_a_team_has_one_curve_and_its_points(ann, bob, results):
    match = played_on(seated(ann, bob, game_slug="yesss", options={"mode": "cooperative", "minutes": 0}), Random(4))
    picture(f"/matches/{match.pk}/card.png")
    assert "together" in results[0].headline and len(results[0].curves) <= 1
    assert {place.rank for place in results[0].places} == {""}


def test_a_shared_first_place_and_a_name_without_letters(ann, bob, results):
    User.objects.filter(pk=ann.pk).update(username="Анна")
    shared, won = end(seated(ann, bob), [1, 1]), end(seated(ann, bob), [1, 2])
    for match in (shared, won):
        picture(f"/matches/{match.pk}/card.png")
    assert [card.headline for card in results] == ["A shared first place", "Result"]
    assert [place.name for place in results[1].places] == ["", "bob"]


def test_a_private_result_is_for_those_who_may_see_the_match(ann, bob, cem):
    match = end(seated(ann, bob, access=LINK), [1, 2])
    got = [browser_of(one).get(f"/matches/{match.pk}/card.png").status_code for one in (ann, bob, cem, None)]
    assert got == [200, 200, 404, 302]


def test_no_card_of_what_was_not_decided_or_does_not_count(ann, bob):
    match = end(seated(ann, bob), [1, 2])
    page = f"/matches/{match.pk}/"
    assert f"{page}card.png" in browser_of().get(page).content.decode()
    for change in ({"ending": "called_off"}, {"ending": "played", "voided_at": match.ended_at}):
        Match.objects.filter(pk=match.pk).update(**change)
        assert browser_of().get(f"{page}card.png").status_code == 404
        assert f"{page}card.png" not in browser_of(ann).get(page).content.decode()


# ——— QR code and mail


def test_players_pass_the_link_on(ann, bob, settings):
    for table, path in ((opened(ann, access=LINK), "/join/{0.token}/"), (opened(ann), "/matches/{0.pk}/")):
        link = settings.SITE_URL + path.format(table)
        text = browser_of(ann).get(f"/matches/{table.pk}/").content.decode()
        assert f'value="{link}"' in text and "mailto:?subject=Play%20Yum%20EXTRA%20with%20me%3F&amp;body=http" in text
        assert f'src="/matches/{table.pk}/qr.svg"' in text
        code = browser_of(ann).get(f"/matches/{table.pk}/qr.svg")
        assert code["Content-Type"] == "image/svg+xml"
        assert ElementTree.fromstring(code.content).tag.endswith("svg")
        assert browser_of(bob).get(f"/matches/{table.pk}/qr.svg").status_code == 404
        assert "qr.svg" not in browser_of(bob).get(path.format(table)).content.decode()


def test_the_page_says_whom_the_link_lets_in(ann):
    wishes = {"without an account": {}, "as the match is rated": {"rated": True}, "Anybody with": {"guests": False}}
    for words, wish in wishes.items():
        table = opened(ann, access=LINK, **wish)
        assert words in browser_of(ann).get(f"/matches/{table.pk}/").content.decode(), words


def test_no_link_of_a_table_by_invitation(ann):
    table = opened(ann, access="invitation")
    assert "qr.svg" not in browser_of(ann).get(f"/matches/{table.pk}/").content.decode()
    assert browser_of(ann).get(f"/matches/{table.pk}/qr.svg").status_code == 404
