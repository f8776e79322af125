"""The pictures of YESSS!: a drawing for each number that does nothing but draw, with a name to speak."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.contrib.staticfiles import finders
from django.template import engines
from django.utils import translation

from docs.drawings.yesss_pictures import ICONS, drawing, write_drawings
from games.rules.yesss.data import name_of

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
DRAWS = {"svg", "g", "path", "circle", "ellipse", "defs", "use", "stop", "linearGradient", "radialGradient"}
FILES = [ROOT / "games/rules/yesss/static/games/yesss/pictures" / f"{number}.svg" for number in range(120)]


def test_there_are_120_files_and_no_more():
    assert sorted(FILES[0].parent.iterdir()) == sorted(FILES)
    assert len(set(ICONS.split())) == 120


@pytest.mark.thin(30)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_picture_only_draws(file):
    root = ET.fromstring(file.read_text())
    ids = {element.get("id") for element in root.iter()}
    assert root.get("viewBox") == "0 0 128 128"
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in DRAWS
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            if name.endswith("href"):
                assert value.removeprefix("#") in ids
            elif "url(" in value:
                assert value.startswith("url(#")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_picture_is_spoken_by_its_name(language):
    with translation.override(language):
        picture = engines["jinja"].get_template("games/yesss/parts.jinja").template.module.picture
        for number in range(120):
            assert f'alt="{name_of(number, language)}"' in picture(number)
            assert finders.find(f"games/yesss/pictures/{number}.svg")
        assert 'alt=""' in picture(7, silent=True)


@pytest.mark.parametrize(
    "body",
    [
        '<script>x</script><path d="M0 0"/>',
        '<path onload="x" d="M0 0"/>',
        '<use href="https://example.org/x.svg#a"/>',
        '<use xlink:href="x.svg#a"/>',
        '<path fill="url(https://example.org/x)" d="M0 0"/>',
        '<image width="1"/>',
        "<style>a</style>",
    ],
)
def test_what_does_more_than_draw_is_not_taken_over(body):
    with pytest.raises(ValueError, match="bee"):
        drawing({"icons": {"bee": {"body": body}}}, "bee")


def test_the_files_are_written_from_a_set(tmp_path):
    icons = {name: {"body": f'<path id="{n}" d="M0 0"/>'} for n, name in enumerate(ICONS.split())}
    source = tmp_path / "icons.json"
    source.write_text(json.dumps({"icons": icons, "width": 128, "height": 128}))
    write_drawings(source, tmp_path / "out")
    assert 'id="119"' in (tmp_path / "out" / "119.svg").read_text()
    assert len(list((tmp_path / "out").iterdir())) == 120


def test_the_licence_stands_in_the_repository():
    assert "Version 2.0, January 2004" in (ROOT / "LICENSES/Apache-2.0.txt").read_text()
    assert "@iconify-json/noto" in (ROOT / "CREDITS.md").read_text()
