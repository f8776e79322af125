// ¥€$: cash rolls to its new sum, the table of countries is sorted, the card of a place is closed. Without this
// script everything can be played; the sums are just there, and the table keeps the deck's order.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const calm = () => still.matches || document.documentElement.dataset.motion === "reduced";
const ROLLING = 640; // ms
const CLEAR = 24; // px between a place with its price and the card about it

// ——— Cash

const known = new Map();
const written = (amount) => amount.toLocaleString(document.documentElement.lang);

function rollTo(id, from, to, start) {
  const node = document.getElementById(id);
  if (!node || Number(node.dataset.amount) !== to) return;
  const share = Math.min(1, (performance.now() - start) / ROLLING);
  const eased = 1 - (1 - share) ** 3;
  node.textContent = written(share === 1 ? to : Math.round((from + (to - from) * eased) / 10000) * 10000);
  if (share < 1) requestAnimationFrame(() => rollTo(id, from, to, start));
}

function cash() {
  for (const node of document.querySelectorAll(".cash[data-amount]")) {
    const [before, now] = [known.get(node.id), Number(node.dataset.amount)];
    known.set(node.id, now);
    if (before !== undefined && before !== now && !calm()) rollTo(node.id, before, now, performance.now());
  }
}

// ——— The table

let order = { by: "at", down: false };

function sort() {
  const table = document.getElementById("lt");
  if (!table) return;
  const rows = [...table.tBodies];
  const value = (row) => (/^-?\d+$/.test(row.dataset[order.by]) ? Number(row.dataset[order.by]) : row.dataset[order.by]);
  const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, document.documentElement.lang));
  const sorted = [...rows].sort((a, b) => compare(value(a), value(b)) * (order.down ? -1 : 1) || a.dataset.at - b.dataset.at);
  if (sorted.some((row, i) => row !== rows[i])) table.append(...sorted);
  for (const button of table.querySelectorAll("[data-sort]")) {
    const mine = button.dataset.sort === order.by;
    button.closest("th").setAttribute("aria-sort", mine ? (order.down ? "descending" : "ascending") : "none");
  }
}

document.addEventListener("click", (event) => {
  const by = event.target.closest?.("[data-sort]")?.dataset.sort;
  if (!by) return;
  if (order.by === by && order.down) order = { by: "at", down: false };
  else order = { by, down: order.by === by };
  sort();
});

// ——— A place's card: closed by Escape, by its button, by a choice on it, or by a press beside it

document.addEventListener("click", (event) => {
  const open = document.querySelector(".place[open]");
  if (!open) return;
  if (event.target.closest?.("[data-close]")) open.querySelector("summary").focus({ preventScroll: true });
  else if (event.target.closest?.(".place, .lands-table") && !event.target.closest(".deal label")) return;
  open.open = false;
});

// On a phone the card lies over the foot of the page: what it is about must not lie below it.
document.addEventListener("toggle", ({ target }) => {
  if (!target.matches?.(".place") || !target.open) return;
  const [place, card] = [target.querySelector("summary"), target.querySelector(".deal")].map((part) => part.getBoundingClientRect());
  const apart = card.right < place.left || card.left > place.right;
  if (!apart && card.top < place.bottom + CLEAR && place.top < card.bottom) scrollBy({ top: place.bottom + CLEAR - card.top });
}, true);

document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && document.querySelector(".place[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});

function settled() {
  cash();
  sort();
}

document.addEventListener("settled", settled);
settled();
