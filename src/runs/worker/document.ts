/** The document that an executor gets: what it has to do, and what bears on it. */
import { type Actor, userOfKey, type WorkspaceType } from '../../access/actor.ts'
import { seenBy } from '../../access/session-keys.ts'
import { brief } from '../../context/brief/brief.ts'
import type { Reads } from '../../operation.ts'
import { urlField } from '../../records/present/present.ts'
import { cut } from '../../records/title.ts'
import { enrichmentOf } from '../../tasks/enrichment.ts'
import type { RunRow } from './run-row.ts'

interface Of {
  run: RunRow
  fence: number
  workspaceType: WorkspaceType
}

/** Uses the copy of the task in the run. Later changes of the task don't count. */
export async function documentOf({ run, fence, workspaceType }: Of, reads: Reads): Promise<Record<string, unknown>> {
  const { body, mutable, title: name, text: description } = run
  const { number, task, instructions, labels, project, priority, repo_full_name, decision_ids } = body
  const actor = readerOf(run, workspaceType)
  const query = cut(`${name}\n${description}`, longestQuery)
  const [enrichment, { markdown }] = await Promise.all([
    enrichmentOf({ name, description, decision_ids }, actor, reads),
    brief.run({ input: brief.input.parse({ query }), actor, reads }),
  ])
  const { phase, plan, approval } = mutable
  return {
    phase,
    run: { id: run.id, number },
    fence,
    task: {
      id: task,
      name,
      description,
      ...{ labels, project, priority, repo_full_name, decision_ids },
      ...urlField({ kind: 'task', record_id: task }, reads.publicUrl),
    },
    enrichment,
    instructions,
    ...(plan === null
      ? {}
      : { plan: { text: plan.text, steps: plan.steps, revision: plan.revision, note: approval?.note ?? null } }),
    brief: markdown,
  }
}

/** Characters of the query of a brief. */
const longestQuery = 2_000

/** What it reads is seen by everyone who sees the task, as the key of the session sees it. */
function readerOf({ id, workspace, audience }: RunRow, workspaceType: WorkspaceType): Actor {
  const { user, teams } = seenBy(audience)
  return {
    ...{ workspace, workspaceType, teams },
    credential: id,
    user: user ?? userOfKey(id),
    scopes: ['context:read', 'tasks:read'],
    isSession: true,
  }
}
