// Follows the record: calls `onEntry(entry)` for every entry after the one that the page shows, and
// `onLink(up)` when the link drops or comes back.

export async function follow(onEntry, onLink) {
  let last = Number(document.body.dataset.head);
  const take = (message) => {
    if (message.kind === "link") return onLink(message.up);
    if (message.entry.id <= last) return;
    last = message.entry.id;
    onEntry(message.entry);
  };
  if ("SharedWorker" in window) {
    const worker = new SharedWorker(new URL("entries-worker.js", import.meta.url), { type: "module", name: "pitwatch" });
    worker.port.onmessage = ({ data }) => take(data);
    worker.port.start();
    worker.port.postMessage({ kind: "join", after: last });
    // A page that goes to the back/forward cache leaves, and joins where it stopped.
    addEventListener("pagehide", () => worker.port.postMessage({ kind: "leave" }));
    addEventListener("pageshow", (event) => {
      if (event.persisted) worker.port.postMessage({ kind: "join", after: last });
    });
  } else {
    const { Entries } = await import("./entries.js");
    new Entries().add(take, last);
  }
}
