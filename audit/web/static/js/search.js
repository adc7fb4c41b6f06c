// Searches: empty fields stay out of the address, and sums arrive once the page is there.
import { refresh } from "./page.js";

for (const form of document.querySelectorAll("form.search")) {
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData.entries()]) if (value === "") formData.delete(name);
  });
}
for (const place of document.querySelectorAll("[data-piece]")) {
  void refresh(place, place.dataset.piece).finally(() => place.removeAttribute("aria-busy"));
}
// A picker closes when something else is clicked or Escape is pressed.
for (const picker of document.querySelectorAll("details.picker")) {
  addEventListener("click", ({ target }) => {
    if (!picker.contains(target)) picker.open = false;
  });
  picker.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    picker.open = false;
    picker.querySelector("summary").focus();
  });
}
