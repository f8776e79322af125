// Counts down the clocks that the server wrote, by the server's time, whatever this machine thinks the time is.

const source = document.querySelector("[data-now]");
const mine = () => performance.timeOrigin + performance.now(); // goes on evenly, even when somebody sets the clock
const [day, days] = source.dataset.day.split("|");
const opening = performance.getEntriesByType("navigation")[0]?.responseStart ?? 0;
let ahead = Number(source.dataset.now) - (performance.timeOrigin + opening);

function span(ms) {
  let seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds > 3540) seconds += 59; // as the server says it: "3 days", not "2 days 23 h"
  const [d, h, m] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (d) return `${d} ${d === 1 ? day : days}${h ? ` ${h} h` : ""}`;
  return h ? `${h} h ${m} min` : `${m}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const words = span(Number(clock.dataset.deadline) - ahead - mine());
    if (clock.textContent !== words) clock.textContent = words;
  }
}

document.addEventListener("server-time", (event) => {
  if (event.detail) ahead = event.detail - mine();
  tick();
});
setInterval(tick, 100); // a race is counted by the second, on every screen at the same time
tick();
