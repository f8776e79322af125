"""Draw config/static/site/card.png, which other sites show beside a link to this one, 1200 by 630 pixels.

python -m docs.drawings.card
"""

import json
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
TO = ROOT / "config" / "static" / "site" / "card.png"
FONT = ROOT / "config" / "static" / "site" / "fonts" / "bricolage-grotesque-latin-700-5.3.0.woff2"
BROWSER = "/usr/bin/chromium-headless-shell"
PIPS = {
    1: [(0, 0)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}
TURNS = (-9, 6, -4, 8, -6)


def die(face: int, turn: int, x: int, colours: dict[str, list[str]]) -> str:
    """Return a die of a game's colour as SVG."""
    dots = "".join(f'<circle cx="{dx * 40}" cy="{dy * 40}" r="15"/>' for dx, dy in PIPS[face])
    return (
        f'<g transform="translate({x} 430) rotate({turn})"><rect x="-82" y="-72" width="164" height="164" rx="38" '
        f'fill="{colours["edge"][0]}"/><rect x="-82" y="-82" width="164" height="164" rx="38" '
        f'fill="{colours["fill"][0]}"/><g fill="{colours["on"][0]}">{dots}</g></g>'
    )


def page() -> str:
    """Return the card as a page."""
    games = sorted((ROOT / "games" / "rules").glob("*/colours.json"))
    colours = [json.loads(path.read_text()) for path in games]
    row = zip(PIPS, TURNS, range(180, 1200, 210), colours, strict=True)
    dice = "".join(die(face, turn, x, colour) for face, turn, x, colour in row)
    return f"""<style>@font-face {{ font-family: B; src: url("{FONT.as_uri()}"); }} body {{ margin: 0; }}</style>
    <svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><rect width="1200" height="630" fill="#faf6ef"/>
    <text x="90" y="190" font-family="B" font-size="150" fill="#221c35">Club Y</text>
    <text x="94" y="262" font-family="B" font-size="44" fill="#5d5672">Five table games, a move at a time</text>
    {dice}</svg>"""


def main() -> None:
    """Draw it."""
    drawn = ROOT / "var" / "card.html"
    drawn.parent.mkdir(exist_ok=True)
    drawn.write_text(page())
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER)
        tab = browser.new_page(viewport={"width": 1200, "height": 630})
        tab.goto(drawn.as_uri())
        tab.evaluate("document.fonts.ready")
        tab.screenshot(path=TO)
        browser.close()
    drawn.unlink()


if __name__ == "__main__":
    main()
