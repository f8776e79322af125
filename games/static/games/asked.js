// Shows what somebody has just asked or answered at another match, and who mentioned the reader, wherever one is on the
// site; both can be put away.
import * as Club from "../site/present.js";
const place = document.getElementById("asked");

document.addEventListener("asked", async ({ detail }) => {
  const answer = await Club.ask(`/matches/${detail.match}/news/`).catch(() => null);
  const fresh = answer?.status === 200 && !answer.redirected ? await answer.text() : "";
  if (!fresh && place.dataset.of !== String(detail.match)) return;
  place.innerHTML = fresh;
  place.dataset.of = detail.match;
  // A list of what waits shows the questions itself.
  place.hidden = !fresh || (document.getElementById("waits") !== null && place.querySelector("form") !== null);
  detail.settle();
});

place.addEventListener("click", (event) => {
  if (event.target.closest("[data-close]")) place.hidden = true;
});

// Who was mentioned reads by whom and where, unless that line is before their eyes.
const mentions = document.getElementById("mentioned");
const here = document.querySelector("[data-match]")?.dataset.match;
const seenHere = () => mentions?.querySelector(`[data-mention="${here}"]`)?.remove();

document.addEventListener("mentioned", async () => {
  if (!mentions) return;
  const answer = await Club.ask(mentions.dataset.mentions).catch(() => null);
  if (!answer?.ok) return;
  mentions.innerHTML = (await answer.text()).trim();
  if (document.querySelector("#chat.in-view")) seenHere();
});

document.addEventListener("chat-read", seenHere);

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-mention-form]")) return;
  event.preventDefault();
  const { action } = event.target;
  Club.post(action, new URLSearchParams(new FormData(event.target))).catch(() => location.assign("/"));
  event.target.closest("[data-mention]").remove();
});
