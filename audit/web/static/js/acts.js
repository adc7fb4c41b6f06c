// Acts of people: forms that are sent as JSON, and the dialogs that hold them.
import { act } from "./act.js";

// A local time of the property's zone, as a form gives it, in UTC.
function utc(text) {
  const asUtc = Date.parse(`${text}Z`);
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: document.body.dataset.zone, dateStyle: "short", timeStyle: "medium", hourCycle: "h23" });
  const at = (moment) => {
    const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    return Date.parse(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}Z`);
  };
  const guess = asUtc - (at(asUtc) - asUtc);
  return new Date(guess - (at(guess) - asUtc)).toISOString();
}

function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || (field.type === "radio" && !field.checked)) continue;
    const value = field.value.trim();
    if (value === "") continue;
    if ("number" in field.dataset) body[field.name] = Number(value);
    else if (field.type === "datetime-local") body[field.name] = utc(value);
    else if ("json" in field.dataset) body[field.name] = JSON.parse(value);
    else body[field.name] = value;
  }
  return body;
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-post]");
  if (!form) return;
  event.preventDefault();
  const button = event.submitter ?? form.querySelector("button.main");
  const problem = form.querySelector("[data-problem]");
  if (button.disabled) return;
  button.disabled = true;
  if (problem) problem.hidden = true;
  try {
    const number = form.closest("dialog")?.dataset.number ?? "";
    const url = form.dataset.post.replace("{number}", encodeURIComponent(number));
    const answer = await act(url, bodyOf(form));
    form.reset();
    form.closest("dialog")?.close();
    form.dispatchEvent(new CustomEvent("acted", { bubbles: true, detail: answer }));
    const next = form.dataset.then;
    if (next === "reload") location.reload();
    else if (next) location.assign(next.replace("{number}", encodeURIComponent(answer.number ?? "")));
  } catch (error) {
    if (!problem) throw error;
    problem.textContent = error.message;
    problem.hidden = false;
  } finally {
    button.disabled = false;
  }
});

// Opens the dialog of an act for something with a number; `subject` says in words what it is about.
export function openAct(name, number, subject = "") {
  const dialog = document.querySelector(`dialog[data-dialog="${name}"]`);
  if (!dialog || document.querySelector("dialog[open]")) return;
  dialog.dataset.number = number;
  const place = dialog.querySelector("[data-subject]");
  if (place) place.textContent = subject;
  const problem = dialog.querySelector("[data-problem]");
  if (problem) problem.hidden = true;
  dialog.showModal();
  dialog.querySelector("textarea, input:not([type=hidden]), select")?.focus();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-close]")) target.closest("dialog").close();
  const opener = target.closest("[data-open][data-number]");
  if (opener) openAct(opener.dataset.open, opener.dataset.number, opener.dataset.about);
  for (const menu of document.querySelectorAll("details.more[open]")) {
    if (!menu.contains(target) || target.closest("button")) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.more[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
