// The frame's comforts: single keys, of which "n" opens the next match that waits; an open menu closes when left.
const typing = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
const off = document.documentElement.dataset.keys === "off"; // as a person may wish in the settings

// Return the letter or digit that a key means, "" for none: with Caps Lock it is the same letter; digits need no Shift
// where they have one (é is 2 in France), and another alphabet's letter is the Latin one at its place.
function meaning({ key, code, shiftKey }) {
  if (/^[1-9]$/.test(key)) return key;
  if (shiftKey) return "";
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const [, digit] = /^Digit([1-9])$/.exec(code) ?? [];
  const [, letter] = /^\p{L}$/u.test(key) ? /^Key([A-Z])$/.exec(code) ?? [] : [];
  return digit ?? letter?.toLowerCase() ?? "";
}

// A single key is told to the page as the event "single-key"; who uses it may prevent that it is typed as well.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing || event.keyCode === 229) return;
  if (off || event.target.closest?.(typing)) return;
  const detail = meaning(event);
  if (detail && !event.target.dispatchEvent(new CustomEvent("single-key", { detail, bubbles: true, cancelable: true }))) event.preventDefault();
});

document.addEventListener("single-key", ({ detail }) => detail === "n" && document.querySelector("a[data-next]")?.click());

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  }
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

// What was typed, but for passwords, comes along when the language is changed: the page is asked for anew.
const fields = () => [...document.querySelectorAll("main :is(input:not([type=hidden], [type=password], [type=file]), textarea, select)[name]")];
const place = (field) => [field.form?.getAttribute("action") ?? "", field.name, /^(radio|checkbox)$/.test(field.type) ? field.value : ""].join();

document.addEventListener("submit", ({ target }) => {
  if (!target.matches(".tongues")) return;
  const typed = fields().map((field) => [place(field), field.value, field.checked]);
  sessionStorage.setItem("typed", JSON.stringify({ page: target.elements.next.value, typed }));
});

const { page, typed } = JSON.parse(sessionStorage.getItem("typed") ?? "{}");
sessionStorage.removeItem("typed");
if (page === location.pathname + location.search) {
  for (const field of fields()) {
    const [, value, checked] = typed.find(([where]) => where === place(field)) ?? [];
    if (value === undefined || (field.value === value && field.checked === checked)) continue;
    field.value = value;
    if (checked !== undefined) field.checked = checked;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}
