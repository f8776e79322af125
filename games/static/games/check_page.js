// The button that checks a record: says what was found, lists every draw, and marks the lines of the log. On the page of
// a match it fetches the record; in the file that is saved one chooses it.
import { checkRecord } from "./check.js";

const SIGNS = { right: "✓", wrong: "✗", open: "–" };
const place = document.getElementById("check");
const report = document.getElementById("check-said");
const words = new Map([...document.getElementById("check-words").content.querySelectorAll("[data-code]")].map((one) => [one.dataset.code, one.textContent.trim()]));

function say(code, values = {}) {
  return (words.get(code) ?? code).replace(/\{(\w+)\}/g, (_all, name) => values[name] ?? "");
}

function element(name, text = "", attributes = {}) {
  const made = Object.assign(document.createElement(name), { textContent: text });
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function finding(state, text) {
  const line = element("li", "", { "data-state": state });
  line.append(element("b", SIGNS[state], { "aria-hidden": "true" }), " ", element("span", `${say(state)}: `, { class: "hidden" }), text);
  return line;
}

const numbers = (draw) => (Array.isArray(draw) ? draw.join(" ") : JSON.stringify(draw) ?? "");

function drawn({ move, kind, told, true: dictated, state }) {
  const line = finding(state, "");
  const where = move ? say("move", { move }) : say("setup");
  line.append(place.dataset.replay ? element("a", where, { href: `${place.dataset.replay}${move}/` }) : where, ` · ${kind}: ${numbers(told)}`);
  if (state === "wrong" && dictated) line.append(` (${say("instead", { numbers: numbers(dictated) })})`);
  return line;
}

function show({ items, draws }) {
  const isSound = items.every(({ state }) => state !== "wrong");
  const list = element("ul", "", { class: "findings" });
  list.append(...items.map(({ state, code, values }) => finding(state, say(code, values))));
  report.replaceChildren(element("p", say(isSound ? "sound" : "unsound"), { class: `note ${isSound ? "good" : "bad"}` }), list);
  if (draws.length) {
    const [all, each] = [element("details"), element("ol", "", { class: "findings" })];
    each.append(...draws.map(drawn));
    all.append(element("summary", say("all", { n: draws.length })), each);
    report.append(all);
  }
  mark(draws);
  report.focus();
}

// Each line of a log that is on the page, with what was found of the draws that it tells of.
function mark(draws) {
  for (const old of document.querySelectorAll(".drawn-check")) old.remove();
  for (const when of document.querySelectorAll(".log .at[data-turns]")) {
    const [first, last] = when.dataset.turns.split(" ").map(Number);
    const own = draws.filter(({ move, state }) => move >= first && move <= last && state !== "open");
    const wrong = own.filter(({ state }) => state === "wrong").length;
    if (!own.length) continue;
    const note = element("span", SIGNS[wrong ? "wrong" : "right"], { class: "drawn-check", "data-state": wrong ? "wrong" : "right", role: "img" });
    note.setAttribute("aria-label", wrong ? say("in-line-wrong", { n: wrong }) : say("in-line", { n: own.length }));
    when.append(" ", note);
  }
}

// ——— Whence the record comes, and what was noted

function noted() {
  const { nonce, commitment } = place.dataset;
  const typed = document.getElementById("check-noted")?.value.split(/\s+/).filter(Boolean) ?? [];
  let parts = [];
  try {
    parts = place.dataset.record ? JSON.parse(localStorage.getItem("dice") ?? "[]") : [];
  } catch { /* nothing is kept here */ }
  const part = nonce ? (parts.find((one) => one.nonce === nonce) ?? parts.find((one) => one.promised === commitment)) : undefined;
  return { commitments: part?.shown ? [part.shown, ...typed] : typed, entry: part?.entry, nonce: part?.nonce };
}

async function recordText() {
  const file = document.getElementById("check-file");
  if (file) return file.files[0]?.text();
  const answer = await fetch(place.dataset.record, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status);
  return answer.text();
}

async function check(button) {
  button.setAttribute("aria-busy", "true");
  try {
    const text = await recordText();
    if (text === undefined) return document.getElementById("check-file").focus();
    let record;
    try {
      record = JSON.parse(text);
    } catch { /* none at all: the check says so */ }
    show(await checkRecord(record, { keys: place.dataset.keys.split(" "), ...noted() }));
  } catch {
    report.replaceChildren(element("p", say("failed"), { class: "note bad" }));
  } finally {
    button.removeAttribute("aria-busy");
  }
}

const button = document.getElementById("check-now");
button.hidden = !crypto.subtle;
button.addEventListener("click", () => check(button));
