// What a script adds to YESSS!: a third tap frees the first picture, buttons say which pair they stand for, what comes
// to light is turned over for whoever sees it come.

const boxes = () => [...document.querySelectorAll("[data-pair] input[type=checkbox]")];
let order = []; // the numbers ticked, in the order of the taps

function picked() {
  const ticked = boxes().filter((box) => box.checked).map((box) => box.value);
  order = [...order.filter((number) => ticked.includes(number)), ...ticked.filter((number) => !order.includes(number))];
  while (order.length > 2) {
    const first = order.shift();
    for (const box of boxes()) if (box.value === first) box.checked = false;
  }
  return [...order].sort();
}

function show() {
  const pair = picked();
  const middle = document.querySelector("[data-middle]")?.dataset.middle.split(" ");
  const gone = pair.length === 2 && middle && !middle.includes(pair.join("-"));
  for (const button of document.querySelectorAll("[data-two]")) {
    const words = pair.length < 2 ? button.dataset.none : gone ? button.dataset.gone : button.dataset.two;
    const said = words.replace("{pair}", pair.join(" + "));
    if (button.textContent !== said) button.textContent = said;
    button.disabled = pair.length < 2 || Boolean(gone);
  }
}

// A refused word is told below its field; who sent it goes on there, once.
function mend() {
  for (const field of document.querySelectorAll("[data-word]")) {
    const why = document.getElementById(field.getAttribute("aria-describedby"));
    field.setAttribute("aria-invalid", why.textContent !== "");
    if (why.textContent === "" || "told" in why.dataset) continue;
    why.dataset.told = "";
    field.focus();
    why.scrollIntoView({ block: "nearest" });
  }
}

const TURNS = 1200; // ms, in which an answer that arrives must not stop a picture half turned
const reveals = () => document.querySelectorAll(".reveal[data-shown]");
const since = new Map([...reveals()].map((reveal) => [reveal.dataset.shown, -TURNS]));

function turn() {
  for (const reveal of reveals()) {
    const name = reveal.dataset.shown;
    if (!since.has(name)) since.set(name, performance.now());
    const fresh = performance.now() - since.get(name) < TURNS;
    reveal.querySelector(".duo").classList.toggle("turning", fresh);
    reveal.toggleAttribute("data-moment", fresh && !document.querySelector(".table.go"));
  }
}

document.addEventListener("change", (event) => event.target.closest("[data-pair]") && show());
document.addEventListener("settled", () => {
  show();
  mend();
  turn();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.isComposing || event.keyCode === 229) return; // the word is not whole yet
  const field = event.target.closest?.("[data-word]");
  if (field && event.key === "Enter") {
    event.preventDefault(); // each word has a button of its own
    field.closest(".ask").querySelector("button").click();
  } else if (field && event.key === "Escape") field.blur();
  else if (event.key === "Enter" && event.target.closest?.("[data-pair]")) event.preventDefault(); // else it would guess
});

document.addEventListener("single-key", (event) => {
  const key = event.detail;
  if (key <= "7") boxes().find((box) => box.value === key)?.click();
  const word = key === "w" && document.querySelector("[data-word]");
  if (!word) return;
  event.preventDefault();
  word.focus();
});

show();
