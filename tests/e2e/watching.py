"""How tests measure what moves on a match's page under its reader, and whether the question stays in view."""

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlencode

from playwright.sync_api import Browser, Page

from games.models import Match, Seat
from games.queries.play import seats_of
from tests.e2e.lines import Line
from tests.e2e.playing import wait_live, wait_version
from tests.factories import fresh, member, seated, session_of, state_of, submit
from tests.processes import off_loop

SIZES = {390: 844, 1280: 800}
MOVES = 30
KEPT = ("csrfmiddlewaretoken", "ask", "key", "since")

# Every shift counts, whether or not something was pressed just before.
WATCH = """
window.shifts = [];
const name = (node) => {
  const element = node?.nodeType === 1 ? node : node?.parentElement;
  if (!element) return "gone";
  const own = (one) => one.localName + (one.id ? "#" + one.id : "") + [...one.classList].map((c) => "." + c).join("");
  return (element.parentElement ? own(element.parentElement) + " > " : "") + own(element);
};
const place = (box) => [box.x, box.y, box.width, box.height].map(Math.round).join(" ");
const keep = (list) => list.forEach((entry) => window.shifts.push({
  value: entry.value,
  moved: entry.sources.map((one) => `${name(one.node)}: ${place(one.previousRect)} to ${place(one.currentRect)}`),
}));
window.shiftWatch = new PerformanceObserver((list) => keep(list.getEntries()));
window.shiftWatch.observe({ type: "layout-shift" });
window.takeShifts = async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  keep(window.shiftWatch.takeRecords());
  return window.shifts.splice(0);
};
"""

# The button that makes this move is brought into view, as a player would; then the form is sent, without a click.
SEND = """
async (move) => {
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const makes = (button) => Object.entries(JSON.parse(button.value)).every(([key, value]) => same(move[key], value));
  const real = [...document.querySelectorAll("#board button[name=move]:not(.hidden)")].find(makes);
  real?.scrollIntoView({ block: "nearest" });
  await window.takeShifts();
  const button = document.createElement("button");
  button.hidden = true;
  button.setAttribute("form", "board");
  document.body.append(button);
  document.getElementById("board").requestSubmit(button);
  button.remove();
}
"""

ASKED = """
() => {
  const box = document.getElementById("headline").getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight;
}
"""

# On a phone whose page has just been opened: what is too small to be pressed, and what lies outside the window. What
# answers from the board itself (a row of a sheet, a place on the map, one of several words) may lie further down: there
# the headline must not be left behind, else it stands `alone`. What scrolls in a box of its own counts by that box.
FITS = """
() => {
  const before = scrollY;
  scrollTo(0, document.querySelector(".match > .crumb").getBoundingClientRect().bottom + scrollY);
  const field = "input:not([type=hidden], [type=checkbox], [type=radio])";
  const pressed = `button:not(.hidden), summary, select, label:has(input), ${field}`;
  const all = [...document.querySelectorAll(`#board :is(${pressed})`)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1);
  const said = (one) => `${one.localName}.${one.className} "${one.textContent.trim().slice(0, 20)}"`;
  const bar = document.querySelector(".head").getBoundingClientRect();
  const box = (one) => (one.closest(".cards, .picker") ?? one).getBoundingClientRect();
  const own = all.filter((one) => !one.closest(".sheet, .world, .lands-table, .words"));
  const found = {
    asked: all.length,
    small: all.filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 44).map(said),
    out: own.filter((one) => box(one).bottom > innerHeight || box(one).top < bar.bottom).map(said),
    alone: all.filter((one) => {
      one.scrollIntoView({ block: "nearest" });
      const bar = document.querySelector(".head").getBoundingClientRect();
      return bar.top < 0 || bar.bottom > innerHeight;
    }).map(said),
  };
  scrollTo(0, before);
  return found;
}
"""


@dataclass
class Watched:
    """One page of a match, and what moved on it at which move."""

    page: Page
    width: int
    total: float = 0
    lines: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    unfit: list[str] = field(default_factory=list)

    def look(self, move: str) -> None:
        """Note what has moved since the last look, and whether the headline is in view."""
        for shift in self.page.evaluate("() => window.takeShifts()"):
            self.total += shift["value"]
            self.lines.append(f"{self.width} {move}: {shift['value']:.4f}  " + " | ".join(shift["moved"]))
        if not self.page.evaluate(ASKED):
            self.unseen.append(move)
        fits = self.page.evaluate(FITS) if self.width == min(SIZES) else {}
        self.unfit += [f"{move}: {found}" for name in ("small", "out", "alone") if (found := fits.get(name))]


def open_watched(browser: Browser, url: str, person, match: Match, width: int) -> Watched:
    """Open the match as this person sees it, so wide, with all its movements noted.

    Motion is reduced: no move waits for dice that fly.
    """
    context = browser.new_context(
        base_url=url, viewport={"width": width, "height": SIZES[width]}, reduced_motion="reduce"
    )
    context.add_cookies([{"name": n, "value": v, "url": url} for n, v in session_of(person).items()])
    page = context.new_page()
    page.line = Line(page)
    page.goto(f"/matches/{match.pk}/")
    wait_live(page)
    page.evaluate("() => document.fonts.ready")
    page.evaluate(WATCH)
    return Watched(page, width)


def send(page: Page, move: dict[str, Any]) -> None:
    """Make the move from the page: its form is posted by its own script, with this move in it."""

    def put(said: dict[str, Any]) -> None:
        if "form" in said:
            posted = dict(parse_qsl(said["form"]))
            kept = {name: posted[name] for name in KEPT if name in posted}
            said["form"] = urlencode(kept | {"move": json.dumps(move)})

    page.line.change = put
    page.evaluate(SEND, move)


def choose(match: Match, seat: Seat, rng: Random) -> dict[str, Any]:
    """Return what a strong bot would do in this seat."""
    view = match.game.view(state_of(match), seat.number)
    return match.game.bot("strong").choose(view, rng)


def play_watched(browser: Browser, url: str, slug: str, *, moves: int = MOVES, seed: int = 15) -> list[Watched]:
    """Play so many moves of a match of three; return the first player's pages, a narrow and a wide one."""
    rng = Random(seed)
    with off_loop():
        people = [member(name) for name in ("ann", "bob", "cem")]
        match = seated(*people, game_slug=slug)
    pages = [open_watched(browser, url, people[0], match, width) for width in SIZES]
    for number in range(1, moves + 1):
        with off_loop():
            match = fresh(match)
            owing = [seat for seat in seats_of(match) if seat.ask is not None]
            if not owing:
                break
            seat = rng.choice(owing)
            move = choose(match, seat, rng)
        if seat.user_id == people[0].pk:
            send(pages[number % 2].page, move)
        else:
            with off_loop():
                submit(match, seat, move, key=f"move-{number}")
        for watched in pages:
            wait_version(watched.page, match.version + 1, seconds=20)
        with off_loop():
            is_over = fresh(match).status == Match.Status.ENDED
        if is_over:  # of which the page tells in another layout
            break
        for watched in pages:
            watched.look(f"move {number}, {seat.user.username}: {json.dumps(move)}")
    return pages
