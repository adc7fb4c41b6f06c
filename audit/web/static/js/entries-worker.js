// The shared worker: all tabs of this browser share one event stream, since HTTP/1.1 allows only six
// connections a host and eight open tabs must work as well as one.
import { Entries } from "./entries.js";

const entries = new Entries();

self.onconnect = ({ ports: [port] }) => {
  let remove = () => {};
  port.onmessage = ({ data }) => {
    remove();
    remove = data.kind === "join" ? entries.add((message) => port.postMessage(message), data.after) : () => {};
  };
};
