// Keeps a page true without a reload: moves are sent and answered in place, and the page's table comes over its line, or
// is fetched while there is none. Without this script every form and link still works. All words come from the page.
import * as Club from "../site/present.js";
import { move } from "./line.js";
import { keepRefusals } from "./refusals.js";

const source = document.querySelector("main [data-socket]") ?? document.querySelector("[data-socket]"); // also: table, lost, failed, match
const follows = Boolean(source?.dataset.table); // a match goes on before the reader, who is not in a replay
const VISIBLE = () => document.visibilityState === "visible";
const byId = (id) => document.getElementById(id);
const table = () => byId("table");
const shown = () => Number(table()?.dataset.version ?? 0);
const typing = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

// ——— Showing what the server sent

const isField = (node) => node instanceof HTMLInputElement ? node.type !== "hidden" : node instanceof HTMLTextAreaElement;
const isTouched = (node) =>
  (isField(node) && (node.value !== node.defaultValue || node.checked !== node.defaultChecked)) ||
  (node instanceof HTMLSelectElement && [...node.options].some((option, i) => option.selected !== (option.defaultSelected || (!node.querySelector("[selected]") && i === 0))));

// Put in anew, not changed into what it becomes: each line of the log would move, and the headline's words.
const ANEW = ".log, #headline, #coach-says";

function replaceInside(old, fresh) {
  if (old.innerHTML !== fresh.innerHTML) old.replaceChildren(...fresh.childNodes);
  return false;
}

// The key of a line that is not sent yet is the line's: were it sent already, with the answer lost, it is the same again.
const isKept = (node) => isTouched(node) || (node.name === "key" && node.form?.matches("[data-chat-form]") && [...node.form.elements].some(isTouched));

const keep = {
  beforeNodeMorphed: (old, fresh) =>
    old.matches?.(ANEW) && fresh.matches?.(ANEW) ? replaceInside(old, fresh) : !(isKept(old) && old.name === fresh.name && old.id === fresh.id),
  beforeNodeRemoved: (node) => node.id !== "why", // it closes itself
  beforeAttributeUpdated: (name, node) => !(name === "open" && node instanceof HTMLDetailsElement) && !(name === "hidden" && node.dataset.here),
};

export function morph(old, fresh) {
  const focused = old.contains(document.activeElement);
  if (globalThis.Idiomorph) Idiomorph.morph(old, fresh, { callbacks: keep });
  else old.replaceWith(fresh);
  settle();
  if (focused && document.activeElement === document.body) toHeadline();
}

// After each of one's moves, too: were focus to stay where a button was, a second Enter would play its successor.
const toHeadline = () => document.querySelector("#main h1")?.focus({ preventScroll: true });

const parse = (html) => new DOMParser().parseFromString(html, "text/html");

// What was asked for while version `had` was shown cannot be older, or the site was restored from an earlier copy.
async function show(html, had) {
  const fresh = parse(html).getElementById("table");
  if (!fresh) return false;
  const [old, refusal] = [table(), fresh.querySelector(".refusal")];
  if (Number(fresh.dataset.version) < had) return Club.anew() ?? true;
  if (Number(fresh.dataset.version) < shown()) {
    if (refusal) say(refusal.textContent);
    return true;
  }
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value; // the line is sent none
  for (const field of fresh.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value ||= token ?? "";
  isOutgrown ||= ["status", "paused"].some((name) => fresh.dataset[name] !== old.dataset[name]);
  if (!busy && asked(old) && asked(old) === asked(fresh)) keepRefusals(old, fresh);
  morph(old, fresh);
  notice();
  if (isOutgrown) await showPage();
  return true;
}

// A moment that everybody waited for is brought into sight, once, unless one is writing; what a coach points at, and the
// button that answers, with each sentence and question: from the top of the page, and above the card at the foot of a
// narrow window. Under a question that stays, nothing moves by what others do; after one's own press the button is shown.
let noticed = { ask: "", moment: "" };

function notice() {
  const [moments, coach] = [[...document.querySelectorAll("[data-moment]")].reverse(), byId("coach")];
  const room = coach && matchMedia("(max-width: 899px)").matches ? `${coach.offsetHeight + 16}px` : "";
  document.documentElement.style.scrollPaddingBottom = room;
  const ask = coach ? asked(document) : "";
  const moment = [ask, coach?.dataset.says ?? byId("coach-says")?.textContent, ...(ask ? [] : moments.map((each) => each.id))].join("");
  const isSaid = moment !== noticed.moment;
  if (!moment || !(isSaid || (busy && ask)) || document.activeElement?.matches(typing)) return;
  const isNew = isSaid && (busy || !ask || ask !== noticed.ask);
  noticed = { ask, moment };
  if (coach && isNew) scrollTo({ top: 0, behavior: "instant" });
  const answer = coach && document.querySelector("#board button.main[name=move]");
  for (const each of [...(answer ? [answer] : []), ...(isNew ? moments : [])]) each.scrollIntoView({ block: "nearest", behavior: "instant" });
}

const asked = (page) => page.querySelector("#board [name=ask]")?.value ?? "";

let isOutgrown = false; // what stands around the table is of before it began, paused or ended

// The whole page anew; who was here has left nothing behind, so `since` stays what it was.
async function showPage() {
  const had = shown();
  const answer = await Club.look(`${location.pathname}?since=${table().dataset.since ?? ""}`);
  const fresh = parse(await answer.text()).getElementById("main");
  if (!answer.ok || !fresh) throw new Error(answer.status);
  const version = Number(fresh.querySelector("#table")?.dataset.version ?? 0);
  if (version < had) return Club.anew();
  if (version < shown()) return refresh();
  isOutgrown = false;
  document.body.dataset.live ??= "no";
  return morph(byId("main"), fresh);
}

function say(words) {
  document.querySelector("#table .refusal")?.remove();
  const note = document.createElement("p");
  note.className = "refusal note warn";
  note.setAttribute("role", "alert");
  note.textContent = words;
  table().querySelector(".head").append(note);
  settle();
}

// What the page says of itself, set anew after every change.
function settle() {
  for (const button of document.querySelectorAll("[data-unticked]")) { // it says how many of these boxes are not ticked
    const loose = document.querySelectorAll(`[name="${button.dataset.unticked}"]:not(:checked)`).length;
    button.firstElementChild.textContent = button.dataset.labels.split("|")[loose];
    button.disabled = loose === 0;
  }
  for (const mark of document.querySelectorAll("[data-here]")) mark.hidden = !here.has(Number(mark.dataset.here));
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  seats();
  document.dispatchEvent(new Event("settled")); // for headline.js, and the script of a game
}

// ——— Fetching: one at a time, once more if the bell rang meanwhile

let fetching = false;
let again = false;

async function refresh() {
  if (fetching) return void (again = true);
  fetching = true;
  try {
    do {
      again = false;
      await load();
    } while (again);
  } catch {
    setTimeout(() => VISIBLE() && refresh(), 1400);
  } finally {
    fetching = false;
  }
}

async function renew(list) {
  if (!list) return;
  const answer = await Club.look(list.dataset.liveUrl);
  if (!answer.ok) return;
  const fresh = list.cloneNode(false);
  fresh.innerHTML = await answer.text();
  morph(list, fresh);
}

async function load() {
  if (byId("tables")) return renew(byId("tables"));
  if (!follows) return;
  if (isOutgrown || table().dataset.status === "open") return showPage();
  const since = table().dataset.since;
  const headers = { "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "" }; // kept by the answer's forms
  const had = shown();
  const answer = await Club.look(`${source.dataset.table}?have=${had}&history=${table().dataset.history}${since ? `&since=${since}` : ""}`, { headers });
  if (answer.status === 204) return;
  if (!answer.ok) throw new Error(answer.status);
  const html = await answer.text();
  if (!busy) await show(html, had); // else the answer to one's move shows the table, when the next may be sent
}

// ——— Posting a move

let busy = false;

async function send(form, button) {
  if (busy) return;
  busy = true;
  button?.setAttribute("aria-busy", "true");
  const [data, before] = [new URLSearchParams(new FormData(form)), shown()];
  if (button?.name) data.append(button.name, button.value);
  try {
    const answer = (form.id === "board" && (await overLine(data))) || (await byPost(form.action, data));
    if (!answer) return;
    document.querySelector("#table .refusal")?.remove();
    if (!(await show(answer.html, before))) answer.isGone ? Club.anew() : say(source.dataset.failed);
    if (answer.ok && shown() > before && !document.activeElement.matches("[type=text]")) toHeadline();
  } catch {
    say(source.dataset.lost);
  } finally {
    busy = false;
    button?.removeAttribute("aria-busy");
    if (isOutgrown || wanted > shown()) refresh();
    showSent();
  }
}

// What is not answered on the line, or without a table, is posted: the key makes the second time harmless.
async function overLine(data) {
  const fields = new URLSearchParams(data);
  fields.delete("csrfmiddlewaretoken");
  const answer = await move(fields);
  return answer?.table ? { html: answer.table, ok: answer.status === 200 } : undefined;
}

async function byPost(url, data) {
  const answer = await Club.post(url, data);
  if (answer.redirected) return void Club.leave(answer.url);
  return { html: await answer.text(), ok: answer.ok, isGone: Club.isGone(answer) };
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-live]")) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

// The second click of a double click would answer the next question: it is not meant.
// It is when a game's script took the first for itself, to take aim, say.
let first; // the last click that was let through

document.addEventListener("click", (event) => {
  const again = event.detail > 1 && event.target.closest?.("form[data-live] button");
  if (again && !first?.defaultPrevented) event.preventDefault();
  else first = event;
  const copy = event.target.closest?.("[data-copy]");
  if (copy) navigator.clipboard.writeText(byId(copy.dataset.copy).value).then(() => (copy.textContent = copy.dataset.done));
});

document.addEventListener("change", (event) => {
  if (event.target.name === "size" || document.querySelector(`[data-unticked="${CSS.escape(event.target.name)}"]`)) settle();
});

// ——— What is rung (line.js)

let wanted = 0;
let here = new Set();
let sent; // a table that came over the line

// While one's move is under way its answer is shown first.
function showSent() {
  if (busy || !sent) return;
  const { version, table: html } = sent;
  sent = undefined;
  if (version > shown()) show(html, 0).catch(() => refresh());
}

const heard = {
  version(number) {
    wanted = Math.max(wanted, number);
    if (number !== shown() && !busy) refresh();
  },
  table(said) {
    sent = said;
    showSent();
  },
  anew: () => Club.anew(), // the site was restored from an earlier copy than the table that is shown
  history(mark) { // the greeting's: of the version that is shown there is another one
    if (follows && parseInt(mark) === shown() && mark !== table().dataset.history) Club.anew();
  },
  here(seats) {
    here = new Set(seats);
    settle();
  },
  waiting(count) {
    document.title = (count ? `(${count}) ` : "") + document.title.replace(/^\(\d+\) /, "");
    for (const badge of document.querySelectorAll("[data-waiting]")) {
      badge.textContent = count;
      const link = badge.closest("a");
      if (link) link.hidden = !count;
    }
    renew(byId("waits")).catch(() => {});
  },
  asked(match) {
    if (source.dataset.match !== String(match)) document.dispatchEvent(new CustomEvent("asked", { detail: { match, settle } }));
  },
  lobby() {
    refresh();
    renew(byId("standing")).catch(() => {});
  },
  chat: () => document.dispatchEvent(new Event("chat-rung")),
  mention: () => document.dispatchEvent(new Event("mentioned")),
  who() { // the greeting: what changed before the bell was heard
    if (byId("tables")) refresh();
    heard.chat();
  },
};

document.addEventListener("heard", ({ detail: [name, value] }) => heard[name]?.(value));
document.addEventListener("look", () => {
  heard.lobby();
  renew(byId("waits")).catch(() => {});
  heard.chat();
});

// The chat has a script of its own, and the same care for what is half typed.
document.addEventListener("chat-come", (event) => morph(...event.detail));

// ——— Keys, and the little that forms need

document.addEventListener("single-key", ({ detail }) => document.querySelector(`[data-key="${detail}"]:not(details:not([open]) *)`)?.click());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.closest?.(typing)) return;
  if (event.key === "ArrowLeft") document.querySelector("a[rel=prev]")?.click();
  if (event.key === "ArrowRight") document.querySelector("a[rel=next]")?.click();
});

// In the form of a new table, only the seats of the chosen size are asked for.
function seats() {
  const size = document.querySelector("[name=size]:checked");
  if (!size) return;
  for (const field of document.querySelectorAll("[data-seat]")) field.hidden = Number(field.dataset.seat) > Number(size.value);
}

if (source?.dataset.match) for (const link of document.querySelectorAll("a[data-next]")) link.search = `?after=${source.dataset.match}`;
settle();
if (byId("coach")) notice(); // what it points at
