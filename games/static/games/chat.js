// Keeps the talk at a match true: when rung it fetches its lines, what is half typed stays. Without it forms work.
import * as Club from "../site/present.js";

const chat = () => document.getElementById("chat");
const parse = (html) => new DOMParser().parseFromString(html, "text/html");
const toEnd = () => {
  const lines = chat()?.querySelector(".talk");
  if (lines) lines.scrollTop = lines.scrollHeight;
};

function show(html) {
  const fresh = parse(html).getElementById("chat");
  if (!fresh) return false;
  const lines = chat().querySelector(".talk");
  const atEnd = !lines || lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
  const { className, dataset } = chat();
  document.dispatchEvent(new CustomEvent("chat-come", { detail: [chat(), fresh] }));
  chat().className = className; // whether it is in view, and up to which line it was read, only this page knows
  if (dataset.read) chat().dataset.read = dataset.read;
  if (atEnd) toEnd();
  read();
  return true;
}

let fetching = false;
let again = false;

async function refresh() {
  if (!chat()) return;
  if (fetching) return void (again = true);
  fetching = true;
  try {
    do {
      again = false;
      const { chat: url, have } = chat().dataset;
      const answer = await Club.look(`${url}?have=${have}`, { headers: { "X-Live": "1" } });
      if (answer.status === 200) show(await answer.text());
    } while (again);
  } catch {
    again = false; // rung anew as soon as the line is back
  } finally {
    fetching = false;
  }
}

function say(words) {
  const note = document.getElementById("chat-trouble");
  if (note) {
    note.textContent = words;
    note.hidden = false;
  }
}

let busy = false;

async function send(form, button) {
  if (busy) return;
  busy = true;
  button?.setAttribute("aria-busy", "true");
  const data = new URLSearchParams(new FormData(form));
  if (button?.name) data.append(button.name, button.value);
  const field = form.querySelector("textarea");
  const sent = field?.value;
  try {
    const answer = await Club.post(form.action, data);
    if (answer.redirected) return Club.leave(answer.url);
    const html = await answer.text();
    if (!answer.ok) return say(parse(html).querySelector(".refusal, [role=alert]")?.textContent || chat().dataset.failed);
    document.getElementById("chat-trouble")?.setAttribute("hidden", "");
    if (field && field.value === sent) field.value = field.defaultValue = "";
    show(html);
    if (field) toEnd();
  } catch {
    say(chat().dataset.lost);
  } finally {
    busy = false;
    button?.removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-chat-form]")) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

// Enter sends, as everywhere; with Shift it begins a new line. Where fingers type, Enter is a new line. One that ends
// the composing of a word sends nothing: Safari says so by its code alone, as the composing is over for it.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || !event.target.matches?.("#id_say")) return;
  if (event.isComposing || event.keyCode === 229) return;
  if (!matchMedia("(pointer: fine)").matches) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

// What was before the reader's eyes is read: the socket says so (live.js), and the mark goes with the next lines.
const lookedAt = new IntersectionObserver(([seen]) => {
  chat().classList.toggle("in-view", seen.isIntersecting);
  if (seen.isIntersecting) read();
});

// Beside the match's name stands whether there is something new here.
function mark() {
  document.getElementById("chat-news")?.toggleAttribute("data-none", chat().dataset.news === "0" || chat().classList.contains("in-view"));
}

function read() {
  mark();
  if (!chat().classList.contains("in-view") || document.visibilityState !== "visible") return;
  if (chat().dataset.read === chat().dataset.last) return;
  chat().dataset.read = chat().dataset.last;
  document.dispatchEvent(new Event("chat-read"));
}

document.addEventListener("chat-rung", refresh);
document.addEventListener("visibilitychange", () => chat() && read());
toEnd();
if (chat()) lookedAt.observe(chat());
