// Checks the dice of a match that is over, from its record alone (docs/spec/chance.md): what was promised, each draw, and
// the site's signature. It does not know the rules. All words come from the page. The same script is in the file that is
// saved to check offline, so that it imports nothing and asks no browser for more than its cryptography.

const V1 = "club-y/1", V2 = "club-y/2";
const LINKS = 64; // seeds of a chain
const WORD = 2n ** 32n;
const SPREAD_STEPS = 2n ** 16n;
const MOST = 100000; // numbers of one draw, and the largest side or spread: what is beyond is no draw of a game
const SIGNED_AS = "club-y-record\n";

class Malformed extends Error {}

// ——— Bytes

const utf8 = new TextEncoder();
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function unhex(text) {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/.test(text)) throw new Malformed("hex");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function unbase64url(text) {
  if (typeof text !== "string" || !/^[A-Za-z0-9_-]*$/.test(text)) throw new Malformed("base64url");
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

async function hmac(key, message) {
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, message));
}

// JSON in one way alone: keys in order, no space, all beyond ASCII escaped.
export function canonical(data) {
  if (Array.isArray(data)) return `[${data.map(canonical).join(",")}]`;
  if (data !== null && typeof data === "object") {
    return `{${Object.keys(data).sort().map((name) => `${canonical(name)}:${canonical(data[name])}`).join(",")}}`;
  }
  const text = JSON.stringify(data);
  return typeof data === "string" ? text.replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`) : text;
}

// ——— Draws from a seed

class Seeded {
  constructor(seed) {
    this.key = crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    this.drawn = 0;
  }

  // A function that gives 32-bit numbers without end, of the next draw.
  words() {
    const [key, draw] = [this.key, this.drawn++];
    let [block, ready] = [0, []];
    return async () => {
      if (!ready.length) {
        const message = new DataView(new ArrayBuffer(16));
        message.setBigUint64(0, BigInt(draw));
        message.setBigUint64(8, BigInt(block++));
        const digest = new DataView(await crypto.subtle.sign("HMAC", await key, message.buffer));
        ready = Array.from({ length: 8 }, (_, i) => digest.getUint32(4 * i));
      }
      return BigInt(ready.shift());
    };
  }

  async draw(kind) {
    const [name, ...sizes] = kind.split(" ");
    const numbers = sizes.map(Number);
    if (numbers.some((size) => !Number.isSafeInteger(size) || size < 0 || size > MOST)) throw new Malformed("kind");
    const next = this.words();
    if (name === "roll" && sizes.length === 2 && numbers[1] > 0) return roll(next, ...numbers);
    if (name === "shuffle" && sizes.length === 1) return shuffle(next, ...numbers);
    if (name === "scatter" && sizes.length === 1 && numbers[0] > 0) return [await bell(next, numbers[0]), await bell(next, numbers[0])];
    throw new Malformed("kind");
  }
}

async function below(limit, next) {
  const fair = WORD - (WORD % limit);
  for (;;) {
    const word = await next();
    if (word < fair) return word % limit;
  }
}

async function roll(next, n, sides) {
  const faces = [];
  while (faces.length < n) faces.push(1 + Number(await below(BigInt(sides), next)));
  return faces;
}

async function shuffle(next, n) {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let last = n - 1; last > 0; last--) {
    const pick = Number(await below(BigInt(last + 1), next));
    [order[last], order[pick]] = [order[pick], order[last]];
  }
  return order;
}

function root(square) { // the whole part of a square root
  let found = square;
  for (let guess = (square + 1n) / 2n; guess < found; guess = (guess + square / guess) / 2n) found = guess;
  return found;
}

async function bell(next, spread) {
  let total = -2n * (SPREAD_STEPS - 1n);
  for (let i = 0; i < 4; i++) total += await below(SPREAD_STEPS, next);
  const [top, bottom] = [root((12n * BigInt(spread) ** 2n - 1n) << 64n), root((4n * (SPREAD_STEPS ** 2n - 1n)) << 64n)];
  const [over, under] = [2n * total * top + bottom, 2n * bottom];
  const whole = over / under; // towards zero
  return Number(over % under < 0n ? whole - 1n : whole);
}

// ——— What was promised

async function hashed(seed, times) {
  let found = seed;
  for (let i = 0; i < times; i++) found = await sha256(found);
  return found;
}

const said = (items, isRight, code, values = {}) => items.push({ state: isRight ? "right" : "wrong", code: `${code}-${isRight ? "right" : "wrong"}`, values });
const told = (items, code, values = {}) => items.push({ state: "open", code, values });

async function checkPromises(record, noted, items) {
  const own = unhex(record.seed);
  const commitments = [record.commitment];
  said(items, hex(await sha256(own)) === record.commitment, "commitment", { commitment: record.commitment });
  let [before, last, isSound] = [own, -1, true];
  for (const reseed of record.reseeds ?? []) {
    const seed = unhex(reseed.seed);
    const fits = record.format === V2
      ? reseed.times >= 1 && reseed.times < LINKS && hex(await hashed(seed, reseed.times)) === hex(before)
      : hex(await sha256(seed)) === reseed.commitment && hex(seed) !== hex(before);
    if (record.format === V1) commitments.push(reseed.commitment);
    isSound &&= fits && reseed.after > last && reseed.after < record.moves.length;
    [before, last] = [seed, reseed.after];
  }
  if (record.reseeds?.length) said(items, isSound, record.format === V2 ? "chain" : "reseeds", { n: record.reseeds.length });
  const wanted = (noted.commitments ?? []).map((one) => one.trim().toLowerCase()).filter(Boolean);
  if (wanted.length) said(items, commitments.every((one) => wanted.includes(one)), "noted");
  else told(items, "noted-none");
  if (record.format === V2) await checkSeals(record, noted, items);
  else told(items, "former");
}

async function checkSeals(record, noted, items) {
  const { nonces, seals, commitment, openings = [] } = record;
  const start = canonical([commitment, nonces, seals]);
  const fits = nonces.length === record.seats && seals.length === record.seats && hex(await sha256(utf8.encode(start))) === record.entry;
  said(items, fits && (!noted.entry || noted.entry === record.entry), "entry");
  if (noted.nonce) said(items, nonces.includes(noted.nonce), "nonce");
  let [last, isSound, done] = [0, true, new Set()];
  for (const { after, seat, nonce } of openings) {
    const isSealed = !seals.some(Boolean) || hex(await sha256(utf8.encode(nonce))) === seals[seat];
    const isInPlace = after >= last && after <= record.moves.length && seat >= 0 && seat < record.seats && !done.has(seat);
    isSound &&= isSealed && isInPlace && !record.moves.slice(0, after).some((move) => move.seat === seat);
    last = after;
    done.add(seat);
  }
  if (openings.length) said(items, isSound, "openings", { n: openings.length });
}

// The seed of the draws after a move; null: of the setup.
async function seedAfter(record, after) {
  let server = record.seed;
  for (const reseed of record.reseeds ?? []) if (after !== null && reseed.after <= after) server = reseed.seed;
  if (record.format === V1) return hmac(unhex(server), utf8.encode(canonical(record.nonces)));
  let seed = await hmac(unhex(server), utf8.encode(canonical([record.nonces, record.seals])));
  for (const one of record.openings ?? []) {
    if (after !== null && one.after <= after) seed = await hmac(seed, utf8.encode(canonical([one.seat, one.nonce])));
  }
  return seed;
}

// ——— Each draw

async function checkDraws(record, items) {
  const prepared = new Set((record.prepared ?? []).map(([move, number]) => `${move} ${number}`));
  const fresh = new Set([...(record.reseeds ?? []), ...(record.openings ?? [])].map(({ after }) => after));
  const draws = [];
  let unsaid = 0;
  let chance = new Seeded(await seedAfter(record, null));
  const look = async (move, list, kinds) => {
    if (!Array.isArray(list)) throw new Malformed("draws");
    if (!Array.isArray(kinds)) { // the rules are gone, or it could not be played on
      unsaid += list.length;
      return void draws.push(...list.map((draw) => ({ move, kind: "?", told: draw, state: "open" })));
    }
    if (kinds.length !== list.length) return void draws.push({ move, kind: "?", told: list, state: "wrong" });
    for (const [number, kind] of kinds.entries()) {
      const dictated = await chance.draw(kind);
      const isPrepared = prepared.has(`${move} ${number}`);
      const isRight = canonical(list[number]) === canonical(dictated);
      draws.push({ move, kind, told: list[number], true: dictated, state: isPrepared ? "open" : isRight ? "right" : "wrong" });
    }
  };
  await look(0, record.setup_draws, record.setup_kinds);
  for (const [index, turn] of record.moves.entries()) {
    if (turn.n !== index + 1) throw new Malformed("order");
    if (fresh.has(index)) chance = new Seeded(await seedAfter(record, index));
    await look(turn.n, turn.draws, turn.kinds);
  }
  const wrong = draws.filter(({ state }) => state === "wrong");
  if (wrong.length) said(items, false, "draws", { n: wrong.length, move: wrong[0].move });
  else said(items, true, "draws", { n: draws.filter(({ state }) => state === "right").length });
  if (unsaid) items.push({ state: "wrong", code: "kinds-wrong", values: { n: unsaid } });
  const open = draws.filter(({ state }) => state === "open").length - unsaid;
  if (open) told(items, "prepared", { n: open });
  return draws;
}

// ——— The signature

async function checkSignature(record, keys, items) {
  const { signature, ...plain } = record;
  if (!signature) return said(items, false, "signature");
  if (!keys.includes(signature.key)) return said(items, false, "key", { key: signature.key });
  let key;
  try {
    key = await crypto.subtle.importKey("raw", unbase64url(signature.key), { name: "Ed25519" }, false, ["verify"]);
  } catch {
    return told(items, "signature-none");
  }
  const message = utf8.encode(SIGNED_AS + canonical(plain));
  said(items, await crypto.subtle.verify({ name: "Ed25519" }, key, unbase64url(signature.value), message), "signature");
}

// Returns what was found: items {state: right, wrong or open; code; values}, and draws {move, kind, told, true, state}.
// `noted`: commitments, and of the reader's own device the fingerprint of the start and their nonce, as far as known.
export async function checkRecord(record, { keys = [], ...noted } = {}) {
  const items = [];
  let draws = [];
  try {
    if (![V1, V2].includes(record?.format)) throw new Malformed("format");
    if (!record.seed) return { items: [{ state: "wrong", code: "no-seed", values: {} }], draws };
    await checkPromises(record, noted, items);
    draws = await checkDraws(record, items);
    await checkSignature(record, keys, items);
  } catch {
    items.push({ state: "wrong", code: "malformed", values: {} });
  }
  return { items, draws };
}
