// Has the browser called when the member presses the button for it: in the settings, and, after a move, at a match.
import * as Club from "../site/present.js";
import { tell } from "../site/installed.js";
const canBeCalled = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const show = (element, isShown = true) => element && (element.hidden = !isShown);

for (const place of document.querySelectorAll("[data-call-here]")) {
  show(place, canBeCalled);
  show(document.querySelector("[data-unable]"), !canBeCalled);
}

async function subscribe(place) {
  const registration = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: place.dataset.key };
  const before = await registration.pushManager.getSubscription();
  if (before) await before.unsubscribe(); // by a former key of the site, or of somebody else
  const token = place.querySelector("[name=csrfmiddlewaretoken]").value;
  const answer = await tell(await registration.pushManager.subscribe(options), token);
  if (!answer.ok) throw new Error(answer.status);
}

document.addEventListener("click", async ({ target }) => {
  const place = target.closest("[data-call-here]");
  const decline = target.closest("[data-decline]");
  if (decline) {
    const token = place.querySelector("[name=csrfmiddlewaretoken]").value;
    Club.post(decline.dataset.decline, new URLSearchParams({ csrfmiddlewaretoken: token })).catch(() => {});
    document.getElementById("call-here").replaceChildren();
    return;
  }
  if (!place || !target.closest("[data-call]")) return;
  for (const said of ["denied", "failed"]) show(place.querySelector(`[data-${said}]`), false);
  if ((await Notification.requestPermission()) !== "granted") return show(place.querySelector("[data-denied]"));
  try {
    await subscribe(place);
  } catch {
    return show(place.querySelector("[data-failed]"));
  }
  const done = place.parentElement.querySelector("[data-called]");
  if (!done) return location.reload();
  show(place, false);
  show(done);
});

// At a match it is offered once one has moved there, and never on arrival.
const offered = document.getElementById("call-here");
let hasMoved = false;

if (offered && canBeCalled && Notification.permission === "default") {
  document.addEventListener("submit", ({ target }) => (hasMoved ||= /\/move\/$/.test(target.getAttribute("action") ?? "")));
  document.addEventListener("settled", offer);
}

async function offer() {
  if (!hasMoved) return;
  document.removeEventListener("settled", offer);
  const answer = await Club.ask(offered.dataset.offer).catch(() => null);
  if (answer?.status === 200 && !answer.redirected) offered.innerHTML = await answer.text();
}
