// The replay of a hand: film, drawn cards, time line and keys.
import { openAct } from "./acts.js";
import { Film } from "./film.js";
import { Overlay } from "./overlay.js";
import { onKey } from "./page.js";

const main = document.getElementById("main");
const { length, start, reels, second, marks, tricks } = JSON.parse(main.dataset.replay);
const video = document.getElementById("video");
const other = document.getElementById("second");
const noFilm = document.getElementById("no-film");
const seek = document.getElementById("seek");
const speed = document.getElementById("speed");
const play = document.getElementById("play");
const overlay = new Overlay(document.getElementById("overlay"));

const say = (why) => {
  noFilm.textContent = why === "cannot" ? main.dataset.cannot : main.dataset.nothing;
  noFilm.hidden = false;
};
const film = new Film(video, reels, length, say);
const side = other ? new Film(other, second, length, () => {}) : null;

// Where there is no film the time line still plays, by the clock: the cards tell what happened.
let place = start;
let playing = false;
let last = performance.now();
const onFilm = () => film.shows(place) && video.readyState > 0;

function go(to, { pause = false } = {}) {
  place = Math.min(length, Math.max(0, to));
  if (pause) stop();
  if (reels.length > 0) video.currentTime = place;
  if (other) other.currentTime = place;
  show();
}

function stop() {
  playing = false;
  video.pause();
  other?.pause();
  play.textContent = play.dataset.play;
}

async function run() {
  if (place >= length - 0.05) go(0);
  playing = true;
  last = performance.now();
  play.textContent = play.dataset.pause;
  const rate = Number(speed.value);
  for (const one of [video, other]) {
    if (!one) continue;
    one.playbackRate = rate;
    try {
      if (film.shows(place)) await one.play();
    } catch {
      // A browser that will not play yet: the time line goes on by the clock.
    }
  }
}

const toggle = () => (playing ? stop() : void run());
const step = (frames) => go(place + frames * film.frame(place), { pause: true });
const next = () => go(marks.find((at) => at > place + 0.02) ?? length);
const previous = () => go(marks.findLast((at) => at < place - 0.25) ?? 0);

// Everything with a place on the time line.
const placed = [...document.querySelectorAll("[data-at]")];
for (const element of document.querySelectorAll(".track [data-at], .lane-track [data-at]")) {
  element.style.left = `${(100 * Number(element.dataset.at)) / length}%`;
  if (element.dataset.length) element.style.width = `${(100 * Number(element.dataset.length)) / length}%`;
}
// Cards that would lie over each other step down a row.
for (const lane of document.querySelectorAll(".lane-track")) {
  const ends = [];
  const width = lane.clientWidth;
  for (const element of lane.children) {
    const left = (width * Number(element.dataset.at)) / length;
    let row = ends.findIndex((end) => end <= left);
    if (row < 0) row = Math.min(ends.length, 2);
    ends[row] = left + element.offsetWidth + 2;
    element.dataset.row = row;
  }
  lane.dataset.rows = Math.min(3, Math.max(1, ends.length));
}
document.addEventListener("click", ({ target }) => {
  const mark = target.closest("[data-at]");
  if (mark && placed.includes(mark)) go(Number(mark.dataset.at), { pause: true });
});

const stamp = document.getElementById("stamp");
const since = Date.parse(stamp.dataset.zero);
const clock = new Intl.DateTimeFormat("en-GB", {
  timeZone: document.body.dataset.zone, hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 2,
});
const heads = [document.getElementById("head-mark"), document.getElementById("lane-head")];
const clockIn = document.getElementById("clock-in");

function show() {
  seek.value = place;
  seek.setAttribute("aria-valuetext", clock.format(since + 1000 * place));
  stamp.textContent = clock.format(since + 1000 * place);
  clockIn.textContent = `${Math.floor(place / 60)}:${(place % 60).toFixed(2).padStart(5, "0")}`;
  for (const head of heads) head.style.setProperty("--at", place / length);
  noFilm.hidden = reels.length > 0 && film.shows(place) ? true : noFilm.hidden;
  if (!film.shows(place)) say("nothing");
  overlay.draw(place, video);
}

function tick(now) {
  const passed = (now - last) / 1000;
  last = now;
  if (playing) {
    if (onFilm() && !video.paused) {
      place = video.currentTime;
    } else {
      place += passed * Number(speed.value);
      if (film.shows(place) && video.readyState > 0) {
        video.currentTime = place;
        void video.play().catch(() => {});
      }
    }
    if (other && side.shows(place) && Math.abs(other.currentTime - place) > 0.2) other.currentTime = place;
    if (place >= length) {
      place = length;
      stop();
    }
    show();
  }
  requestAnimationFrame(tick);
}

seek.addEventListener("input", () => go(Number(seek.value), { pause: true }));
speed.addEventListener("change", () => {
  for (const one of [video, other]) if (one) one.playbackRate = Number(speed.value);
});
play.addEventListener("click", toggle);
document.getElementById("back-frame").addEventListener("click", () => step(-1));
document.getElementById("next-frame").addEventListener("click", () => step(1));
document.getElementById("back-event").addEventListener("click", previous);
document.getElementById("next-event").addEventListener("click", next);
document.getElementById("drawn").addEventListener("change", ({ target }) => {
  overlay.shown = target.checked;
  show();
});
for (const event of ["seeked", "loadeddata", "resize"]) video.addEventListener(event, show);
addEventListener("resize", show);
document.addEventListener("acted", () => location.reload());

const alert = main.dataset.alert;
const has = (name) => document.querySelector(`[data-open="${name}"]`);
const openFor = (name, number = alert) => has(name) && openAct(name, number);
const faster = (by) => {
  speed.selectedIndex = Math.min(speed.options.length - 1, Math.max(0, speed.selectedIndex + by));
  speed.dispatchEvent(new Event("change"));
};
onKey("j", next);
onKey("k", previous);
onKey(" ", toggle);
onKey("ArrowLeft", () => step(-1));
onKey("ArrowRight", () => step(1));
onKey("1", () => go(tricks[0] ?? 0, { pause: true }));
onKey("2", () => go(tricks[1] ?? place, { pause: true }));
onKey("3", () => go(tricks[2] ?? place, { pause: true }));
onKey("p", () => document.getElementById("to-proof")?.click());
onKey("d", () => document.getElementById("drawn").click());
onKey("+", () => faster(1));
onKey("-", () => faster(-1));
onKey("a", () => openFor("confirmed"));
onKey("x", () => openFor("not-confirmed"));
onKey("u", () => openFor("unreadable"));
onKey("e", () => openFor("escalate"));
onKey("c", () => openFor("case", 0));
onKey("b", () => document.getElementById("bundle")?.click());
onKey("/", () => location.assign("/rounds#search"));

// For measuring: when the first picture of the film was there, in milliseconds from the page's beginning.
video.addEventListener("loadeddata", () => (main.dataset.firstPicture = Math.round(performance.now())), { once: true });
void film.open(start);
void side?.open(start);
void overlay.load(main.dataset.seen).then(show);
show();
requestAnimationFrame(tick);
