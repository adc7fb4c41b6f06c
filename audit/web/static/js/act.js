// Acts of a person on the record. The header tells our own pages from those of other sites.

export async function act(url, body = {}) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Pitwatch-Act": "1" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}
