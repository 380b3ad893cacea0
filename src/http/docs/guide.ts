/** The introduction of /openapi.json in Markdown. Every viewer and generator shows it. A test runs its commands. */
export function guide(publicUrl: string): string {
  return `Precedent is a memory and decision log for AI agents. It stores facts, constraints and decisions, and tells agents
which ones are current.

- [All error codes](${publicUrl}/docs/problems), with their meaning and what to do
- [This document](${publicUrl}/openapi.json) as OpenAPI 3.1, for generators of clients

## Authentication

Every call under \`/v1\` needs a key. Send it as \`Authorization: Bearer svc_sk_…\`.

The first start of the service prints an admin key. An admin creates more keys with \`precedent keys create\` or
\`POST /admin/keys\`. A key has scopes, and each call below names the scope that it needs. A key may also belong to a user
and to teams. It then reads and writes their private records too.

The commands on this page take the key from the environment:

\`\`\`
export PRECEDENT_API_KEY=svc_sk_…
\`\`\`

This call works with any key. It lists your newest writes:

\`\`\`sh
curl -sS "${publicUrl}/v1/receipts?limit=5" -H "Authorization: Bearer $PRECEDENT_API_KEY"
\`\`\`

A missing, unknown, expired or revoked key gets 401 \`authentication_required\`. A key without the scope gets 403
\`insufficient_scope\`, which names the scope.

## Quickstart

Store a fact. \`Prefer: wait=10\` waits up to 10 seconds until the fact can be found:

\`\`\`sh
curl -sS "${publicUrl}/v1/context/memories" \\
  -H "Authorization: Bearer $PRECEDENT_API_KEY" -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: quickstart-fact-1' -H 'Prefer: wait=10' \\
  -d '{"kind": "fact", "content": "Refunds above 500 EUR need two approvals."}'
\`\`\`

Record a decision:

\`\`\`sh
curl -sS "${publicUrl}/v1/decisions" \\
  -H "Authorization: Bearer $PRECEDENT_API_KEY" -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: quickstart-decision-1' -H 'Prefer: wait=10' \\
  -d '{"title": "Deploy on Tuesdays", "judgment": "We deploy on Tuesdays, and never on Fridays.", "decided_by": ["Ann"]}'
\`\`\`

Search. Each hit cites its source:

\`\`\`sh
curl -sS "${publicUrl}/v1/context/search" \\
  -H "Authorization: Bearer $PRECEDENT_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"q": "who approves refunds?"}'
\`\`\`

Get a brief before a task. It is Markdown with citations, for the prompt of an agent:

\`\`\`sh
curl -sS "${publicUrl}/v1/context/brief?query=when+do+we+deploy" -H "Authorization: Bearer $PRECEDENT_API_KEY"
\`\`\`

## Life of a receipt

Every write answers with a receipt. The service answers once the receipt is on disk, so a write that got a receipt is not
lost.

| state | meaning |
| --- | --- |
| \`accepted\` | The write is stored, and waits to be applied. |
| \`processing\` | A worker applies it. |
| \`applied\` | Done. All reads show the record, and \`entity\` has its id. |
| \`failed\` | The write was valid, but can't be applied to the current records. \`error\` says why. |
| \`rejected\` | The text contains a credential. Nothing of the text was stored. |
| \`expired\` | An approval came too late. No call of v1 needs an approval. |

The last four are final. The answer to a write is 200 if its state is final, and 202 if not. \`Retry-After\` says when to
look again. With the header \`Prefer: wait=N\`, the answer waits up to N seconds (30 at most) for a final state.

To follow a write, read its receipt. \`wait=10\` waits up to 10 seconds for a final state:

\`\`\`sh
RECEIPT=$(curl -sS "${publicUrl}/v1/context/memories" \\
  -H "Authorization: Bearer $PRECEDENT_API_KEY" -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: receipt-example-1' \\
  -d '{"kind": "constraint", "content": "Backups stay in the EU."}' |
  sed 's/.*"receipt_id":"\\([^"]*\\)".*/\\1/')
curl -sS "${publicUrl}/v1/receipts/$RECEIPT?wait=10" -H "Authorization: Bearer $PRECEDENT_API_KEY"
\`\`\`

Every write needs an \`Idempotency-Key\` of your choice. If an answer gets lost, send the same request again with the same
key: you get the receipt of the first one, and the header \`Idempotent-Replayed: true\`. The same key with another input is
409 \`idempotency_conflict\`.

If \`retryable\` is true, the same input may succeed later. Send it again under a new key.
`
}
