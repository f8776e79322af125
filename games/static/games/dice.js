// A player's own part of the dice: drawn here once the page shows to which number the site has committed itself, kept on
// this device, and told on the page of the match. A further number is sealed when one sits down, and opened by itself
// when the match runs. Without this script one has no part in the dice; the match is as good otherwise.
import * as Club from "../site/present.js";

const NAME = "dice"; // of what is kept: the last parts, the newest first
const MOST = 200;
const DIGITS = 16; // bytes of a number

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const random = () => hex(crypto.getRandomValues(new Uint8Array(DIGITS)));

async function sealOf(text) {
  return crypto.subtle ? hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))) : ""; // not over http
}

// ——— What this device keeps

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function keep(part) {
  try {
    const others = kept().filter((other) => other.nonce !== part.nonce || other.promised !== part.promised);
    localStorage.setItem(NAME, JSON.stringify([part, ...others].slice(0, MOST)));
    return true;
  } catch {
    return false; // then nothing is sealed that could not be opened
  }
}

// ——— Before one sits down

const drawn = new WeakMap(); // by field: for which commitment, and the part

async function draw(field) {
  const promised = field.dataset.promised;
  if (drawn.get(field)?.promised === promised && field.value) return;
  const part = { promised, nonce: random(), further: random() };
  drawn.set(field, part);
  field.value = part.nonce;
  const seal = await sealOf(part.further);
  const place = field.form?.elements.seal;
  if (place && drawn.get(field) === part) place.value = seal;
}

document.addEventListener("submit", ({ target }) => {
  const part = drawn.get(target.elements?.nonce);
  if (part && !keep(part)) target.elements.seal.value = "";
});

// ——— At the match

const own = () => document.getElementById("own-dice");

function tell() {
  const place = own();
  if (!place) return;
  const { commitment, nonce, entry } = place.dataset;
  const parts = kept();
  const part = parts.find((one) => nonce && one.nonce === nonce) ?? parts.find((one) => one.promised === commitment);
  const state = !part ? "unknown" : part.nonce !== nonce ? "other" : part.promised !== commitment ? "before" : "known";
  for (const words of place.querySelectorAll("[data-say]")) words.hidden = words.dataset.say !== state;
  const [sent] = place.querySelectorAll("[data-sent]");
  if (sent) sent.textContent = state === "other" ? part.nonce : "";
  if (part && !part.shown) keep({ ...part, shown: commitment });
  const isOther = Boolean(part?.shown && part.shown !== commitment) || Boolean(part?.entry && entry && part.entry !== entry);
  for (const words of place.querySelectorAll("[data-changed]")) words.hidden = !isOther;
  if (!isOther) open(place, state === "known" || state === "before" ? part : undefined);
}

let opening = "";

// What was fixed at the start is noted first: from then on nobody can choose their part to suit this one.
async function open(place, part) {
  const { open: url, entry, sealed, nonce, commitment } = place.dataset;
  const further = sealed ? part?.further : (part?.further ?? random());
  if (!url || !entry || opening === url || !further || (sealed && sealed !== (await sealOf(further)))) return;
  opening = url;
  if (!keep({ promised: commitment, shown: commitment, nonce, ...part, further, entry })) return;
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  try {
    await Club.post(url, new URLSearchParams({ csrfmiddlewaretoken: token, nonce: further }));
  } catch {
    opening = ""; // at the next change of the page, then
  }
}

function settle() {
  for (const field of document.querySelectorAll("input[name=nonce]")) draw(field);
  tell();
}

document.addEventListener("settled", settle);
settle();
