// Passkeys: shows their buttons where the browser can use them, and says so when a key did not work.
const able = "PublicKeyCredential" in window;
for (const button of document.querySelectorAll("[data-passkey]")) button.hidden = !able;
for (const note of document.querySelectorAll("[data-passkey-missing]")) note.hidden = able;
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  for (const note of document.querySelectorAll("[data-passkey-error]")) note.hidden = false;
});
