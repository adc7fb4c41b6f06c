// Shows how far a report is, until it is over.
import { refresh } from "./page.js";

const job = document.getElementById("job");

async function look() {
  if (job.querySelector("[data-over]")) {
    document.getElementById("cancel")?.remove();
    return;
  }
  try {
    await refresh(job, job.dataset.piece);
  } catch {
    // The server is away for a moment: ask again.
  }
  setTimeout(look, 700);
}
setTimeout(look, 400);
