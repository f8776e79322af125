// Shows what somebody has just asked or answered at another match, wherever one is on the site; it can be closed.
const place = document.getElementById("asked");

document.addEventListener("asked", async ({ detail }) => {
  const answer = await fetch(`/matches/${detail.match}/news/`, { cache: "no-store" });
  const fresh = answer.status === 200 && !answer.redirected ? await answer.text() : "";
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
