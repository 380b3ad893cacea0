/** The introduction of /api/v2/openapi.json in Markdown. A test runs its commands. */
export function guideV2(publicUrl: string): string {
  return `The second version of the API, beside v1. Keys, receipts, problems and limits are those of
[v1](${publicUrl}/openapi.json); reads of v1 show what these calls write.

- A write answers its receipt. Follow it at \`GET /v1/receipts/{id}\`, or wait with \`Prefer: wait=N\`.
- \`Idempotency-Key\` is optional. Without a key, each call is a new write.
- \`If-Match: "<revision>"\` makes a write conditional: if there is a newer revision, it fails with 409
  \`revision_conflict\`.

\`\`\`sh
curl -sS "${publicUrl}/api/v2/decisions" \\
  -H "Authorization: Bearer $PRECEDENT_API_KEY" -H 'Content-Type: application/json' -H 'Prefer: wait=10' \\
  -d '{"title": "Release trains", "judgment": "We release every second Tuesday."}'
\`\`\`

The graph of a decision shows what it superseded, and what took its place:

\`\`\`sh
DECISION=$(curl -sS "${publicUrl}/v1/decisions" \\
  -H "Authorization: Bearer $PRECEDENT_API_KEY" -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: graph-example-1' -H 'Prefer: wait=10' \\
  -d '{"title": "Deploy on Tuesdays", "judgment": "We deploy to production on Tuesdays before noon."}' |
  sed 's/.*"entity":{[^}]*"id":"\\([^"]*\\)".*/\\1/')
curl -sS "${publicUrl}/api/v2/decisions/graph?root=$DECISION" -H "Authorization: Bearer $PRECEDENT_API_KEY"
\`\`\`

Tasks are the work in hand. A task changes in place, and each change is a revision. Search and sync show tasks too:

\`\`\`sh
curl -sS "${publicUrl}/api/v2/tasks" \\
  -H "Authorization: Bearer $PRECEDENT_API_KEY" -H 'Content-Type: application/json' -H 'Prefer: wait=10' \\
  -d '{"name": "Move the deployment job to Tuesdays", "labels": ["ci"], "external_id": "OPS-431"}'
\`\`\`

\`\`\`sh
curl -sS "${publicUrl}/api/v2/tasks?status=todo,in_progress&sort=due" -H "Authorization: Bearer $PRECEDENT_API_KEY"
\`\`\`

- \`POST\` with an \`external_id\` that a task has changes that task by the fields given. In \`PATCH\`, \`null\` clears a field.
- An agent claims a task by \`PATCH\` with \`If-Match\` and its name in \`assignees\` (\`me\` is the user of the key). Of two
  agents one gets \`revision_conflict\`.
- To follow changes, list the tasks and keep \`next_cursor\`: the last page has one too. The same call with it shows what
  changed since. If it answers that the cursor does not continue the list, begin without it.

[All error codes](${publicUrl}/docs/problems) are explained on their own page.
`
}
