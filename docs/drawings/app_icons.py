"""Draw the icons of the installed site from its logo, into config/static/site/icons: plain, to be cut, of one colour.

python -m docs.drawings.app_icons
"""

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

SITE = Path(__file__).resolve().parent.parent.parent / "config" / "static" / "site"
BROWSER = "/usr/bin/chromium-headless-shell"
LOGO = (SITE / "favicon.svg").read_text()
Y = re.findall(r'<path d="([^"]+)" fill="#faf6ef"/>', LOGO)[0]
INK, PAPER = "#221c35", "#faf6ef"
# Systems cut a maskable icon into any form: the letter stays within the circle of four fifths that they all leave.
MASKABLE = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="{INK}"/>'
    f'<path transform="rotate(-6 32 32)" d="{Y}" fill="{PAPER}"/></svg>'
)
# Of what stands beside a notification Android takes the form alone, and gives it a colour of its own.
BADGE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="10 10 44 44">'
    f'<path transform="rotate(-6 32 32)" d="{Y}" fill="#fff"/></svg>'
)
DRAWN = {
    "icon-192": (LOGO, 192),
    "icon-512": (LOGO, 512),
    "maskable-192": (MASKABLE, 192),
    "maskable-512": (MASKABLE, 512),
    "badge-96": (BADGE, 96),
}


def main() -> None:
    """Draw each, without a background."""
    (SITE / "icons").mkdir(exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER)
        for name, (svg, size) in DRAWN.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>{svg}")
            page.screenshot(path=SITE / "icons" / f"{name}.png", omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
