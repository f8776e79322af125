// Keeps an open page from going stale. Each answer says what time it is, which build answers and to whom; a page of
// another build or for somebody else is asked anew, and so is one that the browser brings back. Other scripts import
// how to fetch: each fetch has a limit, and a form whose token is of an earlier log-in is sent again with the present
// one.

const { who, build } = document.documentElement.dataset;
const LIMIT = 10000; // ms for an answer, its body included
const PAUSE = 10000; // ms between two times that the page asks for itself anew
const GONE = [401, 403, 404];
const TEXTS = "textarea[id], input[type=text][id], input:not([type])[id]";

const kept = {
  get: (name) => { try { return sessionStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* not kept */ } },
  drop: (name) => { try { sessionStorage.removeItem(name); } catch { /* nothing was kept */ } },
};

// ——— Asking for the page anew; what was typed stays

let leaving = 0; // when the page last began to go elsewhere
let coming; // the timer of the next time it is asked for

addEventListener("beforeunload", () => (leaving = Date.now()));

function anew() {
  const rest = Math.max(Number(kept.get("anew")), leaving) + PAUSE - Date.now();
  if (rest > 0) return void (coming ??= setTimeout(() => ((coming = undefined), anew()), rest));
  kept.set("anew", Date.now());
  keepTexts();
  location.reload();
}

function keepTexts() {
  const texts = [...document.querySelectorAll(TEXTS)].filter((field) => field.value !== field.defaultValue);
  kept.set("texts", JSON.stringify({ of: location.pathname, who, texts: texts.map((field) => [field.id, field.value]) }));
}

// Not for somebody else: only a visitor who has logged in meanwhile goes on where they were. Until the page is there
// again, behind a log-in perhaps, the texts are kept.
function restoreTexts() {
  const { of, who: writer, texts = [] } = JSON.parse(kept.get("texts") || "{}");
  const isTheirs = [who, "visitor"].includes(writer);
  if (of === location.pathname && isTheirs) for (const [id, value] of texts) {
    const field = document.getElementById(id);
    if (field && field.value === field.defaultValue) field.value = value;
  }
  if (of === location.pathname ? isTheirs : !isTheirs && who !== "visitor") kept.drop("texts");
}

// ——— What an answer says

let outdated = false;
const isTouched = (field) => field.type !== "hidden" && (field.value !== field.defaultValue || field.checked !== field.defaultChecked);

function heed({ now, build: theirs, who: reader }) {
  if (now) document.dispatchEvent(new CustomEvent("server-time", { detail: Number(now) }));
  if (who && reader && reader !== who) return anew();
  outdated ||= Boolean(build && theirs && theirs !== build);
  if (outdated && ![...document.querySelectorAll("textarea, input")].some(isTouched)) anew();
}

async function ask(url, options = {}) {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), LIMIT);
  const headers = options.method === "POST" ? options.headers : { "X-Unasked": "1", ...options.headers }; // no visit
  const answer = await fetch(url, { cache: "no-store", signal: limit.signal, ...options, headers });
  const said = (name) => answer.headers.get(name);
  heed({ now: said("X-Now"), build: said("X-Build"), who: said("X-Who") });
  return answer;
}

// A part of this very page: where that is not to be had any more, the page is not either.
async function look(url, options) {
  const answer = await ask(url, options);
  if (!answer.redirected && !GONE.includes(answer.status)) return answer;
  anew();
  throw new Error("gone");
}

async function post(url, data) {
  const options = { method: "POST", body: data, headers: { "X-Live": "1" } };
  const answer = await ask(url, options);
  const token = answer.headers.get("X-Token");
  if (!token || answer.headers.get("X-Who") !== who) return answer;
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
  data.set("csrfmiddlewaretoken", token);
  return ask(url, options);
}

// To log-in, say, from where one comes back.
function leave(url) {
  keepTexts();
  location.assign(url);
}

const isGone = (answer) => GONE.includes(answer.status);

export { anew, leave, ask, heed, look, post, isGone };

// ——— Looking by itself: when the browser brings the page back, and when it is looked at again

const check = () => ask("/present/");

const isBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward"; // from the browser's cache, perhaps

// What is posted again after that is meant: it is another post. Not a line of the chat that still stands in its field.
function renewKeys() {
  for (const field of document.querySelectorAll("form:not([data-chat-form]) [name=key]")) field.value = crypto.randomUUID();
}

addEventListener("pageshow", async ({ persisted }) => {
  if (!persisted && !isBack) return;
  renewKeys();
  document.documentElement.dataset.unsure = ""; // shown when it is known to whom
  try {
    if ((await check()).headers.get("X-Who") !== who) return location.reload();
    delete document.documentElement.dataset.unsure;
  } catch {
    location.reload();
  }
});

function lookedAt() {
  if (document.visibilityState === "visible" && !document.querySelector("[data-socket]")) check().catch(() => {});
}

document.addEventListener("visibilitychange", lookedAt);
addEventListener("focus", () => check().catch(() => {})); // a socket does not hear of a log-in in the window beside it

restoreTexts();
