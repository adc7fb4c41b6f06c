// The pit wall: keeps tiles, alerts and the feed in step with the record.
import { act } from "./act.js";
import { openAct } from "./acts.js";
import { onEntry, onKey, refresh, soon, tick, walk } from "./page.js";
import { show } from "./pictures.js";
import { mute, mutedUntil, sound, sounds, turn } from "./sound.js";

const tiles = document.getElementById("tiles");
const alerts = document.getElementById("alerts");
const feed = document.getElementById("feed");
const said = document.getElementById("said");

const showPictures = () => show(tiles.querySelectorAll(".picture"), tiles.dataset);
const tileOf = (table) => [...tiles.querySelectorAll(".tile")].find((tile) => tile.dataset.table === table);

// Alerts: the marked one stays marked when the queue changes around it.
const queue = () => [...alerts.querySelectorAll(".queue [data-alert]")];
const marked = () => queue().find((alert) => alert.getAttribute("aria-current") === "true");

async function refreshAlerts() {
  const known = new Set(queue().map((alert) => alert.dataset.alert));
  const place = queue().indexOf(marked());
  const current = marked()?.dataset.alert;
  const focused = alerts.contains(document.activeElement);
  if (!(await refresh(alerts, "/fragments/alerts"))) return;
  const now = queue();
  const keep = now.find((alert) => alert.dataset.alert === current) ?? (place >= 0 ? now[Math.min(place, now.length - 1)] : null);
  keep?.setAttribute("aria-current", "true");
  if (focused) keep?.focus();
  const fresh = now.filter((alert) => !known.has(alert.dataset.alert));
  fresh.forEach((alert) => alert.classList.add("fresh"));
  if (fresh.length > 0) {
    said.textContent = fresh.map((alert) => alert.querySelector(".what").textContent).join(". ");
  }
  count();
  tick();
}

function count() {
  const words = alerts.querySelector(".queue").dataset;
  document.getElementById("open-count").textContent = words.words;
  document.title = document.title.replace(/^\(\d+\) /, "");
  if (Number(words.open) > 0) document.title = `(${words.open}) ${document.title}`;
}

async function acknowledge(alert) {
  const button = alert?.querySelector("[data-act=acknowledge]");
  if (!button || button.disabled) return;
  button.disabled = true;
  try {
    await act(`/api/v1/alerts/${encodeURIComponent(alert.dataset.alert)}/acknowledge`);
  } catch {
    button.disabled = false;
    return;
  }
  alertsSoon();
}

// The severity whose tone sounds: the policy's word, else the finding's own. Information is silent.
const toneOf = ({ alert, finding, handling }) => (alert === null ? null : handling ? handling.tone : finding.severity);

const alertsSoon = soon(refreshAlerts, 60);
const feedSoon = soon(() => refresh(feed, "/fragments/feed"), 150);
const recentSoon = soon(() => refresh(document.getElementById("recent"), "/fragments/recent"));
const wallSoon = soon(async () => {
  if (await refresh(tiles, "/fragments/tiles")) showPictures();
});
const tileSoon = new Map();

function refreshTile(table) {
  if (!tileSoon.has(table)) {
    tileSoon.set(
      table,
      soon(async () => {
        const tile = tileOf(table);
        const holder = document.createElement("div");
        if (!tile || !(await refresh(holder, `/fragments/tiles/${encodeURIComponent(table)}`))) return;
        // The picture stays; what was read is put beside it anew.
        const next = holder.firstElementChild;
        tile.className = next.className;
        tile.querySelector("[data-lamp]").replaceWith(next.querySelector("[data-lamp]"));
        tile.querySelector(".state").replaceWith(next.querySelector(".state"));
      }),
    );
  }
  tileSoon.get(table)();
}

onEntry((entry) => {
  // The tone comes from the entry, so that it sounds from a hidden tab as well.
  if (entry.kind === "rules.finding.raised") sound(toneOf(entry.body));
  if (entry.kind.startsWith("rules.round.")) recentSoon();
  feedSoon();
  alertsSoon();
  if (entry.kind === "user.alert.moved") for (const tile of tiles.querySelectorAll(".tile")) refreshTile(tile.dataset.table);
  if (entry.chain === "system") return;
  if (tileOf(entry.chain)) refreshTile(entry.chain);
  else wallSoon();
});

const subject = (alert) => `${alert.querySelector(".what").textContent} · ${alert.querySelector(".where").textContent.trim()}`;
const openFor = (name, alert) => alert && openAct(name, alert.dataset.alert, subject(alert));

alerts.addEventListener("click", ({ target }) => {
  const alert = target.closest("[data-alert]");
  if (target.closest("[data-act=acknowledge]")) void acknowledge(alert);
  const opener = target.closest("[data-open]");
  if (opener) openFor(opener.dataset.open, alert);
});
document.addEventListener("acted", alertsSoon);
walk(queue);
const chosen = () => marked() ?? queue()[0];
onKey("a", () => acknowledge(chosen()));
onKey("e", () => openFor("escalate", chosen()));
onKey("c", () => openFor("comment", chosen()));
onKey("i", () => openFor("assign", chosen()));
onKey("x", () => openFor("not-confirmed", chosen()));
onKey("r", () => chosen()?.querySelector("a[href^='/replay/']")?.click());
onKey("/", () => location.assign("/rounds#search"));

// The tone: on, off, or muted for a while. Muting is an act and is recorded.
const button = document.getElementById("sound");
const muting = document.getElementById("mute");
const showSound = () => {
  const until = mutedUntil();
  button.setAttribute("aria-pressed", String(sounds()));
  const left = Math.ceil((until - Date.now()) / 60_000);
  const words = until ? button.dataset.muted.replace("{minutes}", left) : sounds() ? button.dataset.on : button.dataset.off;
  button.querySelector("span").textContent = words;
  button.classList.toggle("muted-tone", until > 0);
  muting.hidden = !sounds();
};
const flipSound = async () => {
  await turn(!sounds());
  showSound();
};
button.addEventListener("click", flipSound);
muting.addEventListener("click", async ({ target }) => {
  const minutes = Number(target.closest("[data-minutes]")?.dataset.minutes ?? 0);
  if (!minutes) return;
  await act("/api/v1/wall/mute", { minutes });
  mute(minutes);
  showSound();
  muting.open = false;
});
setInterval(showSound, 5000);
onKey("m", flipSound);
showSound();
showPictures();
count();
