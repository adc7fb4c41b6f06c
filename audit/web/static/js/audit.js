// The audit explorer: runs a check and shows what was checked.
for (const button of document.querySelectorAll("[data-piece-at]")) {
  const result = document.getElementById(button.dataset.into);
  const idle = button.textContent;
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = button.dataset.busy;
    try {
      const answer = await fetch(button.dataset.pieceAt, { method: "POST", headers: { "X-Pitwatch-Act": "1", Accept: "text/html" } });
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
}
