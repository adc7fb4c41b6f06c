// The dealer's screen: follows one table, and takes wagers and payouts by touch.
import { act } from "./act.js";
import { onEntry, refresh, soon } from "./page.js";

const main = document.getElementById("main");
const table = encodeURIComponent(main.dataset.table);
const again = soon(() => refresh(document.getElementById("screen"), `/fragments/dealer/${table}`), 60);
const entered = document.getElementById("entered");
const listAgain = soon(() => refresh(entered, `/fragments/dealer/${table}/entries`), 60);
onEntry((entry) => {
  if (entry.chain !== main.dataset.table) return;
  again();
  if (entered && entry.kind.startsWith("feed.")) listAgain();
});

// What was entered waits in the browser until the server has it. Each entry has a name of its own,
// under which the server keeps it once, however often it is sent.
const KEY = `entries-${main.dataset.table}`;
const waiting = () => JSON.parse(localStorage.getItem(KEY) ?? "[]");
const keep = (list) => localStorage.setItem(KEY, JSON.stringify(list));
const problem = document.getElementById("entry-problem");
const left = document.getElementById("entry-waiting");
let sending = false;

function showWaiting() {
  const count = waiting().length;
  left.hidden = count === 0;
  left.textContent = left.dataset.words.replace("{count}", count);
}

async function send() {
  if (sending) return;
  sending = true;
  for (let [next] = waiting(); next; [next] = waiting()) {
    try {
      await act(next.url, next.body);
    } catch (error) {
      if (!error.status) break; // The link is down: later.
      problem.textContent = error.message;
      problem.hidden = false;
    }
    keep(waiting().filter((one) => one.body.client_id !== next.body.client_id));
  }
  sending = false;
  showWaiting();
}

function report(kind, seat, wager, amount, corrects) {
  const body = { seat, wager, amount, source: "dealer-screen", client_id: `screen-${crypto.randomUUID()}`, at: new Date().toISOString() };
  if (corrects) body.corrects = corrects;
  problem.hidden = true;
  keep([...waiting(), { url: `/api/v1/tables/${table}/${kind}s`, body }]);
  void send();
}

const form = document.getElementById("entry");
if (form) {
  const sum = document.getElementById("sum");
  let amount = 0;
  let corrects = null;
  const show = () => {
    sum.textContent = amount % 100 ? (amount / 100).toFixed(2) : (amount / 100).toLocaleString("en");
  };
  const wipe = () => {
    amount = 0;
    corrects = null;
    document.querySelector(".correcting")?.classList.remove("correcting");
    show();
  };
  const chosen = (name) => form.elements[name].value;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", ({ target }) => {
    const chip = target.closest("[data-chip]");
    if (chip) amount += Number(chip.dataset.chip);
    if (target.closest("#wipe")) wipe();
    show();
    const button = target.closest("[data-report]");
    if (!button) return;
    const seat = Number(chosen("seat"));
    const how = button.dataset.report;
    if (amount === 0 && how !== "pushed") return;
    if (how === "wager") report("wager", seat, chosen("wager"), amount, corrects);
    else report("payout", seat, chosen("wager"), { paid: amount, taken: -amount, pushed: 0 }[how], corrects);
    wipe();
  });
  entered.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-undo]");
    if (!button) return;
    const { undo, seat, wager } = button.dataset;
    if (button.dataset.act === "wager") {
      report("wager", Number(seat), wager, 0, Number(undo));
      return;
    }
    // A payout was made all the same: the right amount is asked for.
    wipe();
    corrects = Number(undo);
    form.elements.seat.value = seat;
    form.elements.wager.value = wager;
    button.closest("li").classList.add("correcting");
    sum.focus?.();
  });
  // What is due can be entered as paid by one touch.
  main.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-due]");
    if (!button) return;
    button.disabled = true;
    report("payout", Number(button.dataset.seat), button.dataset.wager, Number(button.dataset.due));
  });
  showWaiting();
  void send();
  setInterval(send, 3000);
}
