// The frame's two comforts: the key "n" opens the next match that waits, and an open menu closes when left.
const typing = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  }
  if (event.key !== "n" || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.(typing)) return;
  document.querySelector("a[data-next]")?.click();
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
