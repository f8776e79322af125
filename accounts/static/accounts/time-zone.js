// Fills the hidden fields marked data-time-zone with the device's own time zone.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("input[data-time-zone]")) field.value = zone || "";
