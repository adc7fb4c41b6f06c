// A round that is still being played: shows its page once the round is in the record.
import { onEntry } from "./page.js";

const round = document.getElementById("main").dataset.round;
onEntry((entry) => {
  if (entry.kind.startsWith("rules.round.") && entry.body.record.round === round) location.reload();
});
