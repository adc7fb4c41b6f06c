// One event stream for any number of listeners. Every listener gets each entry after the one it
// names: once, in order, without a gap. Runs in the shared worker, or in the page where there is none.

const KEPT = 2000; // Entries kept for listeners that join late; older ones are fetched.
const PAGE = 500;
const RETRY_MS = 2000;

export class Entries {
  #listeners = new Set();
  #kept = [];
  #oldest = null; // Everything after this entry is kept.
  #seen = null; // The last entry that the stream brought.
  #source = null;
  #up = null;

  // Adds a listener that wants every entry after `after`. Returns the function that removes it.
  add(send, after) {
    const listener = { send, last: after, behind: false };
    this.#listeners.add(listener);
    if (this.#source === null) {
      this.#oldest = this.#seen = after;
      this.#connect();
    } else {
      if (this.#up !== null) send({ kind: "link", up: this.#up });
      void this.#catchUp(listener);
    }
    return () => this.#listeners.delete(listener);
  }

  #connect() {
    this.#source?.close();
    // After a dropped link the browser sends Last-Event-ID, which the server puts before `after`.
    const source = new EventSource(`/api/v1/stream?after=${this.#seen}`);
    this.#source = source;
    source.onopen = () => this.#link(true);
    source.onmessage = (message) => this.#receive(Number(message.lastEventId), JSON.parse(message.data));
    source.onerror = () => {
      this.#link(false);
      // The browser reconnects on its own unless it was refused for good; then we ask again.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.#connect(), RETRY_MS);
    };
  }

  #link(up) {
    if (this.#up === up) return;
    this.#up = up;
    for (const listener of this.#listeners) listener.send({ kind: "link", up });
  }

  #receive(id, entry) {
    if (!(id > this.#seen)) return;
    this.#seen = id;
    this.#kept.push(entry);
    if (this.#kept.length > KEPT) this.#oldest = this.#kept.shift().id;
    for (const listener of this.#listeners) if (!listener.behind) this.#pass(listener, entry);
  }

  #pass(listener, entry) {
    if (entry.id <= listener.last) return;
    listener.last = entry.id;
    listener.send({ kind: "entry", entry });
  }

  // Fetches what a late listener missed before the kept entries begin, then passes the kept ones.
  async #catchUp(listener) {
    listener.behind = true;
    while (listener.last < this.#oldest && this.#listeners.has(listener)) {
      try {
        const answer = await fetch(`/api/v1/entries?after=${listener.last}&limit=${PAGE}`);
        if (!answer.ok) throw new Error(String(answer.status));
        const { entries } = await answer.json();
        if (entries.length === 0) break;
        for (const entry of entries) this.#pass(listener, entry);
      } catch {
        await new Promise((done) => setTimeout(done, RETRY_MS));
      }
    }
    for (const entry of this.#kept) this.#pass(listener, entry);
    listener.behind = false;
  }
}
