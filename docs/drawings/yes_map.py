"""Draws the map of ¥€$ from Natural Earth's outlines.

Run as `python docs/drawings/yes_map.py countries-110m.json`.
The outlines are those of npm's `world-atlas` 2.0.2 (Natural Earth 4.1, public domain) in TopoJSON. Every
continent is stretched by its own grid, so that thirty places keep a thumb's distance where Europe or Central
America would crowd. Writes the land as SVG paths and where the places are as CSS, among its static files.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from typing import Any

STATIC = Path(__file__).resolve().parents[2] / "games/rules/yes/static/games/yes"
WIDTH, HEIGHT = 760, 660
FINEST = 2.5  # what bends less than this is drawn straight
SMALLEST = 60.0  # the area below which an island is left out
APART = 44.6 * WIDTH / 374  # between two places: a thumb's 44 px where the map is 374 px wide
PULLED, PUSHED = 18_000, 2_000  # how often places are drawn back to where they belong, and pushed apart after that

Point = tuple[float, float]
Knots = tuple[tuple[float, float], ...]

# Longitudes and latitudes, and where on the map they lie; between two of them evenly.
GRIDS: dict[str, tuple[Knots, Knots]] = {
    "north_america": (
        ((-169, 6), (-125, 40), (-105, 66), (-98, 96), (-90, 136), (-80, 208), (-60, 246), (-52, 258)),
        ((84, 8), (75, 26), (58, 74), (39, 160), (24, 236), (15.5, 292), (8, 336), (6, 344)),
    ),
    "south_america": (
        ((-82, 84), (-78.5, 104), (-75, 136), (-73.5, 160), (-70, 196), (-66, 240), (-53, 256), (-34, 286)),
        ((13, 362), (7, 390), (3, 412), (-1.5, 450), (-9.5, 514), (-35, 596), (-56, 652)),
    ),
    "europe": (
        ((-25, 252), (-10, 266), (-2, 290), (2.5, 308), (10, 370), (19.5, 452), (30, 474), (58.1, 520)),
        ((72, 8), (62, 46), (53.5, 96), (51, 138), (46.5, 186), (43, 220), (34, 256)),
    ),
    "africa": (
        ((-18, 308), (-14, 330), (-7, 350), (8, 408), (24, 446), (30, 466), (38, 498), (52, 530)),
        ((38, 274), (32, 306), (27, 330), (14.5, 390), (9.5, 416), (0, 464), (-29, 578), (-36, 616)),
    ),
    "asia_oceania": (
        (
            (25, 486),
            (45, 548),
            (58, 568),
            (79, 622),
            (98, 642),
            (120, 674),
            (138, 714),
            (146, 724),
            (192, 754),
        ),
        ((78, 10), (55, 96), (40, 152), (35, 186), (25, 254), (21, 320), (0, 436), (-25, 552), (-48, 650)),
    ),
}

PLACES: dict[str, tuple[str, str, float, float]] = {
    "canada": ("north_america", "Canada", -106, 57),
    "guatemala": ("north_america", "Guatemala", -90.3, 15.5),
    "mexico": ("north_america", "Mexico", -102.5, 23.5),
    "bahamas": ("north_america", "Bahamas", -77.5, 24.5),
    "panama": ("north_america", "Panama", -80.5, 9.2),
    "united_states": ("north_america", "United States of America", -99, 39.5),
    "argentina": ("south_america", "Argentina", -66, -35),
    "venezuela": ("south_america", "Venezuela", -64, 5.4),
    "colombia": ("south_america", "Colombia", -73.6, 4.6),
    "brazil": ("south_america", "Brazil", -52, -9.5),
    "peru": ("south_america", "Peru", -74.6, -11.5),
    "ecuador": ("south_america", "Ecuador", -79.5, -2),
    "poland": ("europe", "Poland", 19.5, 52.2),
    "germany": ("europe", "Germany", 10, 51),
    "italy": ("europe", "Italy", 12.5, 43),
    "united_kingdom": ("europe", "United Kingdom", -2, 53.5),
    "france": ("europe", "France", 2.5, 46.5),
    "sweden": ("europe", "Sweden", 15, 62),
    "kenya": ("africa", "Kenya", 38, 0.5),
    "morocco": ("africa", "Morocco", -6.5, 32),
    "egypt": ("africa", "Egypt", 29.5, 27),
    "senegal": ("africa", "Senegal", -14.5, 14.5),
    "south_africa": ("africa", "South Africa", 24, -29),
    "nigeria": ("africa", "Nigeria", 8, 9.5),
    "india": ("asia_oceania", "India", 79, 21),
    "china": ("asia_oceania", "China", 96, 33.5),
    "indonesia": ("asia_oceania", "Indonesia", 113, -1),
    "australia": ("asia_oceania", "Australia", 134, -25),
    "saudi_arabia": ("asia_oceania", "Saudi Arabia", 45, 24.5),
    "japan": ("asia_oceania", "Japan", 139, 37.5),
}

RUSSIA, URALS = "Russia", 58.0  # of which each continent has its part
LANDS: dict[str, str] = {
    "north_america": "Canada|United States of America|Mexico|Guatemala|Belize|Honduras|El Salvador|Nicaragua|"
    "Costa Rica|Panama|Cuba|Haiti|Dominican Rep.|Jamaica|Bahamas|Puerto Rico",
    "south_america": "Colombia|Venezuela|Guyana|Suriname|Brazil|Ecuador|Peru|Bolivia|Chile|Argentina|"
    "Paraguay|Uruguay|Falkland Is.|Trinidad and Tobago",
    "europe": "Iceland|Ireland|United Kingdom|Portugal|Spain|France|Belgium|Netherlands|Luxembourg|Germany|"
    "Denmark|Norway|Sweden|Finland|Estonia|Latvia|Lithuania|Poland|Belarus|Ukraine|Moldova|Romania|Bulgaria|"
    "Greece|Albania|Macedonia|Kosovo|Serbia|Montenegro|Bosnia and Herz.|Croatia|Slovenia|Austria|Switzerland|"
    "Italy|Hungary|Slovakia|Czechia",
    "africa": "Morocco|W. Sahara|Algeria|Tunisia|Libya|Egypt|Mauritania|Mali|Niger|Chad|Sudan|S. Sudan|"
    "Eritrea|Ethiopia|Djibouti|Somalia|Somaliland|Kenya|Uganda|Rwanda|Burundi|Tanzania|Senegal|Gambia|"
    "Guinea-Bissau|Guinea|Sierra Leone|Liberia|Côte d'Ivoire|Ghana|Togo|Benin|Burkina Faso|Nigeria|"
    "Cameroon|Eq. Guinea|Gabon|Congo|Dem. Rep. Congo|Central African Rep.|Angola|Zambia|Malawi|Mozambique|"
    "Zimbabwe|Botswana|Namibia|South Africa|Lesotho|eSwatini|Madagascar",
    "asia_oceania": "Turkey|Cyprus|N. Cyprus|Syria|Lebanon|Israel|Palestine|Jordan|Iraq|Iran|Kuwait|"
    "Saudi Arabia|Qatar|United Arab Emirates|Oman|Yemen|Georgia|Armenia|Azerbaijan|Kazakhstan|Uzbekistan|"
    "Turkmenistan|Kyrgyzstan|Tajikistan|Afghanistan|Pakistan|India|Nepal|Bhutan|Bangladesh|Sri Lanka|Myanmar|"
    "Thailand|Laos|Vietnam|Cambodia|Malaysia|Brunei|Indonesia|Timor-Leste|Philippines|Taiwan|China|Mongolia|"
    "North Korea|South Korea|Japan|Papua New Guinea|Australia|New Zealand|Solomon Is.|New Caledonia|Vanuatu",
}


class Atlas:
    """The countries of a TopoJSON file: rings made of arcs that neighbours share."""

    def __init__(self, topology: dict[str, Any]) -> None:
        (kx, ky), (dx, dy) = topology["transform"]["scale"], topology["transform"]["translate"]
        self.arcs: list[list[Point]] = []
        for arc in topology["arcs"]:
            x = y = 0
            points = []
            for step_x, step_y in arc:
                x, y = x + step_x, y + step_y
                points.append((x * kx + dx, y * ky + dy))
            self.arcs.append(points)
        geometries = topology["objects"]["countries"]["geometries"]
        self.rings = {shape["properties"]["name"]: _rings(shape) for shape in geometries}

    def _points(self, arc: int) -> list[Point]:
        return self.arcs[arc] if arc >= 0 else self.arcs[~arc][::-1]

    def outlines(self, names: Iterable[str]) -> list[list[Point]]:
        """Return the closed outlines of these countries together: arcs that only one of them has, joined."""
        used = [arc for name in names for ring in self.rings[name] for arc in ring]
        times = Counter(arc if arc >= 0 else ~arc for arc in used)
        loose = [self._points(arc) for arc in used if times[arc if arc >= 0 else ~arc] == 1]
        starts: dict[Point, list[list[Point]]] = {}
        for points in loose:
            starts.setdefault(points[0], []).append(points)
        closed = []
        while starts:
            ring = list(_take(starts, next(iter(starts))))
            while ring[-1] != ring[0]:
                ring += _take(starts, ring[-1])[1:]
            closed.append(ring)
        return closed


def _rings(shape: dict[str, Any]) -> list[list[int]]:
    """Return all rings of a country, holes too, as lists of arc numbers."""
    parts = [shape["arcs"]] if shape["type"] == "Polygon" else shape["arcs"]
    return [ring for part in parts for ring in part]


def _take(starts: dict[Point, list[list[Point]]], point: Point) -> list[Point]:
    points = starts[point].pop()
    if not starts[point]:
        del starts[point]
    return points


def clipped(ring: list[Point], edge: float, *, keep_west: bool) -> list[Point]:
    """Return the part of a ring on one side of a meridian (Sutherland and Hodgman)."""
    kept: list[Point] = []
    for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
        inside, goes_inside = (x0 <= edge) == keep_west, (x1 <= edge) == keep_west
        if inside:
            kept.append((x0, y0))
        if inside != goes_inside:
            kept.append((edge, y0 + (y1 - y0) * (edge - x0) / (x1 - x0)))
    return kept


def along(knots: Knots, value: float) -> float:
    """Return where a degree lies between its knots; beyond the last ones, at the last."""
    pairs = sorted(knots)
    value = min(max(value, pairs[0][0]), pairs[-1][0])
    for (a, at_a), (b, at_b) in pairwise(pairs):
        if value <= b:
            return at_a + (at_b - at_a) * (value - a) / (b - a)
    return pairs[-1][1]


def on_map(continent: str, lon: float, lat: float) -> Point:
    """Return where a point of a continent lies on the map."""
    across, down = GRIDS[continent]
    return along(across, lon), along(down, lat)


def simplified(points: list[Point]) -> list[Point]:
    """Return the line without the points that it hardly bends at (Ramer, Douglas and Peucker)."""
    if len(points) < 3:
        return points
    (x0, y0), (x1, y1) = points[0], points[-1]
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    far, at = 0.0, 0
    for number, (x, y) in enumerate(points[1:-1], 1):
        off = abs((x1 - x0) * (y0 - y) - (x0 - x) * (y1 - y0)) / length if length else abs(x - x0) + abs(y - y0)
        if off > far:
            far, at = off, number
    if far <= FINEST:
        return [points[0], points[-1]]
    return simplified(points[: at + 1])[:-1] + simplified(points[at:])


def area(ring: list[Point]) -> float:
    """Return the area that a ring encloses."""
    pairs = zip(ring, [*ring[1:], ring[0]], strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)) / 2


def fits(continent: str, ring: list[Point]) -> bool:
    """Return whether a ring lies within the continent's grid; what lies beyond would be flattened."""
    across, down = (sorted(knots) for knots in GRIDS[continent])
    if not ring:
        return False
    lons, lats = [lon for lon, _lat in ring], [lat for _lon, lat in ring]
    inside = across[0][0] <= min(lons) and max(lons) <= across[-1][0]
    return inside and down[0][0] <= min(lats) and max(lats) <= down[-1][0]


def drawn(continent: str, rings: Iterable[list[Point]]) -> str:
    """Return the path of these rings on the map, in whole units, its corners rounded."""
    path = []
    for ring in rings:
        points = simplified([on_map(continent, lon, lat) for lon, lat in ring]) if fits(continent, ring) else []
        if len(points) < 4 or area(points) < SMALLEST:
            continue
        corners = [(round(x), round(y)) for x, y in points[:-1]]
        x, y = ((a + b) // 2 for a, b in zip(corners[-1], corners[0], strict=True))
        path.append(f"M{x} {y}q")
        for corner, following in zip(corners, [*corners[1:], corners[0]], strict=True):
            to_x, to_y = ((a + b) // 2 for a, b in zip(corner, following, strict=True))
            path.append(f" {corner[0] - x} {corner[1] - y} {to_x - x} {to_y - y}")
            x, y = to_x, to_y
        path.append("z")
    return "".join(path).replace("q ", "q").replace(" -", "-")


def lands(atlas: Atlas, continent: str) -> list[list[Point]]:
    """Return the outlines of a continent's land, with its part of Russia."""
    found = atlas.outlines(LANDS[continent].split("|"))
    if continent in ("europe", "asia_oceania"):
        for ring in atlas.outlines([RUSSIA]):
            whole = [(lon + 360 if lon < -100 else lon, lat) for lon, lat in ring]  # Chukotka is east of 180
            part = clipped(whole, URALS, keep_west=continent == "europe")
            found.append([*part, *part[:1]])
    return found


def spread(places: dict[str, Point]) -> dict[str, Point]:
    """Push places apart until a thumb tells them, each as near to where it belongs as can be."""
    found = {name: list(place) for name, place in places.items()}
    for step in range(PULLED + PUSHED):
        for one, other in combinations(found.values(), 2):
            _part(one, other)
        pull = max(0.0, 0.02 * (1 - step / PULLED))
        for name, place in found.items():
            for axis, most in enumerate((WIDTH, HEIGHT - 16)):
                place[axis] += (places[name][axis] - place[axis]) * pull
                place[axis] = min(max(place[axis], APART / 2), most - APART / 2)
    return {name: (x, y) for name, (x, y) in found.items()}


def _part(one: list[float], other: list[float]) -> None:
    far = dist(one, other)
    if far < APART:
        for axis in (0, 1):
            push = (other[axis] - one[axis]) / far * ((APART - far) / 2 + 0.01)
            one[axis] -= push
            other[axis] += push


def main(source: Path) -> None:
    """Write the land and the places."""
    atlas = Atlas(json.loads(source.read_text()))
    symbols = []
    for continent in LANDS:
        own = [name for place, name, _lon, _lat in PLACES.values() if place == continent]
        rings = [ring for name in own for ring in atlas.outlines([name])]
        symbols.append(f'<path id="{continent}" d="{drawn(continent, lands(atlas, continent))}"/>')
        symbols.append(f'<path id="{continent}-own" d="{drawn(continent, rings)}"/>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
    (STATIC / "map.svg").write_text(f"{head}<defs>\n" + "\n".join(symbols) + "\n</defs></svg>\n")
    rules = ["/* Where the thirty places of ¥€$ are on its map. Written by docs/drawings/yes_map.py. */"]
    ideal = {place: on_map(continent, lon, lat) for place, (continent, _name, lon, lat) in PLACES.items()}
    for place, (x, y) in spread(ideal).items():
        rules.append(f".at-{place} {{ left: {x * 100 / WIDTH:.2f}%; top: {y * 100 / HEIGHT:.2f}%; }}")
    (STATIC / "map.css").write_text("\n".join(rules) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
