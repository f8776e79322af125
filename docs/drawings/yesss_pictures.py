"""Takes the 120 pictures of YESSS! out of Noto Emoji, a file each; was run once, its result is kept.

`npm pack @iconify-json/noto@1.2.9`, unpacked, then
`python docs/drawings/yesss_pictures.py package/icons.json games/rules/yesss/static/games/yesss/pictures`.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

SIZE = 128
DRAWN_WITH = re.compile(r"</?(circle|defs|ellipse|g|linearGradient|path|radialGradient|stop|use)[\s/>]")
REACHES_OUT = re.compile(r"[\s:]href=\"(?!#)|url\((?!#)|\son\w+=")

ICONS = """
    honeybee butterfly snail turtle snake crocodile elephant t-rex penguin owl rooster parrot
    shark octopus dove feather rabbit ewe cat dog horse bicycle spider bone cactus sunflower
    mushroom four-leaf-clover evergreen-tree desert-island snow-capped-mountain volcano
    cloud-with-lightning umbrella-with-rain-drops rainbow snowflake crescent-moon ringed-planet
    shooting-star rocket fire candle water-wave sailboat banana red-apple hot-pepper salt
    cheese-wedge pizza egg baby-bottle ice-cream birthday-cake wine-glass hot-beverage bed
    bathtub mirror glasses chair ladder door castle broom top-hat hammer scissors magnet bomb
    light-bulb vertical-traffic-light locked old-key chains anchor alarm-clock hourglass-done
    crown ring high-heeled-shoe footprints wrapped-gift teddy-bear balloon kite game-die
    puzzle-piece trophy bullseye boxing-glove crossed-swords guitar drum microphone telephone
    camera television open-book envelope pencil world-map telescope eye syringe tooth money-bag
    gem-stone balance-scale compass automobile locomotive airplane parachute tent circus-tent
    bridge-at-night factory brain skull
"""
"""The icon of each picture, in the order of their numbers (spec: yesss-pictures.md, The list)."""


def drawing(icons: dict[str, Any], name: str) -> str:
    """An icon of an Iconify set as a file of its own. ValueError if it does anything but draw."""
    body = str(icons["icons"][name]["body"])
    if len(DRAWN_WITH.findall(body)) != body.count("<") or REACHES_OUT.search(body):
        raise ValueError(f"{name}: not a mere drawing")
    box = f"{icons.get('left', 0)} {icons.get('top', 0)} {icons.get('width', SIZE)} {icons.get('height', SIZE)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{body}</svg>\n'


def write_drawings(source: Path, target: Path) -> None:
    """Write the file of each picture, named by its number, into the folder."""
    icons = json.loads(source.read_text(encoding="utf-8"))
    target.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(ICONS.split()):
        (target / f"{number}.svg").write_text(drawing(icons, name), encoding="utf-8")


if __name__ == "__main__":
    write_drawings(Path(sys.argv[1]), Path(sys.argv[2]))
