// As a form is sent, fills its hidden fields marked data-time-zone with the device's own time zone.
document.addEventListener("submit", (event) => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  for (const field of event.target.querySelectorAll("input[data-time-zone]")) field.value = zone;
});
