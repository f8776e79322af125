"""Draws an SVG of the site as PNG: the few kinds of elements that the pictures of tables are made of.

Shapes, texts in the site's font, groups with transforms, symbols, pictures within pictures. A gradient is drawn as the
mean of its colours; styles, masks and clips are not known.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from xml.etree import ElementTree

from PIL import Image, ImageColor, ImageDraw

from games.views import svg_paths
from games.views.card_drawing import DRAWN, font_of
from games.views.svg_paths import Matrix, Outline, Point, matrix_of, moved, times

Element = ElementTree.Element
Colour = tuple[int, int, int, int]
Shape = tuple[tuple[tuple[Outline, bool], ...], bool]
"""Outlines, each with whether it is filled inside, and whether they end where they end."""

NAMES = "{http://www.w3.org/2000/svg}"
OPAQUE = 255
SILENT = {"defs", "symbol", "title", "desc", "linearGradient", "radialGradient"}
INHERITED = ("fill", "stroke", "stroke-width", "font-size", "text-anchor")
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


@dataclass(frozen=True)
class Style:
    """What an element has of the groups in which it stands."""

    matrix: Matrix
    given: Mapping[str, str]
    opacity: float = 1


class Drawing:
    """A picture while it is drawn, `DRAWN` times as large as it will be."""

    def __init__(self, root: Element) -> None:
        self.size = int(root.get("width", "0")), int(root.get("height", "0"))
        self.image = Image.new("RGB", (self.size[0] * DRAWN, self.size[1] * DRAWN))
        self.pens = ImageDraw.Draw(self.image, "RGBA"), ImageDraw.Draw(self.image)  # the second is faster
        self.gradients = {str(found.get("id")): _mean(found) for found in root.iter() if found.tag.endswith("Gradient")}
        self.named = {str(found.get("id")): found for found in root.iter() if found.get("id")}
        style = Style((DRAWN, 0, 0, DRAWN, 0, 0), {"fill": "#000000", "stroke": "none"})
        for child in root:
            self.draw(child, self.inherited(root, style))

    def inherited(self, element: Element, style: Style) -> Style:
        """Return how an element is drawn that stands in groups of this style."""
        given = {name: value for name in INHERITED if (value := element.get(name)) is not None}
        if transform := element.get("transform"):
            style = replace(style, matrix=times(style.matrix, matrix_of(transform)))
        opacity = style.opacity * float(element.get("opacity", "1"))
        return replace(style, given={**style.given, **given} if given else style.given, opacity=opacity)

    def draw(self, element: Element, style: Style) -> None:
        """Draw an element and what is in it. KeyError for a kind that is not known."""
        kind = element.tag.removeprefix(NAMES)
        if kind in SILENT:
            return
        style = self.inherited(element, style)
        if kind in ("g", "svg"):
            style = _placed(element, element, style) if kind == "svg" else style
            for child in element:
                self.draw(child, style)
        elif kind == "use":
            self._use(element, self.named[element.get("href", "")[1:]], style)
        elif kind == "text":
            self._text(element, style)
        else:
            self._shape(element, style, *OUTLINES[kind](element))

    def _use(self, element: Element, meant: Element, style: Style) -> None:
        """Draw what another element names, a symbol in the place that the other gives it."""
        if meant.tag != f"{NAMES}symbol":
            self.draw(meant, style)
            return
        for child in meant:
            self.draw(child, _placed(element, meant, style))

    def _text(self, element: Element, style: Style) -> None:
        (x, y), scale = moved(style.matrix, ((_number(element, "x"), _number(element, "y")),))[0], style.matrix[3]
        font = font_of(round(float(style.given["font-size"]) * scale / DRAWN))
        anchor = ANCHORS[style.given.get("text-anchor", "start")]
        colour = self.colour(style.given["fill"], style.opacity)
        if colour:
            self.pen(colour).text((x, y), element.text or "", colour, font, anchor)

    def _shape(self, element: Element, style: Style, found: tuple[tuple[Outline, bool], ...], is_line: bool) -> None:
        shapes = [(moved(style.matrix, outline), inside) for outline, inside in found]
        fill = self.colour(style.given["fill"], style.opacity * float(element.get("fill-opacity", "1")))
        stroke = self.colour(style.given["stroke"], style.opacity * float(element.get("stroke-opacity", "1")))
        if fill:
            self._fill(shapes, fill)
        if stroke:
            a, b, c, d, _e, _f = style.matrix
            width = round(float(style.given.get("stroke-width", "1")) * abs(a * d - b * c) ** 0.5)
            for shape, _inside in shapes:
                ends = shape if is_line else [*shape, *shape[:2]]
                self.pen(stroke).line(ends, stroke, max(1, width), joint="curve")

    def pen(self, colour: Colour) -> ImageDraw.ImageDraw:
        """Return what draws in a colour: what is under one that lets something through is looked at."""
        return self.pens[colour[3] == OPAQUE]

    def _fill(self, shapes: list[tuple[list[Point], bool]], fill: Colour) -> None:
        if len(shapes) == 1:
            if len(shapes[0][0]) > 1:
                self.pen(fill).polygon(shapes[0][0], fill)
            return
        corners = [point for shape, _inside in shapes for point in shape]
        left, top = (int(min(point[axis] for point in corners)) for axis in (0, 1))
        right, bottom = (int(max(point[axis] for point in corners)) + 2 for axis in (0, 1))
        mask = Image.new("L", (right - left, bottom - top))
        pen = ImageDraw.Draw(mask)
        for shape, inside in shapes:
            pen.polygon([(x - left, y - top) for x, y in shape], fill[3] if inside else 0)
        self.image.paste(fill[:3], (left, top), mask)

    def colour(self, given: str, opacity: float) -> Colour | None:
        """Return a colour with what it lets through; None for none."""
        if given == "none":
            return None
        red, green, blue, alpha = self.gradients[given[5:-1]] if given.startswith("url(#") else _colour(given)
        return red, green, blue, round(alpha * opacity)


def png_of(svg: bytes) -> bytes:
    """Return an SVG of the site as PNG, in the size that it says."""
    root = ElementTree.fromstring(svg)  # noqa: S314 (drawn by our templates, with what people wrote escaped)
    drawing, said = Drawing(root), BytesIO()
    drawing.image.reduce(DRAWN).save(said, "PNG")
    return said.getvalue()


@lru_cache(500)
def _colour(given: str) -> Colour:
    red, green, blue, *rest = ImageColor.getrgb(given)
    return red, green, blue, rest[0] if rest else OPAQUE


def _mean(gradient: Element) -> Colour:
    """Return the mean of a gradient's colours."""
    stops = [stop for stop in gradient if stop.tag == f"{NAMES}stop"]
    parts = [
        (*_colour(stop.get("stop-color", "black"))[:3], 255 * float(stop.get("stop-opacity", "1"))) for stop in stops
    ]
    red, green, blue, alpha = (round(sum(part[index] for part in parts) / len(parts)) for index in range(4))
    return red, green, blue, alpha


def _placed(element: Element, picture: Element, style: Style) -> Style:
    """Return the style of what is in a picture within the picture: moved into its element by the `viewBox`, if any."""
    if "viewBox" not in picture.attrib:
        return style
    left, top, across, down = (float(number) for number in picture.get("viewBox", "").split())
    width, height = _number(element, "width"), _number(element, "height")
    scale = min(width / across, height / down)
    x = _number(element, "x") + (width - across * scale) / 2 - left * scale
    y = _number(element, "y") + (height - down * scale) / 2 - top * scale
    return replace(style, matrix=times(style.matrix, (scale, 0, 0, scale, x, y)))


def _number(element: Element, name: str) -> float:
    return float(element.get(name, "0"))


def _closed(outline: Outline) -> Shape:
    return ((outline, True),), False


def _rect(element: Element) -> Shape:
    x, y, width, height = (_number(element, name) for name in ("x", "y", "width", "height"))
    right, bottom = x + width, y + height
    radius = min(_number(element, "rx"), width / 2, height / 2)
    if not radius:
        return _closed(((x, y), (right, y), (right, bottom), (x, bottom)))
    round_ = svg_paths.ellipse(0, 0, radius, radius)  # from the right on, clockwise
    middles = (
        (right - radius, bottom - radius),
        (x + radius, bottom - radius),
        (x + radius, y + radius),
        (right - radius, y + radius),
    )
    quarters = [(middle, (*round_, round_[0])[12 * number : 12 * number + 13]) for number, middle in enumerate(middles)]
    return _closed(tuple((a + c, b + d) for (a, b), quarter in quarters for c, d in quarter))


def _circle(element: Element) -> Shape:
    across = _number(element, "r") or _number(element, "rx")
    down = _number(element, "r") or _number(element, "ry")
    return _closed(svg_paths.ellipse(_number(element, "cx"), _number(element, "cy"), across, down))


def _polygon(element: Element) -> Shape:
    numbers = [float(number) for number in element.get("points", "").replace(",", " ").split()]
    return _closed(tuple(zip(numbers[::2], numbers[1::2], strict=True)))


def _path(element: Element) -> Shape:
    return svg_paths.filled(element.get("d", "")), True


OUTLINES = {"rect": _rect, "circle": _circle, "ellipse": _circle, "polygon": _polygon, "path": _path}
