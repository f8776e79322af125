// Counts down the clocks that the server wrote, by the server's time, whatever this machine thinks the time is.
import * as Club from "../site/present.js";

const source = document.querySelector("[data-now]");
const [day, days] = source.dataset.day.split("|");
const evenly = () => performance.timeOrigin + performance.now(); // though it may stand still while the machine sleeps
const opening = performance.getEntriesByType("navigation")[0]?.responseStart ?? 0;
let ahead = Number(source.dataset.now) - (performance.timeOrigin + opening) + (evenly() - Date.now());
let apart = Date.now() - evenly();

function span(ms) {
  let seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds > 3540) seconds += 59; // as the server says it: "3 days", not "2 days 23 h"
  const [d, h, m] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (d) return `${d} ${d === 1 ? day : days}${h ? ` ${h} h` : ""}`;
  return h ? `${h} h ${m} min` : `${m}:${String(seconds % 60).padStart(2, "0")}`;
}

// The machine has slept, or somebody has set its clock: which of the two, only the server knows.
function hasLeapt() {
  const before = apart;
  apart = Date.now() - evenly();
  return Math.abs(apart - before) > 1000;
}

function tick() {
  if (hasLeapt()) Club.ask("/present/").catch(() => {});
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const words = span(Number(clock.dataset.deadline) - ahead - Date.now());
    if (clock.textContent !== words) clock.textContent = words;
  }
}

// An answer that took longer shows the server's time too early: the best of them is believed.
document.addEventListener("server-time", ({ detail }) => {
  const now = detail - Date.now();
  if (now > ahead || now < ahead - 1000) ahead = now;
  tick();
});
setInterval(tick, 100); // a race is counted by the second, on every screen at the same time
tick();
