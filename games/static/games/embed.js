// Keeps a match in a frame of another site true: whenever the line rings, the page is asked for again, without cookies.
// What the frame shows is made by the server; without this script it is loaded anew each minute.
const main = document.getElementById("embedded");
const QUIET = 1500; // milliseconds between two looks
const MOST_WAIT = 60000;
const GONE = 4404;

let [wait, looking, again] = [1000, false, false];

const shown = () => Number(document.getElementById("table")?.dataset.version ?? 0);

async function look() {
  if (looking) return void (again = true);
  looking = true;
  try {
    const answer = await fetch(location.href, { credentials: "omit", cache: "no-store" });
    if (answer.status === 404) return void (main.textContent = main.dataset.gone);
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("embedded");
    if (!fresh) return;
    main.dataset.status = fresh.dataset.status;
    main.replaceChildren(...fresh.childNodes);
  } catch {
    again = false; // no connection: the line says when there is one again
  } finally {
    setTimeout(() => {
      looking = false;
      if (again) look();
      again = false;
    }, QUIET);
  }
}

function listen() {
  if (main.dataset.status !== "running") return;
  const address = new URL(main.dataset.socket, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const line = new WebSocket(address);
  line.onmessage = ({ data }) => {
    const said = JSON.parse(data);
    wait = 1000;
    if (said.version && said.version !== shown()) look();
  };
  line.onclose = ({ code }) => {
    if (code === GONE) return look();
    setTimeout(listen, wait);
    wait = Math.min(2 * wait, MOST_WAIT);
  };
}

listen();
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && main.dataset.status === "running" && look());
