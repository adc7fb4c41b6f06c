// What every page has: the link lamp, the clock, ages, theme and keys.
import { follow } from "./live.js";

const lamp = document.getElementById("link");
const listeners = new Set();

// Calls `act(entry)` for every new entry of the record.
export function onEntry(act) {
  listeners.add(act);
}

// Whoever may not see the record, an administrator, follows nothing.
if ("live" in document.body.dataset) void follow(
  (entry) => listeners.forEach((act) => act(entry)),
  (up) => {
    if (!lamp) return;
    lamp.className = `lamp ${up ? "on" : "off"}`;
    lamp.textContent = up ? lamp.dataset.on : lamp.dataset.off;
  },
);

// Replaces an element's content by a piece of page that the server rendered (and escaped).
export async function refresh(element, url) {
  const answer = await fetch(url, { headers: { Accept: "text/html" } });
  if (answer.status === 401) signInAgain();
  if (!answer.ok) return false;
  const template = document.createElement("template");
  template.innerHTML = await answer.text();
  element.replaceChildren(template.content);
  return true;
}

// The session has ended: the server asks for the sign-in, and leads back here.
function signInAgain() {
  location.reload();
}

// Returns a function that runs `act` soon, once for a burst of calls, and never twice at a time.
// A hidden page waits until it is looked at: eight open tabs ask for no more than one.
export function soon(act, delay = 120) {
  let wanted = false;
  let busy = false;
  const run = async () => {
    if (busy || !wanted || document.hidden) return;
    busy = true;
    await new Promise((done) => setTimeout(done, delay));
    wanted = false;
    try {
      await act();
    } catch {
      wanted = true;
      await new Promise((done) => setTimeout(done, 1500));
    }
    busy = false;
    void run();
  };
  document.addEventListener("visibilitychange", run);
  return () => {
    wanted = true;
    void run();
  };
}

const clock = document.getElementById("clock");
const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: document.body.dataset.zone });
const relative = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always", style: "narrow" });

function age(seconds) {
  if (seconds < 60) return relative.format(-seconds, "second");
  if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86400) return relative.format(-Math.floor(seconds / 3600), "hour");
  return relative.format(-Math.floor(seconds / 86400), "day");
}

export function tick() {
  const now = Date.now();
  if (clock) clock.textContent = time.format(now);
  for (const element of document.querySelectorAll("[data-since]")) {
    element.textContent = age(Math.max(0, Math.floor((now - Date.parse(element.dataset.since)) / 1000)));
  }
}
tick();
setInterval(tick, 1000);

export function remember(name, value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=strict${secure}`;
}

function flipTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  remember("theme", root.dataset.theme);
}
document.getElementById("theme")?.addEventListener("click", flipTheme);

// Keys: a page adds its own with `onKey`.
const keys = new Map();
export function onKey(key, act) {
  keys.set(key, act);
}
const list = document.getElementById("keys");
const showKeys = () => (list.open ? list.close() : list.showModal());
document.getElementById("help")?.addEventListener("click", showKeys);
onKey("?", showKeys);
onKey("t", flipTheme);
onKey("/", () => {
  const field = document.querySelector("form.search select, form.search input");
  if (field) field.focus();
  else location.assign("/rounds#search");
});
if (location.hash === "#search") document.querySelector("form.search select, form.search input")?.focus();
// On a narrow page the bar scrolls: the page that is open is in sight.
document.querySelector(".bar nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
onKey("g", () => {
  const links = [...document.querySelectorAll(".bar nav a")];
  const here = links.findIndex((link) => link.ariaCurrent === "page" || link.getAttribute("aria-current") === "page");
  links[(here + 1) % links.length]?.click();
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // A field keeps its keys, and a button or link its own space and Enter.
  if (event.target.closest?.("input:not([type=range]):not([type=checkbox]), select, textarea")) return;
  if (event.key === " " && event.target.closest?.("button, a, summary, input")) return;
  if (document.querySelector("dialog[open]:not(#keys)")) return;
  const act = keys.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  if (act && (event.key === "?" || !list.open)) {
    event.preventDefault();
    act(event);
  }
});

// Rows that can be walked with j and k; Enter follows the row's link.
export function walk(rows, mark = (row) => row.focus()) {
  const step = (by) => {
    const all = rows();
    if (all.length === 0) return;
    const now = all.findIndex((row) => row.getAttribute("aria-current") === "true");
    const next = Math.min(all.length - 1, Math.max(0, now < 0 ? 0 : now + by));
    all.forEach((row, index) => (index === next ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current")));
    mark(all[next]);
    all[next].scrollIntoView({ block: "nearest" });
  };
  onKey("j", () => step(1));
  onKey("k", () => step(-1));
  // On a button or a link Enter keeps its own meaning.
  onKey("Enter", ({ target }) => {
    const own = target.closest?.("a, button");
    (own ?? rows().find((row) => row.getAttribute("aria-current") === "true")?.querySelector("a"))?.click();
  });
}
if (document.querySelector("[data-rows]")) {
  walk(() => [...document.querySelectorAll("[data-rows] > tr")]);
}
