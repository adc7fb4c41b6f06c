// The audit explorer: runs the verification and shows what was checked.
const button = document.getElementById("verify");
const result = document.getElementById("verified");
const idle = button.textContent;

button.addEventListener("click", async () => {
  button.disabled = true;
  button.textContent = button.dataset.busy;
  try {
    const answer = await fetch("/fragments/verification", { method: "POST", headers: { "X-Pitwatch-Act": "1", Accept: "text/html" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const template = document.createElement("template");
    template.innerHTML = await answer.text();
    result.replaceChildren(template.content);
  } catch {
    result.textContent = result.dataset.failed;
  }
  button.disabled = false;
  button.textContent = idle;
});
