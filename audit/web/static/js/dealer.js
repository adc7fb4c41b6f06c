// The dealer's screen: follows one table.
import { onEntry, refresh, soon } from "./page.js";

const screen = document.getElementById("main");
const url = `/fragments/dealer/${encodeURIComponent(screen.dataset.table)}`;
const again = soon(() => refresh(screen, url), 60);
onEntry((entry) => {
  if (entry.chain === screen.dataset.table) again();
});
