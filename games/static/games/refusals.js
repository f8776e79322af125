// What was refused, and what a coach objects to, stays until one goes on; and what one opens on the board is in sight.
const byId = (id) => document.getElementById(id);
const errors = (input) => input.closest(".field")?.querySelector(".errors");

// Others have moved, and the question is the same: put into the fresh table what the old one says of the last try.
export function keepRefusals(old, fresh) {
  const note = old.querySelector(".head > .refusal");
  if (note) fresh.querySelector(".head").append(note.cloneNode(true));
  for (const wrong of old.querySelectorAll("[aria-invalid][id]")) {
    const input = fresh.querySelector(`#${CSS.escape(wrong.id)}`);
    if (!input) continue;
    input.setAttribute("aria-invalid", "true");
    if (errors(input)) errors(input).textContent = errors(wrong)?.textContent ?? "";
  }
  const [stands, next] = [old.querySelector("#coach[data-says]"), fresh.querySelector("#coach")];
  if (!stands || !next) return;
  const kept = stands.cloneNode(true);
  kept.dataset.says = next.querySelector("#coach-says").textContent;
  next.replaceWith(kept);
}

// What a coach objects to is one move: whoever chooses on is told the sentence again.
for (const kind of ["click", "change"]) {
  document.addEventListener(kind, (event) => {
    const coach = byId("coach");
    if (!coach?.dataset.says || !event.target.closest("#board")) return;
    byId("coach-says").textContent = coach.dataset.says;
    delete coach.dataset.says;
    for (const name of ["coach-objects", "anyway"]) byId(name)?.remove();
  });
}

// What is typed anew is not refused.
document.addEventListener("input", ({ target }) => {
  if (!target.matches("#board [aria-invalid]")) return;
  target.removeAttribute("aria-invalid");
  errors(target)?.replaceChildren();
});

// What one opens on the board is in sight, with what answers in it.
document.addEventListener("click", (event) => {
  const opened = event.target.closest("#board summary")?.parentElement;
  if (opened) requestAnimationFrame(() => opened.open && opened.scrollIntoView({ block: "nearest" }));
});
