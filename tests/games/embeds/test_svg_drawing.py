"""An SVG drawn as PNG: what is filled, what is a hole, where things stand, what shines through."""

import io

import pytest
from PIL import Image

from games.views.svg_drawing import png_of
from games.views.svg_paths import filled, matrix_of, moved, outlines

RED, GREEN, WHITE, BLACK = (255, 0, 0), (0, 255, 0), (255, 255, 255), (0, 0, 0)


def drawn(inner: str, more: str = "") -> Image.Image:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100" {more}>'
    picture = Image.open(io.BytesIO(png_of(f'{svg}<rect width="100" height="100" fill="#fff"/>{inner}</svg>'.encode())))
    return picture.convert("RGB")


@pytest.mark.parametrize(
    "shape",
    [
        '<rect x="20" y="20" width="60" height="60" fill="red"/>',
        '<rect x="20" y="20" width="60" height="60" rx="20" fill="red"/>',
        '<circle cx="50" cy="50" r="30" fill="red"/>',
        '<ellipse cx="50" cy="50" rx="30" ry="20" fill="red"/>',
        '<polygon points="50,20 80,80 20,80" fill="red"/>',
        '<path d="M20 20h60v60H20z" fill="red"/>',
        '<path d="m20 20 60 0 0 60-60 0z" fill="red"/>',
        '<path d="M50 20C90 20 90 80 50 80S10 20 50 20" fill="red"/>',
        '<path d="M20 50Q50 0 80 50T20 50" fill="red" transform="translate(0 10)"/>',
        '<path d="M50 20a30 30 0 1 1 0 60 30 30 0 010-60z" fill="red"/>',
        '<path d="M50 20a30 30 0 10.01 0z" fill="red"/>',
        '<g transform="translate(50 50) rotate(45)"><rect x="-20" y="-20" width="40" height="40" fill="red"/></g>',
        '<g fill="red"><g><circle cx="50" cy="50" r="30"/></g></g>',
        '<svg x="20" y="20" width="60" height="60" viewBox="0 0 10 10"><rect width="10" height="10" fill="red"/></svg>',
        '<symbol id="s" viewBox="0 0 2 2"><rect width="2" height="2"/></symbol>'
        '<use href="#s" x="20" y="20" width="60" height="60" fill="red"/>',
        '<linearGradient id="g"><stop stop-color="red"/></linearGradient>'
        '<rect x="20" y="20" width="60" height="60" fill="url(#g)"/>',
        '<path d="M20 50H80" fill="none" stroke="red" stroke-width="20"/>',
    ],
)
def test_shapes_are_filled_where_they_are(shape):
    picture = drawn(shape)
    assert picture.getpixel((50, 50)) == RED
    assert picture.getpixel((4, 4)) == WHITE and picture.getpixel((96, 96)) == WHITE


def test_an_outline_within_that_turns_the_other_way_is_a_hole():
    hole = drawn('<path d="M10 10h80v80h-80zM30 30v40h40v-40z" fill="red"/>')
    assert hole.getpixel((20, 50)) == RED and hole.getpixel((50, 50)) == WHITE
    same = drawn('<path d="M10 10h80v80h-80zM30 30h40v40h-40z" fill="red"/>')
    assert same.getpixel((50, 50)) == RED
    island = drawn('<path d="M10 10h80v80h-80zM30 30v40h40v-40zM40 40h20v20h-20z" fill="red"/>')
    assert island.getpixel((35, 50)) == WHITE and island.getpixel((50, 50)) == RED
    apart = drawn('<path d="M10 10h30v80h-30zM60 10v80h30v-80z" fill="red"/>')
    assert apart.getpixel((20, 50)) == RED and apart.getpixel((70, 50)) == RED


def test_what_is_half_opaque_lets_half_through():
    for shape in ('<g opacity="0.5"><rect width="100" height="100" fill="red"/></g>',
                  '<path d="M0 0h100v100h-100zM10 10v1h1v-1z" opacity="0.5" fill="red"/>',
                  '<rect width="100" height="100" fill="red" fill-opacity="0.5"/>'):  # fmt: skip
        red, green, blue = drawn(shape).getpixel((50, 50))
        assert red == 255 and abs(green - 127) <= 2 and abs(blue - 127) <= 2


def test_a_text_stands_on_its_line_at_its_anchor():
    for anchor, left, right in (("start", 50, 90), ("middle", 30, 70), ("end", 10, 50)):
        picture = drawn(f'<text x="50" y="60" font-size="20" fill="#000000" text-anchor="{anchor}">HHI</text>')
        box = picture.convert("L").point(lambda shade: 255 * (shade < 128)).getbbox()
        assert box is not None and box[3] in (60, 61) and box[0] >= left - 4 and box[2] <= right + 12


def test_later_stands_over_earlier():
    picture = drawn('<rect width="100" height="100" fill="red"/><circle cx="50" cy="50" r="30" fill="lime"/>')
    assert picture.getpixel((50, 50)) == GREEN and picture.getpixel((4, 4)) == RED


def test_an_element_that_is_not_known_is_an_error():
    with pytest.raises(KeyError):
        drawn('<image width="5" height="5"/>')


def test_transforms_follow_each_other():
    assert moved(matrix_of("translate(10 20) scale(2)"), ((1, 1),)) == [(12, 22)]
    (turned,) = moved(matrix_of("rotate(90 5 5)"), ((5, 0),))
    assert turned == pytest.approx((10, 5))
    assert moved(matrix_of("matrix(1 0 0 1 3 4)"), ((0, 0),)) == [(3, 4)]


def test_a_path_has_its_outlines():
    first, second = outlines("M0 0 10 0 10 10zM20 20l5 0")
    assert first == ((0, 0), (10, 0), (10, 10), (0, 0)) and second == ((20, 20), (25, 20))
    assert outlines("M1e1 .5.5-.5") == (((10, 0.5), (0.5, -0.5)),)
    assert [inside for _outline, inside in filled("M0 0H9V9H0zM1 1V2H2V1z")] == [True, False]
