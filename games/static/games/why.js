// Why one is asked, right below the headline: fetched when it is asked for, shown until it is closed or another question
// comes. headline.js loads it.
import * as Club from "../site/present.js";

const panel = () => document.getElementById("why");
const link = () => document.getElementById("ask-why");
const asked = () => document.querySelector("#question [name=ask]")?.value;

function close() {
  const had = panel()?.contains(document.activeElement);
  panel()?.remove();
  link()?.removeAttribute("aria-expanded");
  if (had) (link() ?? document.querySelector("#main h1"))?.focus({ preventScroll: true });
}

export async function toggle() {
  if (panel()) return close();
  const opener = link();
  if (opener.hasAttribute("aria-busy")) return;
  opener.setAttribute("aria-busy", "true");
  try {
    const answer = await Club.look(opener.href, { headers: { "X-Live": "1" } });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("why");
    if (!answer.ok) throw new Error(answer.status);
    if (!fresh || fresh.dataset.ask !== asked()) return; // the page is about to be told so
    document.querySelector("#table > .head").append(fresh);
    link().setAttribute("aria-expanded", "true");
    fresh.focus({ preventScroll: true });
  } finally {
    opener.removeAttribute("aria-busy");
  }
}

document.addEventListener("click", ({ target }) => target.closest("#why-close") && close());
document.addEventListener("keydown", (event) => event.key === "Escape" && panel() && close());
document.addEventListener("settled", () => {
  if (!panel()) return;
  const refused = document.querySelector("#table .refusal"); // it hangs at the same place
  if (panel().dataset.ask === asked() && !refused) link()?.setAttribute("aria-expanded", "true"); // which the table knows nothing of
  else close();
});
