// The service worker: shows what is pushed, leads to what it asks, and keeps this release's files and a page for when
// there is no network. Pages are always asked for; none is kept, and nothing of anybody's.
const CACHE = "club-y {{ build }}";
const OFFLINE = "{{ offline }}";
const KEPT = {{ files|safe }}; // what the offline page needs
const STATIC = /^\/static\/.+\.[0-9a-f]{12}\.[a-z0-9]+$/; // named by their content: they never change

addEventListener("install", (event) => event.waitUntil(kept()));

async function kept() {
  const cache = await caches.open(CACHE);
  await cache.addAll([OFFLINE, ...KEPT].map((url) => new Request(url, { credentials: "omit", cache: "reload" })));
  await skipWaiting();
}

addEventListener("activate", (event) => event.waitUntil(cleared()));

async function cleared() {
  const old = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await registration.navigationPreload?.enable();
  await clients.claim();
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (STATIC.test(pathname)) event.respondWith(file(request));
});

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}

async function file(request) {
  const known = await caches.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.status === 200 && answer.type === "basic") {
    const copy = answer.clone();
    caches.open(CACHE).then((cache) => cache.put(request, copy)).catch(() => {}); // without room it is not kept
  }
  return answer;
}

addEventListener("push", (event) => event.waitUntil(shown(event.data.json())));

// A browser wants something shown for each message, so that none can only take back: what is over closes with the next.
async function shown({ title, body, tag, url, asks, lang, count, waiting }) {
  await registration.showNotification(title, {
    body, tag, lang, renotify: true, icon: "{{ icon }}", badge: "{{ badge }}", data: { url, asks },
  });
  for (const one of waiting ? await registration.getNotifications() : []) {
    const [, match] = /^match-(\d+)$/.exec(one.tag) ?? [];
    if (one.data?.asks && one.tag !== tag && !waiting.includes(Number(match))) one.close();
  }
  await (count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.());
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(opened(event.notification.data.url));
});

async function opened(url) {
  const wanted = new URL(url, location.origin);
  const open = await clients.matchAll({ type: "window" });
  const there = open.find((one) => new URL(one.url).pathname === wanted.pathname);
  return there ? there.focus() : clients.openWindow(wanted.href);
}

// A browser may give a subscription other keys: the next page that is opened there tells the site of them.
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewed(event)));

async function renewed({ oldSubscription }) {
  if (!oldSubscription) return;
  const { applicationServerKey } = oldSubscription.options;
  await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}
