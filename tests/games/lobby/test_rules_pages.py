"""The page of a game: pictures of its rules, an example to step through, and the sheet to print."""

import re
from collections import Counter
from html import unescape
from itertools import product

import pytest
from django.conf import settings
from django.template import TemplateSyntaxError, engines
from django.utils import translation
from django.utils.html import strip_tags

from games.engine import ChanceMismatch, Example, Play, Scene, moments
from games.rules import examples, folders, games, get_game

LANGUAGES = [code for code, _name in settings.LANGUAGES]
PAGES = list(product(games(), LANGUAGES))
WALKED = [  # each game in one language, by turns
    pytest.param(slug, language, marks=[] if (place + (language == "fr")) % 2 else pytest.mark.proof)
    for (place, slug), language in product(enumerate(games()), LANGUAGES)
]
NAMED = re.compile(r'{% picture "(\w+)" %}(.*?){% caption %}(.*?){% endpicture %}', re.DOTALL)
DRAWN = re.compile(r'<figure class="pictured" data-picture="(\w+)">.*?</figure>', re.DOTALL)
LONGEST = 240  # characters of a sentence: all have the room of the longest
HEAVIEST = 100_000  # characters of what pictures and example add to a page
SYMBOLS = "symbols"


def texts(slug: str, language: str) -> list:
    """The rules of a game in a language, those of older versions too."""
    return list((folders()[slug] / "templates").rglob(f"rules.{language}.html"))


def read(client, address: str, language: str) -> str:
    return client.get(address, headers={"accept-language": language}).content.decode()


def ids(html: str) -> Counter:
    return Counter(re.findall(r'\sid="([^"]+)"', html))


def pointed_at(html: str) -> set[str]:
    return set(re.findall(r'(?:href="|url\()#([^")]+)', html))


@pytest.mark.parametrize("slug", games())
def test_each_picture_that_is_named_is_drawn_and_each_that_is_drawn_is_named(slug):
    named = {
        language: [[name for name, _, _ in NAMED.findall(text.read_text())] for text in texts(slug, language)]
        for language in LANGUAGES
    }
    assert named["en"] == named["fr"]
    assert any(named["en"]), slug
    for text, names in zip(texts(slug, "en"), named["en"], strict=True):
        drawings = text.parent / "pictures.jinja"
        if not drawings.exists():
            assert not names
            continue
        path = str(drawings.relative_to(folders()[slug] / "templates"))
        macros = {name for name in vars(engines["jinja"].get_template(path).template.module) if name[0] != "_"}
        drawn = {name for name in macros if re.search(rf"macro {name}\(", drawings.read_text())} - {SYMBOLS}
        assert Counter(names) == Counter(drawn)


@pytest.mark.parametrize(("slug", "language"), PAGES)
def test_each_picture_says_what_it_shows_and_what_it_means(slug, language):
    for text in texts(slug, language):
        for name, seen, caption in NAMED.findall(text.read_text()):
            assert seen.strip(), name
            assert strip_tags(caption).strip(), name


@pytest.mark.thin(3)
@pytest.mark.django_db
@pytest.mark.parametrize(("slug", "language"), PAGES)
def test_pictures_find_what_they_point_at_and_take_no_keys(client, slug, language):
    page, sheet = (read(client, f"/games/{slug}/{name}", language) for name in ("", "sheet/"))
    for html in (page, sheet):
        drawn = [found[0] for found in DRAWN.finditer(html)]
        assert drawn
        assert pointed_at("".join(drawn)) <= set(ids(html))
        assert not ids("".join(drawn))
        assert all("<div inert>" in one and 'role="img"' in one for one in drawn)
    example = page.partition('<section class="example')[2].partition("<article")[0]
    assert len(example) + sum(map(len, drawn)) < HEAVIEST


def test_a_picture_without_words_is_refused():
    django = engines["django"]
    with pytest.raises(TemplateSyntaxError, match="caption"):
        django.from_string('{% load pictures %}{% picture "track" %}A track{% endpicture %}')


def test_every_game_has_an_example_in_each_language():
    for slug, language in PAGES:
        found = examples(slug, language)
        assert found, slug
        assert len({example.name for example in found}) == len(found)
        assert [len(example.scenes) for example in found] == [len(one.scenes) for one in examples(slug, "en")]


@pytest.mark.parametrize(("slug", "language"), PAGES)
def test_an_example_is_a_match_that_the_rules_play(slug, language):
    for example in examples(slug, language):
        assert 5 <= len(example.scenes) <= 9
        assert len(list(moments(example, get_game(slug)))) == len(example.scenes)
        for scene in example.scenes:
            with translation.override(language):
                says = translation.gettext(scene.says)
            assert (says == scene.says) == (language == "en")
            assert len(says) <= LONGEST


@pytest.mark.django_db
@pytest.mark.parametrize(("slug", "language"), WALKED)
def test_each_step_shows_its_board(client, slug, language):
    for example in examples(slug, language):
        boards = set()
        for number, scene in enumerate(example.scenes, 1):
            with translation.override(language):
                says = translation.gettext(scene.says)
            page = read(client, f"/games/{slug}/?{example.name}={number}", language)
            section = page[page.index('<section class="example') : page.index("<article")]
            assert says in unescape(section)
            assert 'aria-current="step"' in section
            assert ('rel="prev"' in section) == (number > 1)
            assert ('rel="next"' in section) == (number < len(example.scenes))
            elsewhere = ids(page.replace(section, ""))
            found = ids(section)
            assert max(found.values()) == 1
            assert not set(found) & set(elsewhere)
            assert pointed_at(section) <= set(found) | set(elsewhere)
            board = section[section.index('<div class="match seen" inert>') :]
            assert "data-key" not in board
            assert "/matches/" not in board
            boards.add(board)
        assert len(boards) == len(example.scenes), "a step in which nothing changes"


@pytest.mark.django_db
def test_the_sight_in_an_example_stands_where_the_sentence_says(client):
    for number, scene in enumerate(examples("yay", "en")[0].scenes, 1):
        board = read(client, f"/games/yay/?step={number}", "en").partition('<div class="match seen" inert>')[2]
        aims = re.findall(r'id="sight" transform="translate\((\d+) (\d+)\)"', board)
        intended = scene.intends
        assert aims == ([(str(intended["x"]), str(intended["y"]))] if intended else [])
        assert "Throw the three dice" not in board


@pytest.mark.django_db
def test_a_step_is_asked_for_by_the_address(client):
    def at(query: str) -> str:
        return re.search(
            r'aria-current="step"\s*><span class="hidden">\w+ </span>(\d)', read(client, f"/games/yesss/{query}", "en")
        )[1]

    assert at("") == "1"
    assert at("?step=3") == "3"
    for wrong in ("0", "-1", "x", "", "²", "1" * 5000):
        assert at(f"?step={wrong}") == "1"
    assert at("?step=99") == str(len(examples("yesss", "en")[0].scenes))
    race = read(client, "/games/yesss/?race=2", "en")
    assert examples("yesss", "en")[1].scenes[1].says in unescape(race)
    assert '<a href="?step=1#example">' in race
    assert 'rel="canonical"' in race


@pytest.mark.django_db
def test_older_rules_have_no_example(client):
    assert 'id="example"' in read(client, "/games/sample-game/", "en")
    assert 'id="example"' not in read(client, "/games/sample-game/?version=1", "en")


@pytest.mark.parametrize(
    "plays", [(Play(seat=0, move={"type": "roll"}),), (Play(seat=0, move={"type": "roll"}, draws=([3], [4])),)]
)
def test_an_example_prepares_neither_too_much_nor_too_little(plays):
    example = Example(title="", setup=([5, 2],), scenes=(Scene(says="", plays=plays),))
    with pytest.raises(ChanceMismatch):
        list(moments(example, get_game("sample-game")))


@pytest.mark.django_db
@pytest.mark.parametrize(("slug", "language"), PAGES)
def test_the_sheet_has_what_one_needs_beside_a_table(client, slug, language):
    page, sheet = (read(client, f"/games/{slug}/{name}", language) for name in ("", "sheet/"))
    assert f'href="/games/{slug}/sheet/"' in page
    assert "verify_match" not in sheet
    assert "<script" not in sheet
    assert '<ul class="brief">' in sheet
    assert 'id="example"' not in sheet
    headings = re.findall(r'<h2 id="(\w+)">', page.partition("<article")[2])
    assert set(re.findall(r'<h2 id="(\w+)">', sheet)) - {"scores"} == set(headings) - {"page", "time", "fair"}


@pytest.mark.django_db
def test_there_is_no_sheet_of_no_game(client):
    assert client.get("/games/nothing/sheet/").status_code == 404
