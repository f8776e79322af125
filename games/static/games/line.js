// Keeps the page's line to the server: a socket on which it is rung, is sent its table, and sends its moves. Each beat is
// answered, or the line is dead and made anew; while there is none the page looks by itself, slowly, and posts by HTTP.
// What is said on the line goes on as the event "heard".

import * as Club from "../site/present.js";

const source = document.querySelector("main [data-socket]") ?? document.querySelector("[data-socket]");
const isSeen = () => document.visibilityState === "visible";
const [BEAT, PATIENCE] = [5000, 4000]; // ms: a dead line is known within 9 seconds
const [SOON, LATER, SOON_TRIES] = [1400, 10000, 12]; // ms between tries, and after how many there is less haste
const LATELY = 120000; // ms
const REPORT = 4; // every how many beats the page says whether it is looked at
const [UNSEEN, LOOKS] = [1500, 5000]; // ms without a line until the page looks by itself, and between two looks
const PATIENT = 2000; // ms for the answer to a move
const LONGEST = 3800; // bytes of a move that goes over the line, whose frames are bounded
const canUnzip = (() => {
  try {
    return Boolean(new DecompressionStream("deflate-raw")); // the browsers of 2020 to 2022 know others only
  } catch {
    return false;
  }
})();

let socket;
let tries = 0;
let timer; // of the next try
let patience; // until when something is to be heard
let heardAt = 0;
let beats = 0;
let lostTimer;
let looking; // the timer of looks without a line
let inOrder = Promise.resolve(); // what was heard is read one after the other
let moves = 0;
let takesMoves = false; // who is at the other end: an earlier release does not
const unanswered = new Map(); // moves: by number, who waits

const look = () => isSeen() && document.dispatchEvent(new Event("look"));

function live(yes) {
  document.body.dataset.live = yes ? "yes" : "no";
  if (!yes) {
    for (const number of [...unanswered.keys()]) settle(number);
    lostTimer ??= setTimeout(() => (document.body.dataset.lost = ""), 1000);
    looking ??= setTimeout(lookAgain, UNSEEN);
    return;
  }
  clearTimeout(lostTimer);
  clearTimeout(looking);
  lostTimer = looking = undefined;
  delete document.body.dataset.lost;
  delete document.body.dataset.full;
}

function lookAgain() {
  look();
  looking = setTimeout(lookAgain, LOOKS);
}

// Send a move's form; resolve to its answer, or to nothing: then it is to be posted by HTTP, with the same key.
export function move(form) {
  const text = form.toString();
  if (!takesMoves || document.body.dataset.live !== "yes" || socket?.readyState !== WebSocket.OPEN || text.length > LONGEST) return;
  const number = ++moves;
  socket.send(JSON.stringify({ move: number, form: text }));
  return new Promise((resolve) => {
    unanswered.set(number, resolve);
    setTimeout(() => settle(number) && drop(), PATIENT);
  });
}

function settle(number, answer) {
  const resolve = unanswered.get(number);
  unanswered.delete(number);
  resolve?.(answer);
  return Boolean(resolve);
}

function say(what) {
  if (socket?.readyState !== WebSocket.OPEN) return;
  socket.send(JSON.stringify(what));
  patience ??= setTimeout(drop, PATIENCE);
}

// Here is who looks at the page and has touched it lately: it may be open on a screen that nobody sits at.
let touchedAt = Date.now();
let saidHere; // what was reported last
const isHere = () => isSeen() && Date.now() - touchedAt < LATELY;

function touched() {
  touchedAt = Date.now();
  if (saidHere === false && isHere()) report();
}

function report() {
  saidHere = isHere();
  say({ here: saidHere, talk: Number(document.getElementById("chat")?.dataset.read ?? 0) });
}

// Let go of the socket without waiting for it to close: a dead line would not even say that.
function drop() {
  const dead = socket;
  socket = undefined;
  dead?.close();
  wait();
}

const unzipped = (data) => new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();

function hear({ data }) {
  clearTimeout(patience);
  patience = undefined;
  heardAt = Date.now();
  tries = 0;
  live(true);
  inOrder = inOrder.then(async () => tell(typeof data === "string" ? JSON.parse(data) : await unzipped(data))).catch(console.error);
}

function tell(said) {
  Club.heed(said);
  if ("moves" in said) takesMoves = said.moves;
  if ("answer" in said) return void settle(said.answer, said);
  if ("table" in said) return void document.dispatchEvent(new CustomEvent("heard", { detail: ["table", said] }));
  for (const detail of Object.entries(said)) document.dispatchEvent(new CustomEvent("heard", { detail }));
}

// What the page shows goes along, so that it is sent what it lacks.
function address() {
  const found = new URL(source.dataset.socket, location.href);
  const { version, history, since } = document.getElementById("table")?.dataset ?? {};
  if (source.dataset.table) for (const [name, value] of Object.entries({
    table: 1, have: version, history, since, lang: document.documentElement.lang, zip: canUnzip ? 1 : undefined,
  })) if (value !== undefined) found.searchParams.set(name, value);
  found.protocol = found.protocol.replace("http", "ws");
  return found;
}

function connect() {
  clearTimeout(timer);
  if (socket && socket.readyState < WebSocket.CLOSING) return;
  takesMoves = false;
  const mine = (socket = new WebSocket(address()));
  mine.binaryType = "arraybuffer";
  clearTimeout(patience);
  patience = setTimeout(drop, PATIENCE);
  mine.onopen = () => {
    if (mine !== socket) return;
    clearTimeout(patience);
    patience = undefined;
    report();
  };
  mine.onmessage = (event) => mine === socket && hear(event);
  mine.onclose = ({ code }) => {
    if (mine !== socket) return;
    if (code === 4429) return rest();
    if (code !== 4401 && code !== 4404) return wait();
    live(false); // not to be seen any more, or logged out: perhaps by a form that was just sent, whose answer logs in
    setTimeout(Club.anew, code === 4401 ? 700 : 0);
  };
}

function wait() {
  clearTimeout(patience);
  patience = undefined;
  live(false);
  const isSoon = tries++ < SOON_TRIES;
  clearTimeout(timer);
  timer = setTimeout(connect, (isSoon ? Math.min(SOON, 300 * 2 ** tries) : LATER) * (0.7 + 0.3 * Math.random()));
}

// Too many pages are open, or too much was sent: the page says so, and knocks again in a minute.
function rest() {
  clearTimeout(patience);
  patience = undefined;
  live(false);
  document.body.dataset.full = "";
  clearTimeout(timer);
  timer = setTimeout(connect, 60000);
}

// After sleep or a lost network the socket may look open and be dead: ask by HTTP, and knock anew.
function wake() {
  if (!isSeen()) return;
  tries = 0;
  if (Date.now() - heardAt > BEAT + PATIENCE) live(false);
  connect();
  report();
  look();
}

if (source) {
  document.addEventListener("visibilitychange", () => (isSeen() ? wake() : report()));
  document.addEventListener("chat-read", report);
  addEventListener("pageshow", ({ persisted }) => persisted && wake());
  addEventListener("online", wake);
  addEventListener("offline", () => socket && drop());
  for (const input of ["pointermove", "pointerdown", "keydown", "touchstart", "scroll", "wheel"]) addEventListener(input, touched, { passive: true, capture: true });
  setInterval(() => (++beats % REPORT && saidHere === isHere() ? say({ beat: true }) : report()), BEAT);
  live(false);
  addEventListener("DOMContentLoaded", connect); // when all scripts are there: what is said before would not be heard
}
