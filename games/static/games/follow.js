// Keeps the page of a tournament or ladder true: when it is rung, the page is fetched as its reader may see it now, and
// what has changed is put in. A mark, which costs little, says whether anything was missed while nobody listened.
import * as Club from "../site/present.js";
import { morph } from "./live.js";

const [SCATTER, APART, LOOKS] = [1500, 3000, 15000]; // ms: so that not all pages ask at once, and none too often
const followed = () => document.getElementById("followed");

let timer; // of the next fetch
let fetchedAt = 0;
let lookedAt = 0;

function soon() {
  const wait = Math.max(Math.random() * SCATTER, fetchedAt + APART - Date.now());
  timer ??= setTimeout(() => load().catch(() => {}), wait);
}

async function load() {
  timer = undefined;
  fetchedAt = Date.now();
  const answer = await Club.look(location.pathname + location.search);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (!answer.ok || !fresh) throw new Error(answer.status);
  const { socket } = followed().dataset; // the line is open: its ticket is kept
  morph(document.getElementById("main"), fresh);
  followed().dataset.socket = socket;
}

async function look() {
  lookedAt = Date.now();
  const answer = await Club.look(`${location.pathname}?mark=1`);
  if (answer.ok && (await answer.text()) !== followed().dataset.mark) soon();
}

document.addEventListener("heard", ({ detail: [name] }) => {
  if (name === "series") soon();
  if (name === "who") look().catch(() => {}); // the greeting: what changed before the bell was heard
});
document.addEventListener("look", () => Date.now() - lookedAt > LOOKS && look().catch(() => {}));
