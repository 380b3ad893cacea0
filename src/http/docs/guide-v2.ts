/** The introduction of /api/v2/openapi.json in Markdown. A test runs its commands. */
import { mcpPath } from '../routes/mcp-paths.ts'

export function guideV2(publicUrl: string): string {
  const key = '-H "Authorization: Bearer $PRECEDENT_API_KEY"'
  const json = "-H 'Content-Type: application/json' -H 'Prefer: wait=10'"
  return `The second version of the API, beside v1. Keys, receipts, problems and limits are those of
[v1](${publicUrl}/openapi.json); reads of v1 show what these calls write.

Agents reach the same operations by the Model Context Protocol, at \`${publicUrl}${mcpPath}\`.

## Writes

- A write answers its receipt. Follow it at \`GET /v1/receipts/{id}\`, or wait with \`Prefer: wait=N\`.
- \`Idempotency-Key\` is optional. Without a key, each call is a new write.
- \`If-Match: "<revision>"\` makes a write conditional: if there is a newer revision, it fails with 409
  \`revision_conflict\`.

## Lists

- \`limit\` is 1 to 200. \`next_cursor\` of a page is \`cursor\` of the next one, with the same filters.
- A page may be short and still have a cursor: \`has_more\` says whether more can be read now.
- A filter with fixed values or ids may be repeated or hold several values, separated by commas. A filter by names may be
  repeated only, because a name may have a comma. Several values mean any of them; several filters mean all of them.

## From a decision to what was learned

Record a decision, keep its id, and read it:

\`\`\`sh
DECISION=$(curl -sS "${publicUrl}/api/v2/decisions" \\
  ${key} ${json} \\
  -d '{"title": "Release trains", "judgment": "We release every second Tuesday.", "decided_by": ["Ann"]}' |
  sed 's/.*"entity":{[^}]*"id":"\\([^"]*\\)".*/\\1/')
curl -sS "${publicUrl}/v1/decisions/$DECISION" ${key}
\`\`\`

Months later it has failed. A failure asks people what was learned, and briefs show it under “What failed before”:

\`\`\`sh
curl -sS -X PATCH "${publicUrl}/api/v2/decisions/$DECISION/outcome" \\
  ${key} ${json} \\
  -d '{"outcome_status": "failure", "outcome_notes": "Fixes waited for two weeks."}'
\`\`\`

Replace it by a new decision in the same step. To name an existing one, send \`superseded_by\` instead of \`decision\`:

\`\`\`sh
curl -sS "${publicUrl}/api/v2/decisions/$DECISION/supersede" \\
  ${key} ${json} \\
  -d '{"decision": {"title": "Release daily", "judgment": "We release every working day."}, "reason": "Fixes waited."}'
\`\`\`

The graph shows what a decision superseded, and what took its place:

\`\`\`sh
curl -sS "${publicUrl}/api/v2/decisions/graph?root=$DECISION" ${key}
\`\`\`

Find decisions by a question, by filters, or by both:

\`\`\`sh
curl -sS "${publicUrl}/api/v2/decisions/search?decided_by=Ann&in_force=false&limit=5" ${key}
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
- \`GET /api/v2/tasks/{id}\` also tells what bears on the task: decisions in force, constraints, open questions and past
  outcomes, cited as in a brief. It needs the scope \`context:read\`; \`enrichment=none\` leaves it out.
- An agent claims a task by \`PATCH\` with \`If-Match\` and its name in \`assignees\` (\`me\` is the user of the key). Of two
  agents one gets \`revision_conflict\`.
- To follow changes, list the tasks and keep \`next_cursor\`: the last page has one too. The same call with it shows what
  changed since. If it answers that the cursor does not continue the list, begin without it.

## Runs

An executor of the operator can carry out a task: \`POST /api/v2/tasks/{id}/run\`. The policy of the operator decides whether
the run starts by itself, waits for an approval, or is refused. The run copies the task, so that later changes of the task
don't change what was approved.

- \`GET /api/v2/tasks/{id}/run\` shows the newest run: its state, plan, sessions and result.
- \`POST …/run/approve\` names the \`plan_revision\` that you have read. If there is another plan by now, it fails with
  \`plan_changed\`. It needs the scope \`tasks:approve\`, and whoever started the run may not approve it.
- \`POST …/run/cancel\` is final.
- \`GET …/run/subscribe\` tells of milestones: call it again with \`after\` set to \`next_after\`, \`state\` to the state that
  you have seen and \`wait\` to up to 30 seconds, until \`done\`. With \`Accept: text/event-stream\` it is a stream of the
  events \`state\`, \`milestone\` and \`done\`; \`Last-Event-ID\` continues it. Milestones are kept for 30 days after the end.

[All error codes](${publicUrl}/docs/problems) are explained on their own page.
`
}
