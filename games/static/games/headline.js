// The tab's title says the headline, a refusal below it can be closed, the log stays at its end, lines come one by one;
// why one is asked is told on the spot.

const source = document.querySelector("[data-close]");
const headline = () => document.getElementById("headline");
const waiting = () => document.getElementById("waiting"); // what waits, on the page that lists it
const roll = () => document.querySelector(".happened > .roll");
let atEnd = true; // of the log, unless one has scrolled up in it

function entitle() {
  const [, count = "", rest] = /^(\(\d+\) )?(.*)$/.exec(document.title);
  const said = (headline() ?? waiting())?.textContent.trim();
  if (said) document.title = [count + said, ...rest.split(" · ").slice(headline() ? -2 : -1)].join(" · ");
}

function closable(note) {
  if (!source || note.querySelector("[type=button]")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "×";
  button.setAttribute("aria-label", source.dataset.close);
  button.addEventListener("click", () => {
    note.remove();
    headline()?.closest("h1").focus({ preventScroll: true });
  });
  note.append(button);
}

// Several lines at once of what just happened; a tap or the focus tells them all.
const PACE = 900; // ms
const still = matchMedia("(prefers-reduced-motion: reduce)");
let told = { lines: [], from: 0, at: 0 }; // from which on they were new, and when


function tell() {
  const lines = [...document.querySelectorAll(":is(.told, .strip) :is(p, ul)")];
  const said = told.lines[Math.min(told.lines.length - 1, told.from + Math.floor((performance.now() - told.at) / PACE))];
  const from = lines.findLastIndex((line) => line.textContent === said?.textContent) + 1 || lines.length;
  told = { lines, from, at: performance.now() };
  if (still.matches || lines.length - from < 2) return;
  lines.slice(from).forEach(async (line, i) => {
    await line.animate({ visibility: ["hidden", "hidden"] }, i * PACE).finished.catch(() => {});
    const box = line.closest(".told, .strip");
    if (box) box.scrollTop += line.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
  });
}

for (const kind of ["click", "focusin"]) {
  document.addEventListener(kind, ({ target }) => {
    const box = target.closest?.(".told, .strip");
    if (!box) return;
    told.at = -Infinity;
    for (const animation of box.getAnimations({ subtree: true })) animation.finish();
  });
}

function settled() {
  entitle();
  tell();
  document.querySelectorAll("#table .refusal").forEach(closable);
  if (atEnd) roll()?.scrollTo(0, roll().scrollHeight);
}

document.addEventListener("settled", settled);
document.addEventListener(
  "scroll",
  ({ target }) => {
    if (target === roll()) atEnd = target.scrollHeight - target.scrollTop - target.clientHeight < 40;
  },
  { capture: true, passive: true },
);
settled();

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#ask-why");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  import("./why.js").then(({ toggle }) => toggle()).catch(() => location.assign(link.href));
});

// A narrow page opens at what is asked: all that answers it fits below.
if (!location.hash && !scrollY && innerWidth < 900 && document.querySelector("#table[data-status=running]")) scrollTo(0, document.querySelector(".head").offsetTop);
