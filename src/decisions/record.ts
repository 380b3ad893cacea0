/** decision.record: records a decision, or a revision of the one with the same external_id (SEMANTICS 1 and 7). */
import { type Actor, audiencesOf } from '../access/actor.ts'
import { type DecideContext, defineOperation, type Outcome } from '../operation.ts'
import type { Documents } from '../ports/documents.ts'
import { invalid, problem } from '../problem.ts'
import { audienceFor, defaultVisibility } from '../records/audience.ts'
import { type Audience, uuidPattern } from '../records/ids.ts'
import { records } from '../records/record.ts'
import { covers } from '../records/supersession.ts'
import { visibleRows } from '../records/visible.ts'
import { type DecisionInput, decisionInput } from './input.ts'
import { revise } from './revise.ts'
import { decisionRow, textsOf } from './row.ts'
import { supersedeTargets, superseding } from './supersedes.ts'
import { takeWaiting } from './take-waiting.ts'

/** UTF-16 units of all texts of a decision together, so that its entry stays within the bounds of the journal. */
const mostCharacters = 400_000

export const recordDecision = defineOperation<DecisionInput>({
  name: 'decision.record',
  scope: 'context:write',
  summary: 'Records a decision with its context, judgment and what it supersedes.',
  input: decisionInput,
  texts: textsOf,
  defaults: (_, workspaceType) => ({ visibility: defaultVisibility(workspaceType) }),

  async check({ input, actor, documents }) {
    const length = textsOf(input).reduce((sum, { text }) => sum + text.length, 0)
    if (length > mostCharacters) {
      throw invalid('body', `all texts together may have ${mostCharacters} characters, these have ${length}`)
    }
    const audience = audienceFor(input.visibility, actor, actor.workspaceType)
    for (const [at, target] of input.supersedes.entries()) {
      const visible = await visibleDecisions(documents, actor, target)
      if (visible.length === 0) {
        // a decision with this external_id may be recorded later; a missing id stays missing
        if (!uuidPattern.test(target)) continue
        throw problem('not_found', `There is no decision with the id in supersedes[${at}].`)
      }
      if (!visible.some((row) => covers(audience, row.audience))) {
        throw invalid(
          `supersedes[${at}]`,
          'everyone who sees the older decision must see the newer one: widen visibility',
        )
      }
    }
  },

  lookups(input, actor, workspaceType) {
    const audiences = safeAudience(input, actor, workspaceType)
    return {
      externalIds: [
        ...(input.external_id && audiences ? [{ audiences: [audiences], externalId: input.external_id }] : []),
        ...input.supersedes
          .filter((target) => !uuidPattern.test(target))
          .map((externalId) => ({ audiences: actor.audiences, externalId })),
      ],
      targets: input.external_id ? [input.external_id] : [],
    }
  },

  async decide(context) {
    const { input, actor, state, workspaceType } = context
    const audience = audienceFor(input.visibility, actor, workspaceType)
    const [known] = input.external_id ? await state.withExternalId([audience], input.external_id) : []
    if (known) return revise(context, known, audience)
    return recordNew(context, audience)
  },
})

/** The visible decisions with this id; if there is none, those with this external_id. */
async function visibleDecisions(documents: Documents, actor: Actor, target: string): Promise<{ audience: Audience }[]> {
  const fields = ['audience', 'kind'] as const
  const byId = uuidPattern.test(target) ? await visibleRows(documents, actor, target, fields) : []
  const shown = byId.filter((row) => row.kind === 'decision')
  if (shown.length > 0) return shown
  const where = { workspace: actor.workspace, audience: { in: audiencesOf(actor) }, external_id: target }
  return (await documents.find(records, { where, limit: 100, fields })).filter((row) => row.kind === 'decision')
}

async function recordNew(context: DecideContext<DecisionInput>, audience: Audience): Promise<Outcome> {
  const row = decisionRow(context, { id: context.newId(), revision: 1, audience })
  return takeWaiting(context, superseding(row, await supersedeTargets(context, row)))
}

function safeAudience(
  input: DecisionInput,
  actor: DecideContext<DecisionInput>['actor'],
  workspaceType: DecideContext<DecisionInput>['workspaceType'],
): Audience | undefined {
  try {
    return audienceFor(input.visibility, actor, workspaceType)
  } catch {
    return undefined // the actor isn't in this team: decide reports it
  }
}
