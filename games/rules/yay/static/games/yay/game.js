// YAY!: aim by pressing the board or with the arrow keys. Without this script each cell is a button that throws at
// its middle, and the aim can be typed. The server draws everything; this moves the sight and fills in the fields.

const NUDGE = 10;
const board = () => document.querySelector(".yb");
const again = () => document.querySelector(".again");
const aiming = () => board()?.dataset.aim === "now" || (board()?.dataset.aim === "again" && again()?.open);
const fields = () => ["x", "y"].map((axis) => document.querySelector(`[name="throw.int.${axis}"]`));
const spots = () => [...board().querySelectorAll(aiming() ? ".spot.aim" : ".spot:not(.aim)")];
const placeOf = (spot) => {
  const { x, y, row, col } = JSON.parse(spot.value);
  return row === undefined ? [x, y] : [col * 100 + 50, row * 100 + 50];
};
const aim = () => fields().map((field) => Number(field.value));

// The sight, the fields and the words on the button, all at one point.
function take(x, y) {
  const edge = Number(board().dataset.edge);
  const point = [x, y].map((at) => Math.round(Math.min(edge, Math.max(0, at))));
  fields().forEach((field, i) => (field.value = point[i]));
  showAim();
}

function showAim() {
  if (!fields()[0]) return;
  const edge = Number(board().dataset.edge);
  const point = aim();
  document.getElementById("sight").setAttribute("transform", `translate(${point[0]} ${point[1]})`);
  const [col, row] = point.map((at) => Math.min(edge / 100 - 1, Math.floor(at / 100)));
  for (const told of document.querySelectorAll(".yt [data-at]"))
    told.textContent = told.dataset.at.replace("@", "ABCDEFGH"[col] + (row + 1)).replace("#", percent(point));
}

// The chance in percent that a throw at a point beats the sum (odds.py); never told to be none or sure.
function percent(point) {
  const { edge, beats, bell } = board().dataset;
  if (!beats) return "";
  const below = (far) => [1, -4, 6, -4, 1].reduce((sum, way, k) => sum + way * Math.max(0, 2 + far / bell - k) ** 4, 0) / 24;
  const stays = point.reduce((all, at) => all * (below(edge - 0.5 - at) - below(-0.5 - at)), 1);
  const share = beats.split(" ").reduce((sum, beat, n) => sum + [1, 3, 3, 1][n] * stays ** n * (1 - stays) ** (3 - n) * beat, 0);
  return Math.min(99, Math.max(1, Math.round(100 * share)));
}

// While one's dice fly, nothing is pressed that one cannot have seen: a second Enter would write unseen.
const flying = () =>
  board()?.dataset.aim !== "now" && board()?.getAnimations({ subtree: true }).some((motion) => motion.animationName === "fly" && motion.playState === "running");

document.addEventListener("submit", (event) => {
  if (!flying()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// One of the cells that can be pressed is reached by Tab, the others from there by the arrow keys.
function rove(to) {
  const all = spots();
  const near = aiming() && fields()[0] ? nearest(all, aim()) : all[0];
  for (const spot of all) spot.tabIndex = spot === (to ?? near) ? 0 : -1;
  to?.focus();
}

const nearest = (all, [x, y]) => {
  const far = (spot) => placeOf(spot).reduce((sum, at, i) => sum + (at - [x, y][i]) ** 2, 0);
  return all.reduce((best, spot) => (far(spot) < far(best) ? spot : best), all[0]);
};

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The next cell in a direction: straight on if there is one, else the least aside.
function next(from, [right, down]) {
  const [x, y] = placeOf(from);
  const ways = spots().map((spot) => {
    const [dx, dy] = [placeOf(spot)[0] - x, placeOf(spot)[1] - y];
    return { spot, on: dx * right + dy * down, aside: Math.abs(dx * down) + Math.abs(dy * right) };
  });
  return ways.filter((way) => way.on > 0).sort((a, b) => a.on + 3 * a.aside - b.on - 3 * b.aside)[0]?.spot;
}

document.addEventListener("single-key", ({ detail }) => {
  if (detail === "a") board() && spots().find((spot) => spot.tabIndex === 0)?.focus();
  if (detail === "t" && again() && !again().open) again().open = true; // live.js has found no throw yet
});

document.addEventListener("keydown", (event) => {
  const spot = event.target.closest?.(".spot");
  const arrow = ARROWS[event.key];
  if (!spot || !arrow) return;
  event.preventDefault();
  if (event.shiftKey && aiming()) {
    const middle = placeOf(spot);
    return take(...aim().map((at, i) => Math.min(middle[i] + 50, Math.max(middle[i] - 50, at + NUDGE * arrow[i]))));
  }
  const to = next(spot, arrow);
  if (!to) return;
  rove(to);
  if (aiming()) take(...placeOf(to));
});

// A tap on a closed cell says which number closes it, where the line stands that says what grey means.
function tellClosed(cell) {
  const line = document.querySelector("[id^='closed-']");
  if (cell && line) line.textContent = cell.title;
}

document.addEventListener("click", (event) => {
  const drawn = event.target.closest?.(".yb");
  if (drawn && !aiming()) tellClosed(event.target.closest("td[title]"));
  if (!drawn || !aiming()) return;
  const spot = event.target.closest(".spot.aim");
  if (event.detail === 0) {
    if (!spot) return;
    // Pressed by a key or a screen reader: throw there at once, at the nudged point if the sight stands in this cell.
    const [x, y] = aim();
    const middle = placeOf(spot);
    if (Math.max(Math.abs(x - middle[0]), Math.abs(y - middle[1])) <= 50) spot.value = JSON.stringify({ type: "throw", x, y });
    return;
  }
  event.preventDefault();
  const svg = drawn.querySelector("svg");
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  take(point.x, point.y);
  rove();
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches?.(".spot.aim:focus-visible") && nearest(spots(), aim()) !== event.target) take(...placeOf(event.target));
});

document.addEventListener("input", (event) => event.target.name?.startsWith("throw.int.") && showAim());
document.addEventListener("toggle", (event) => event.target.matches?.(".again") && rove(), true);
document.addEventListener("settled", () => board() && (showAim(), rove()));
if (board()) {
  showAim();
  rove();
}
