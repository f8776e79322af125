"""The picture of a table: the board as watchers see it, in every game, whatever people are called."""

import io
import re
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.utils import translation
from django.utils.safestring import SafeString
from PIL import Image, ImageFont

from games.models import Match
from games.queries.play import seats_of
from games.rules import folders, games, get_game
from games.viewing import Viewing
from games.views import embeds, svg_drawing
from games.views.card_drawing import DRAWN, SEATS
from games.views.svg_drawing import ANCHORS, Drawing, png_of
from games.views.table_drawing import TINTS, draw_svg, plain, preview_of, said_of
from tests.factories import browser_of, member, play_on, played_on, seated
from tests.games.play.secrecy import Viewer, leaks, match_of
from tests.games.play.test_secrecy import CUPS, YESSS, yam_at, yesss_at

NAMES = ("ann", "Bartholomew-the-Elder", "cem", "W" * 24, "eve", "frédérique", "gus", "hildegard-von-b")
HOSTILE = (
    "<script>alert(1)</script>",
    "]]></text>&amp;&lt;",
    '" onload="x',
    "a\x0b\x00\x1f\ud800b",
    "\u202eevil\u202c",
    "Ωμέγα",
    "i" * 3000,
    "  ",
)
SVG = "{http://www.w3.org/2000/svg}"
DRAWN_KINDS = {"svg", "title", "desc", "g", "defs", "symbol", "use", "rect", "circle", "ellipse", "path", "polygon"}
DRAWN_KINDS |= {"text", "linearGradient", "radialGradient", "stop"}
GAMES = [slug for slug in games() if preview_of(slug, get_game(slug).rules_version)]


def tables(slug: str) -> list[tuple[int, dict]]:
    """(seats, options) of the smallest and the largest table of each mode."""
    game, modes = get_game(slug), [{}]
    if game.together:
        modes.append({**game.together, "minutes": 0})
    sizes = range(game.min_seats, game.max_seats + 1)
    found = []
    for options in modes:
        fit = [size for size in sizes if _accepts(game, size, options)]
        found += [(size, options) for size in sorted({fit[0], fit[-1]})]
    return found


def _accepts(game, size: int, options: dict) -> bool:
    try:
        game.full_options(size, options)
    except ValueError:
        return False
    return True


def watched(match: Match) -> dict:
    return said_of(match, Viewing(AnonymousUser(), match, seats_of(match)).table())


def assert_plain(svg: bytes) -> ElementTree.Element:
    """Valid XML that a page may show under the strictest policy, of what the PNG's drawing knows."""
    root = ElementTree.fromstring(svg)
    assert (root.get("width"), root.get("height"), root.get("role")) == ("1200", "630", "img")
    named = {element.get("id"): element for element in root.iter()}
    assert root.get("aria-labelledby") == "title desc"
    assert named["title"].text and named["desc"].text
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in DRAWN_KINDS, element.tag
        assert not {name for name in element.attrib if name.startswith("on") or name in ("style", "src")}
        assert element.get("href", "#").startswith("#")
    return root


def assert_fits(svg: bytes, *, has_board: bool) -> None:
    """No text leaves the picture, and none of the board's its panel, in the font of the PNG."""
    root = ElementTree.fromstring(svg)
    for element, left, right in Written(root).texts:
        assert left >= 20 and right <= 1180, (element.text, left, right)
        assert not has_board or right < 396 or left > 396 or element.get("y") in ("68", "70"), (
            element.text,
            left,
            right,
        )


class Written(Drawing):
    """A drawing that only notes where texts stand."""

    def __init__(self, root) -> None:
        self.texts: list = []
        super().__init__(root)

    def _shape(self, *given) -> None:
        pass

    def _text(self, element, style) -> None:
        x = float(element.get("x")) * style.matrix[0] + style.matrix[4]
        size = round(float(style.given["font-size"]) * style.matrix[3] / DRAWN)
        font: ImageFont.FreeTypeFont = svg_drawing.font_of(size)
        left, _top, right, _bottom = font.getbbox(element.text, anchor=ANCHORS[style.given["text-anchor"]])
        self.texts.append((element, (x + left) / DRAWN, (x + right) / DRAWN))


def words_of(svg: bytes) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


@pytest.mark.parametrize("slug", games())
def test_every_board_is_drawn_from_start_to_end(slug, db):
    people = [member(name) for name in NAMES]
    for size, options in tables(slug):
        match = seated(*people[:size], game_slug=slug, options=options)
        for turns in (0, 9, 20 * size, 4000):
            match = played_on(match, Random(turns), turns=turns)
            for language in ("en", "fr"):
                with translation.override(language):
                    svg = draw_svg(watched(match))
                root = assert_plain(svg)
                assert_fits(svg, has_board=slug in GAMES)
                assert all(name in root[1].text for name in NAMES[:size])
            if match.status == Match.Status.ENDED:
                break
        with Image.open(io.BytesIO(png_of(svg))) as picture:
            assert picture.size == (1200, 630)
            assert len(picture.convert("RGB").getcolors(10**6)) > 100


@pytest.mark.parametrize("slug", games())
def test_nobody_can_be_called_so_that_a_picture_breaks(slug, db):
    size, options = tables(slug)[-1]
    people = [member(f"player-{number}") for number in range(size)]
    said = watched(played_on(seated(*people, game_slug=slug, options=options), Random(2), turns=9))
    for name in HOSTILE:
        seats = [seat | {"name": plain(name), "tally": plain(name)[:24]} for seat in said["seats"]]
        svg = draw_svg(said | {"seats": seats, "headline": plain(name)})
        assert_plain(svg)
        assert_fits(svg, has_board=slug in GAMES)
        assert png_of(svg).startswith(b"\x89PNG")


def test_a_name_that_the_font_cannot_write_is_the_seats_number(ann, bob):
    match = seated(ann, bob)
    table = Viewing(AnonymousUser(), match, seats_of(match)).table()
    for name, shown in {"Ωμέγα": "Seat 1", "\x00 \x1f": "Seat 1", "a <b> & c": "a <b> & c"}.items():
        table["seats"][0]["name"] = name
        svg = draw_svg(said_of(match, table))
        assert shown in words_of(svg) and name not in words_of(svg).replace(shown, "")


def test_what_is_escaped_already_is_not_escaped_twice():
    assert plain(SafeString("a &amp; b")) == "a & b"
    assert plain("a &amp; b") == "a &amp; b"


def test_a_word_of_a_player_is_escaped(db):
    people = [member(f"player-{number}") for number in range(3)]
    said = watched(played_on(seated(*people, game_slug="yesss"), Random(5), turns=6))
    said["view"]["tokens"][0] |= {"word": "<script>&amp;\x00", "revealed": False}
    svg = draw_svg(said)
    assert_plain(svg)
    assert "<script>&amp;" in words_of(svg) and b"<script" not in svg


def test_a_game_without_a_board_of_its_own_shows_names_and_scores(ann, bob):
    assert "sample-game" in games() and "sample-game" not in GAMES
    match = played_on(seated(ann, bob, game_slug="sample-game"), Random(1), turns=4)
    said = watched(match)
    words = words_of(draw_svg(said))
    for seat in said["seats"]:
        assert f"{seat['name']} {seat['tally']}" in " ".join(words.split())


def test_each_game_of_the_site_draws_its_board():
    assert set(GAMES) == set(games()) - {"sample-game"}


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_picture_is_drawn_once_for_what_it_says(ann, bob, monkeypatch, kind):
    drawn = []
    name = {"svg": "draw_svg", "png": "png_of"}[kind]
    draw = getattr(embeds, name)
    monkeypatch.setattr(embeds, name, lambda said: drawn.append(1) or draw(said))
    match, browser = seated(ann, bob), browser_of()
    address = f"/matches/{match.pk}/table.{kind}"
    bodies = [browser.get(address).content for _ in range(3)]
    assert len(drawn) == 1 and len(set(bodies)) == 1
    browser.get(f"{address}?lang=fr")
    assert len(drawn) == 2
    play_on(match, Random(1), turns=2)
    assert browser.get(address).content != bodies[0]
    assert len(drawn) == 3


def test_who_asks_makes_no_difference(ann, bob, cem):
    match = played_on(seated(ann, bob, cem, game_slug="yam-menteur"), Random(4), turns=3)
    for kind in ("svg", "png"):
        seen = {browser_of(person).get(f"/matches/{match.pk}/table.{kind}").content for person in (None, ann, bob, cem)}
        assert len(seen) == 1


def pictures(match: Match, viewer: Viewer) -> dict[str, bytes]:
    """The pictures as they are drawn now; the PNG is drawn of the SVG alone."""
    return {"svg": draw_svg(watched(Match.objects.get(pk=match.pk)))}


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("turns", [3, 12])
def test_a_picture_tells_no_secret(slug, turns, ann, bob):
    match = match_of(slug, ann, bob, turns)
    assert leaks(match, [Viewer("a visitor", None), Viewer("a watcher", member("wim"))], pictures) == set()


@pytest.mark.parametrize("moment", CUPS)
def test_a_picture_tells_nothing_of_dice_under_cups(ann, bob, moment):
    match = yam_at(ann, bob, CUPS[moment])
    assert leaks(match, [Viewer("a watcher", member("wim"))], pictures) == set()


@pytest.mark.parametrize("moment", YESSS)
def test_a_picture_tells_nothing_of_pairs_and_votes(ann, bob, moment):
    options, is_there = YESSS[moment]
    match = yesss_at(ann, bob, is_there, **options)
    assert leaks(match, [Viewer("a watcher", member("wim"))], pictures) == set()


def test_a_picture_that_were_drawn_of_a_seats_table_would_be_caught(ann, bob):
    def of_a_seat(match: Match, viewer: Viewer) -> dict[str, bytes]:
        match = Match.objects.get(pk=match.pk)
        said = said_of(match, Viewing(ann, match, seats_of(match)).table())
        return {"svg": draw_svg(said | {"headline": str(said["view"]["dice"])})}

    match = yam_at(ann, bob, lambda state: state.thrower == 0 and CUPS["thrown"](state))
    assert leaks(match, [Viewer("a watcher", member("wim"))], of_a_seat)


def test_the_places_of_the_map_are_those_of_the_page():
    css = (folders()["yes"] / "static/games/yes/map.css").read_text()
    template = (folders()["yes"] / "templates/games/yes/preview.jinja").read_text()
    places = re.findall(r"\.at-(\w+) \{ left: ([\d.]+)%; top: ([\d.]+)%", css)
    assert len(places) == 30
    assert all(f'"{name}": ({left}, {top})' in template for name, left, top in places)


def test_the_colours_are_those_of_the_site():
    tokens = Path(str(finders.find("site/tokens.css"))).read_text()
    day = dict(re.findall(r"--([\w-]+):\s*(?:light-dark\()?(#[0-9a-f]{6})", tokens))
    assert [colour for colour, _corners in SEATS] == [day[f"seat-{number}"] for number in range(len(SEATS))]
    names = {"paper": "surface", "ground": "bg", "soft": "ink-2", "faint": "ink-3"}
    assert {name: day[names.get(name, name)] for name in TINTS} == TINTS
