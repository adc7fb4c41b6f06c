// A film made of recorded segments: they are joined by the browser's own media source, each at its
// place on the time line. Segments around the place that is looked at are fetched first.

const AHEAD_S = 20;

export class Film {
  #video;
  #reels;
  #length;
  #buffer = null;
  #have = new Set();
  #busy = false;
  #failed;

  constructor(video, reels, length, failed) {
    this.#video = video;
    this.#reels = reels;
    this.#length = length;
    this.#failed = failed;
  }

  // Whether some of the film shows a place.
  shows(at) {
    return this.#reels.some((reel) => reel.start <= at && at < reel.start + reel.length);
  }

  frame(at) {
    const reel = this.#reels.find((one) => one.start <= at && at < one.start + one.length) ?? this.#reels[0];
    return 1 / (reel?.frames_per_second || 25);
  }

  async open(start) {
    if (this.#reels.length === 0) return this.#failed("nothing");
    const type = `video/mp4; codecs="${this.#reels[0].codec}"`;
    if (!("MediaSource" in window) || !MediaSource.isTypeSupported(type)) return this.#failed("cannot");
    const source = new MediaSource();
    const url = URL.createObjectURL(source);
    this.#video.src = url;
    await new Promise((done) => source.addEventListener("sourceopen", done, { once: true }));
    URL.revokeObjectURL(url);
    source.duration = this.#length;
    this.#buffer = source.addSourceBuffer(type);
    this.#buffer.mode = "segments";
    this.#video.addEventListener("seeking", () => void this.#fill());
    this.#video.addEventListener("timeupdate", () => void this.#fill());
    this.#video.currentTime = start;
    await this.#fill();
  }

  // What shows the place itself comes first, then what follows, then what lies just before.
  #wanted() {
    const at = this.#video.currentTime;
    const missing = this.#reels.filter((reel) => !this.#have.has(reel));
    const ends = (reel) => reel.start + reel.length;
    return missing.find((reel) => reel.start < at + AHEAD_S && ends(reel) > at) ?? missing.find((reel) => ends(reel) > at - 2 && reel.start < at);
  }

  async #fill() {
    if (this.#busy) return;
    this.#busy = true;
    for (let reel = this.#wanted(); reel; reel = this.#wanted()) {
      this.#have.add(reel);
      try {
        const answer = await fetch(reel.url);
        if (!answer.ok) continue; // A hole: what was deleted is not shown.
        await this.#append(reel, await answer.arrayBuffer());
      } catch {
        this.#have.delete(reel);
        await new Promise((done) => setTimeout(done, 1500));
      }
    }
    this.#busy = false;
  }

  async #append(reel, bytes) {
    const buffer = this.#buffer;
    const updated = () => new Promise((done) => buffer.addEventListener("updateend", done, { once: true }));
    if (buffer.updating) await updated();
    buffer.timestampOffset = reel.start;
    // What lies before the beginning of the time line cannot be placed on it.
    buffer.appendWindowStart = Math.max(0, reel.start);
    buffer.appendWindowEnd = Math.max(0.001, Math.min(this.#length, reel.start + reel.length + 0.05));
    if (buffer.appendWindowEnd <= buffer.appendWindowStart) return;
    buffer.appendBuffer(bytes);
    await updated();
  }
}
