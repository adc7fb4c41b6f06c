// Tones by severity (Web Audio). Off until someone turns it on, since browsers keep a page silent
// before a first click. With several tabs open only one of them sounds.

const TONES = {
  critical: [[880, 0], [660, 0.18], [880, 0.36], [660, 0.54]],
  high: [[784, 0], [587, 0.2], [784, 0.4]],
  medium: [[587, 0], [587, 0.22]],
  low: [[440, 0]],
};
const GAP_MS = 1500; // Breaches that come together sound once.

let context = null;
let last = 0;
let mine = !("locks" in navigator);
if (!mine) {
  // Held for as long as the tab is open; another tab gets it when this one closes.
  void navigator.locks.request("pitwatch-tone", () => {
    mine = true;
    return new Promise(() => {});
  });
}

export function sounds() {
  return localStorage.getItem("tone") === "on";
}

// Until when the tone is muted, as milliseconds; 0 when it is not. Afterwards it sounds by itself.
export function mutedUntil() {
  const until = Number(localStorage.getItem("tone-muted-until") ?? 0);
  return until > Date.now() ? until : 0;
}

export function mute(minutes) {
  localStorage.setItem("tone-muted-until", String(Date.now() + 60_000 * minutes));
}

export async function turn(on) {
  localStorage.setItem("tone", on ? "on" : "off");
  if (!on) return;
  context ??= new AudioContext();
  await context.resume();
  play("low");
}

export function sound(severity) {
  if (!sounds() || mutedUntil() || !mine || performance.now() - last < GAP_MS) return;
  last = performance.now();
  play(severity);
}

function play(severity) {
  context ??= new AudioContext();
  for (const [pitch, after] of TONES[severity] ?? []) {
    const start = context.currentTime + after;
    const tone = context.createOscillator();
    const level = context.createGain();
    tone.frequency.value = pitch;
    level.gain.setValueAtTime(0, start);
    level.gain.linearRampToValueAtTime(0.22, start + 0.015);
    level.gain.exponentialRampToValueAtTime(0.001, start + 0.16);
    tone.connect(level).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.18);
  }
}
