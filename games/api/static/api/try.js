// Tries an operation of the API with the token that stands in the page: the page is whole without this.
const token = document.getElementById("token");
document.querySelector("[data-token]").hidden = false;
for (const button of document.querySelectorAll("[data-do]")) button.hidden = false;

function addressOf(form) {
  const query = new URLSearchParams();
  let path = form.dataset.try;
  for (const { name, value, dataset } of form.querySelectorAll("[data-in]")) {
    if (dataset.in === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    if (dataset.in === "query" && value) query.set(name, value);
  }
  return query.size ? `${path}?${query}` : path;
}

async function answerTo(form) {
  const headers = new Headers({ Authorization: `Bearer ${token.value.trim()}` });
  for (const { name, value } of form.querySelectorAll("[data-in=header]")) if (value) headers.set(name, value);
  const body = form.querySelector("[data-body]")?.value;
  if (body) headers.set("Content-Type", "application/json");
  const options = { method: form.dataset.method, headers, body, credentials: "omit" };
  const answer = await fetch(addressOf(form), options);
  const text = await answer.text();
  const told = /json/.test(answer.headers.get("Content-Type") ?? "") ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return `${answer.status}\n${told}`;
}

document.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target.closest("[data-try]");
  if (!form) return token.focus();
  const place = form.querySelector("[data-answer]");
  place.hidden = false;
  place.textContent = await answerTo(form).catch((error) => String(error));
});
