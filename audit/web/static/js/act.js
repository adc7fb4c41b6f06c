// Acts of a person on the record. The header tells our own pages from those of other sites.

export async function act(url, body = {}) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Pitwatch-Act": "1" },
    body: JSON.stringify(body),
  });
  if (answer.status === 401) location.reload();
  if (!answer.ok) throw Object.assign(new Error(await told(answer)), { status: answer.status });
  return answer.json();
}

// Why an act was refused, in the server's own words.
async function told(answer) {
  try {
    const { detail } = await answer.json();
    return typeof detail === "string" ? detail : detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join("; ");
  } catch {
    return String(answer.status);
  }
}
