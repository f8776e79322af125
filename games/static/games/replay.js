// Steps through a replay without a reload, and plays it by itself. Without this script each step is a page, and the
// slider a form.
import * as Club from "../site/present.js";
import { morph } from "./live.js";

const PACE = 1400; // ms that a move is shown at normal speed
const byId = (id) => document.getElementById(id);
const [form, slider, button, speed] = ["scrub", "slider", "play", "speed"].map(byId);
const base = form.getAttribute("action");
const shown = () => Number(byId("steps").dataset.step);
const last = Number(byId("steps").dataset.turns);

let wanted = shown(); // of several steps that were asked for the last one counts
let ahead = {}; // the step that is fetched while the one before it is looked at
let playing = 0; // which run of the player goes on; 0: none

function page(step) {
  if (ahead.step !== step) ahead = { step, html: Club.look(`${base}${step}/`).then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.status)))) };
  return ahead.html;
}

async function go(step) {
  wanted = step;
  try {
    const html = await page(step);
    if (wanted === step) show(html, step);
  } catch {
    Club.leave(`${base}${step}/`);
  }
}

function show(html, step) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  for (const id of ["steps", "table"]) morph(byId(id), fresh.getElementById(id));
  document.title = fresh.title;
  slider.value = slider.defaultValue = step;
  history.replaceState(null, "", `${base}${step}/`);
  if (!playing) byId("told").textContent = [...document.querySelectorAll("#table h1, .happened .log p")].map((line) => line.textContent.trim()).join(". ");
}

const seconds = (ms) => new Promise((done) => setTimeout(done, ms));

async function play() {
  const run = (playing = Date.now());
  tell();
  if (shown() === last) await go(0);
  while (playing === run && shown() < last) {
    const next = shown() + 1;
    page(next).catch(() => {});
    await seconds(PACE / Number(speed.value));
    if (playing === run) await go(next);
  }
  if (playing === run) stop();
}

function stop() {
  playing = 0;
  tell();
}

function tell() {
  button.setAttribute("aria-pressed", String(Boolean(playing)));
  button.setAttribute("aria-label", playing ? button.dataset.pause : button.dataset.play);
}

button.addEventListener("click", () => (playing ? stop() : play()));
slider.addEventListener("input", () => {
  stop();
  go(Number(slider.value));
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  go(Number(slider.value));
});
document.addEventListener("click", (event) => {
  const way = event.target.closest?.("#steps a");
  if (!way || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  go(Number(way.pathname.split("/").at(-2)));
});

for (const part of [button, speed]) part.hidden = false;
byId("go").hidden = true;
