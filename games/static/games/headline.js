// What hangs on a match's headline: the tab's title says it, a refusal below it can be closed; and the log stays at its end.

const source = document.querySelector("[data-close]");
const headline = () => document.getElementById("headline");
const waiting = () => document.getElementById("waiting"); // what waits, on the page that lists it
const roll = () => document.querySelector(".happened > .roll");
let atEnd = true; // of the log, unless one has scrolled up in it

function entitle() {
  const [, count = "", rest] = /^(\(\d+\) )?(.*)$/.exec(document.title);
  const said = (headline() ?? waiting())?.textContent.trim();
  if (said) document.title = [count + said, ...rest.split(" · ").slice(headline() ? -2 : -1)].join(" · ");
}

function closable(note) {
  if (!source || note.querySelector("button")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "×";
  button.setAttribute("aria-label", source.dataset.close);
  button.addEventListener("click", () => {
    note.remove();
    headline()?.parentElement.focus({ preventScroll: true });
  });
  note.append(button);
}

function settled() {
  entitle();
  document.querySelectorAll("#table .refusal").forEach(closable);
  if (atEnd) roll()?.scrollTo(0, roll().scrollHeight);
}

document.addEventListener("settled", settled);
document.addEventListener(
  "scroll",
  ({ target }) => {
    if (target === roll()) atEnd = target.scrollHeight - target.scrollTop - target.clientHeight < 40;
  },
  { capture: true, passive: true },
);
settled();

// A narrow page of a match that is played opens at its headline: what is asked, and all that answers it, fit below.
if (!location.hash && !scrollY && innerWidth < 900 && document.querySelector("#table[data-status=running]")) scrollTo(0, document.querySelector(".head").offsetTop);
