// The site beside its pages: registers the service worker for who plays here, keeps the count on the installed site's
// icon, and puts away notifications of what is over. Where somebody has logged out nobody is called any more.
import * as Club from "./present.js";

const { who } = document.documentElement.dataset;
const isSomebody = who !== undefined && who !== "visitor";
const WAITING = "/settings/devices/waiting/"; // leads to log-in where nobody is
const KNOWN = "device-known"; // for this tab: the browser's address, and whose it is, as the site was told

async function worker() {
  if (!isSomebody) return navigator.serviceWorker?.getRegistration("/");
  return navigator.serviceWorker?.register("/sw.js", { scope: "/" });
}

async function begin() {
  const registration = await worker();
  if (!registration) return;
  if (!isSomebody) return forget(registration);
  await known(registration);
  const look = () => document.visibilityState === "visible" && tidy(registration).catch(() => {});
  for (const event of ["settled", "visibilitychange"]) document.addEventListener(event, look);
  look();
}

// The page of a form that another site has posted here comes without the session's cookie: that is no log-out.
async function forget(registration) {
  const { type } = await fetch(WAITING, { method: "HEAD", redirect: "manual", headers: { "X-Unasked": "1" } });
  if (type !== "opaqueredirect") return;
  await (await registration.pushManager?.getSubscription())?.unsubscribe();
  for (const shown of await registration.getNotifications()) shown.close();
  await navigator.clearAppBadge?.();
}

// The browser may have got another address, or the session another key; or the device was removed from elsewhere.
async function known(registration) {
  const subscription = await registration.pushManager?.getSubscription();
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  if (!subscription || !token || sessionStorage.getItem(KNOWN) === who + subscription.endpoint) return;
  const answer = await tell(subscription, token, { again: 1 });
  if (answer.status === 404) await subscription.unsubscribe();
}

async function tidy(registration) {
  const count = Number(document.querySelector("[data-waiting]")?.textContent);
  await (count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.());
  const shown = await registration.getNotifications();
  if (!shown.length) return;
  const here = document.querySelector("[data-match]")?.dataset.match;
  const { waiting } = await (await Club.ask(WAITING)).json();
  for (const one of shown) {
    const [, match] = /^match-(\d+)$/.exec(one.tag) ?? [];
    const isOver = one.data?.asks && !waiting.includes(Number(match));
    if (isOver || match === here || one.tag === "all") one.close();
  }
}

export async function tell(subscription, token, more = {}) {
  const { endpoint, keys } = subscription.toJSON();
  const told = { csrfmiddlewaretoken: token, endpoint, public_key: keys.p256dh, secret: keys.auth, ...more };
  const answer = await Club.post("/settings/devices/add/", new URLSearchParams(told));
  if (answer.ok) sessionStorage.setItem(KNOWN, who + endpoint);
  return answer;
}

begin().catch(() => {}); // private windows have no service workers
