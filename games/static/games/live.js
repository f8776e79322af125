// Keeps a page true without a reload: moves are posted and answered in place, the socket is a doorbell at which the
// page fetches its own table. Without this script every form and link still works. All words come from the page.

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
const ANEW = ".log, #headline";

function replaceInside(old, fresh) {
  if (old.innerHTML !== fresh.innerHTML) old.replaceChildren(...fresh.childNodes);
  return false;
}

const keep = {
  beforeNodeMorphed: (old, fresh) =>
    old.matches?.(ANEW) && fresh.matches?.(ANEW) ? replaceInside(old, fresh) : !(isTouched(old) && old.name === fresh.name && old.id === fresh.id),
  beforeAttributeUpdated: (name, node) => !(name === "open" && node instanceof HTMLDetailsElement) && !(name === "hidden" && node.dataset.here),
};

function morph(old, fresh) {
  const focused = old.contains(document.activeElement);
  if (globalThis.Idiomorph) Idiomorph.morph(old, fresh, { callbacks: keep });
  else old.replaceWith(fresh);
  settle();
  if (focused && document.activeElement === document.body) toHeadline();
}

// After each of one's moves, too: were focus to stay where a button was, a second Enter would play its successor.
const toHeadline = () => document.querySelector("#main h1")?.focus({ preventScroll: true });

const parse = (html) => new DOMParser().parseFromString(html, "text/html");

async function show(html) {
  const fresh = parse(html).getElementById("table");
  if (!fresh) return false;
  const [old, refusal] = [table(), fresh.querySelector(".refusal")];
  if (Number(fresh.dataset.version) < shown()) {
    if (refusal) say(refusal.textContent);
    return true;
  }
  const turned = ["status", "paused"].some((name) => fresh.dataset[name] !== old.dataset[name]);
  morph(old, fresh);
  notice();
  if (turned) await showPage();
  return true;
}

// A moment that everybody waited for is brought into sight, once, unless one is writing.
let noticed = "";

function notice() {
  const moment = document.querySelector("[data-moment]");
  if (!moment || moment.id === noticed || document.activeElement?.matches(typing)) return;
  noticed = moment.id;
  moment.scrollIntoView({ block: "nearest" });
}

// The whole page anew; who was here has left nothing behind, so `since` stays what it was.
async function showPage() {
  const answer = await fetch(`${location.pathname}?since=${table().dataset.since ?? ""}`, { cache: "no-store", signal: AbortSignal.timeout?.(15000) });
  const fresh = parse(await answer.text()).getElementById("main");
  if (!answer.ok || answer.redirected || !fresh) return location.reload();
  if (Number(fresh.querySelector("#table")?.dataset.version ?? 0) < shown()) return void (again = true);
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
  for (const input of document.querySelectorAll("input[name=nonce]")) {
    input.value ||= [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
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
    setTimeout(() => VISIBLE() && refresh(), 700);
  } finally {
    fetching = false;
  }
}

async function renew(list) {
  if (!list) return;
  const answer = await fetch(list.dataset.liveUrl, { cache: "no-store", signal: AbortSignal.timeout?.(15000) });
  if (!answer.ok || answer.redirected) return;
  const fresh = list.cloneNode(false);
  fresh.innerHTML = await answer.text();
  morph(list, fresh);
}

async function load() {
  if (byId("tables")) return renew(byId("tables"));
  if (!follows) return;
  if (table().dataset.status === "open") return showPage();
  const since = table().dataset.since;
  const headers = { "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "" }; // kept by the answer's forms
  const answer = await fetch(`${source.dataset.table}?have=${shown()}${since ? `&since=${since}` : ""}`, { cache: "no-store", headers, signal: AbortSignal.timeout?.(15000) });
  document.dispatchEvent(new CustomEvent("server-time", { detail: Number(answer.headers.get("X-Now")) }));
  if (answer.status === 204) return;
  if (answer.status === 404 || answer.redirected) return location.reload();
  if (!answer.ok) throw new Error(answer.status);
  const html = await answer.text();
  if (!busy) await show(html); // else the answer to one's move shows the table, when the next may be sent
}

// ——— Posting a move

let busy = false;
let leaving = false; // a form was sent that loads another page

async function send(form, button) {
  if (busy) return;
  busy = true;
  button?.setAttribute("aria-busy", "true");
  const [data, before] = [new URLSearchParams(new FormData(form)), shown()];
  if (button?.name) data.append(button.name, button.value);
  try {
    const answer = await fetch(form.action, { method: "POST", body: data, headers: { "X-Live": "1" }, signal: AbortSignal.timeout?.(15000) });
    if (answer.redirected) return location.assign(answer.url);
    document.querySelector("#table .refusal")?.remove();
    if (!(await show(await answer.text()))) say(source.dataset.failed);
    if (answer.ok && shown() > before && !document.activeElement.matches("[type=text]")) toHeadline();
  } catch {
    say(source.dataset.lost);
  } finally {
    busy = false;
    button?.removeAttribute("aria-busy");
    if (wanted > shown()) refresh();
  }
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-live]")) return void (leaving = true);
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

// ——— The doorbell

let socket;
let tries = 0;
let timer;
let lostTimer;
let answer;
let wanted = 0;
let here = new Set();

const heard = {
  version(number) {
    wanted = Math.max(wanted, number);
    if (wanted > shown() && !busy) refresh();
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
    renew(byId("waits"));
  },
  asked(match) {
    if (source.dataset.match !== String(match)) document.dispatchEvent(new CustomEvent("asked", { detail: { match, settle } }));
  },
  lobby: () => refresh(),
  chat: () => document.dispatchEvent(new Event("chat-rung")),
  mention: () => document.dispatchEvent(new Event("mentioned")),
};

function live(yes) {
  document.body.dataset.live = yes ? "yes" : "no";
  if (!yes) return void (lostTimer ??= setTimeout(() => (document.body.dataset.lost = ""), 1000));
  clearTimeout(lostTimer);
  lostTimer = undefined;
  delete document.body.dataset.lost;
  delete document.body.dataset.full;
}

function tell() {
  if (socket?.readyState !== WebSocket.OPEN) return;
  socket.send(JSON.stringify({ here: VISIBLE(), talk: Number(byId("chat")?.dataset.read ?? 0) }));
  if (follows) answer ??= setTimeout(drop, 6000); // a match's doorbell answers; one that does not is dead
}

// Let go of the socket without waiting for it to close: a dead line would not even say that.
function drop() {
  const dead = socket;
  socket = undefined;
  dead?.close();
  heardAnything();
  live(false);
  wait();
}

function heardAnything() {
  clearTimeout(answer);
  answer = undefined;
}

function connect() {
  clearTimeout(timer);
  if (!source || (socket && socket.readyState < WebSocket.CLOSING)) return;
  const address = new URL(source.dataset.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  if (follows) address.searchParams.set("have", shown());
  const mine = (socket = new WebSocket(address));
  const patience = setTimeout(() => mine.close(), 4000);
  mine.onopen = () => {
    clearTimeout(patience);
    if (byId("tables")) refresh(); // what changed before the bell was heard
    heard.chat();
    tries = 0;
    live(true);
    tell();
  };
  mine.onmessage = (event) => {
    if (mine !== socket) return;
    heardAnything();
    for (const [name, value] of Object.entries(JSON.parse(event.data))) heard[name]?.(value);
  };
  mine.onclose = (event) => {
    clearTimeout(patience);
    if (mine !== socket) return;
    heardAnything();
    live(false);
    // Logged out; perhaps by a form that was just sent, here or in another tab, whose answer brings a new session.
    if (event.code === 4401) setTimeout(() => location.reload(), leaving ? 5000 : 700);
    else if (event.code === 4429) rest();
    else if (event.code !== 4404) wait();
  };
}

function wait() {
  const delay = Math.min(1400, 300 * 2 ** tries++) * (0.7 + 0.3 * Math.random());
  timer = setTimeout(() => VISIBLE() && connect(), delay);
}

// Too many pages are open, or too much was sent: the page says so, and knocks again in a minute.
function rest() {
  document.body.dataset.full = "";
  timer = setTimeout(() => VISIBLE() && connect(), 60000);
}

// After sleep or a lost network the socket may look open and be dead: ask by HTTP, and knock anew.
function wake() {
  if (!source || !VISIBLE()) return;
  tries = 0;
  connect();
  tell();
  refresh();
}

document.addEventListener("visibilitychange", () => (VISIBLE() ? wake() : tell()));
addEventListener("pageshow", (event) => event.persisted && wake());
addEventListener("online", wake);
addEventListener("offline", () => socket && drop());
setInterval(() => VISIBLE() && tell(), 20000);

// The chat has a script of its own, and the same care for what is half typed.
document.addEventListener("chat-come", (event) => morph(...event.detail));
document.addEventListener("chat-read", tell);

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
if (source) {
  live(false);
  connect();
}
