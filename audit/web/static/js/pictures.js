// Live pictures: each is asked for about four times a second while it can be seen, and not otherwise.

const EVERY_MS = 250;
const NONE_MS = 1000; // Between looks while there is no picture.
const LATE_S = 5;

const seen = new Set();
const watcher = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) {
    if (isIntersecting) seen.add(target);
    else seen.delete(target);
  }
});

export function show(figures, words) {
  watcher.disconnect();
  seen.clear();
  for (const figure of figures) {
    watcher.observe(figure);
    void refreshFor(figure, words);
  }
}

async function refreshFor(figure, words) {
  let tag = null;
  while (figure.isConnected) {
    const started = performance.now();
    if (seen.has(figure) && !document.hidden) {
      try {
        tag = await refresh(figure, tag, words);
      } catch {
        // The link lamp tells that the server is away; the picture keeps its age below.
        age(figure, words, null);
      }
    }
    const pause = tag === null ? NONE_MS : EVERY_MS;
    await new Promise((done) => setTimeout(done, Math.max(60, pause - (performance.now() - started))));
  }
}

async function refresh(figure, tag, words) {
  const headers = tag ? { "If-None-Match": tag } : {};
  const answer = await fetch(figure.dataset.src, { headers, cache: "no-store" });
  const image = figure.querySelector("img");
  if (answer.status === 204) {
    image.hidden = true;
    figure.classList.add("empty-picture");
    figure.querySelector(".age").hidden = true;
    light(figure, true);
    return null;
  }
  if (answer.status === 200) {
    const url = URL.createObjectURL(await answer.blob());
    const former = image.src;
    image.src = url;
    try {
      await image.decode();
    } finally {
      if (former.startsWith("blob:")) URL.revokeObjectURL(former);
    }
    image.hidden = false;
    figure.classList.remove("empty-picture");
  }
  figure.dataset.taken = String(Date.now() - 1000 * Number(answer.headers.get("Picture-Age")));
  age(figure, words);
  return answer.headers.get("ETag");
}

// Puts the table's lamp to "no new picture" and back. Returns whether that is news: of a table that
// nobody watches an old picture is expected.
function light(figure, late) {
  const lamp = figure.closest(".tile").querySelector("[data-lamp][data-late]");
  if (!lamp) return false;
  lamp.className = `lamp ${late ? "late" : lamp.dataset.usual}`;
  lamp.textContent = late ? lamp.dataset.late : lamp.dataset.on;
  return late;
}

function age(figure, words) {
  const label = figure.querySelector(".age");
  if (!figure.dataset.taken) return;
  const seconds = Math.max(0, (Date.now() - Number(figure.dataset.taken)) / 1000);
  const late = seconds > LATE_S;
  figure.classList.toggle("stale", light(figure, late));
  label.hidden = false;
  label.textContent = (late ? words.stale : words.age).replace("{seconds}", late ? seconds.toFixed(0) : seconds.toFixed(1));
}
