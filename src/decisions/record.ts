/** decision.record: records a decision, or a revision of the one with the same external_id (SEMANTICS 1 and 7). */
import type { Actor } from '../access/actor.ts'
import type { DecideContext } from '../deciding/context.ts'
import { linksToLookup } from '../deciding/links.ts'
import type { Outcome } from '../deciding/outcome.ts'
import { covers } from '../deciding/supersession.ts'
import { type Audience, uuidPattern } from '../ids.ts'
import { type CheckContext, defineOperation } from '../operation.ts'
import type { Documents } from '../ports/documents.ts'
import { invalid } from '../problem.ts'
import { audienceFor, defaultVisibility } from '../records/audience.ts'
import { audiencesWithExternalId, findVisible, noSuch } from '../records/read/visible.ts'
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
  raisesQuestions: true,
  input: decisionInput,
  texts: textsOf,
  defaults: (_, workspaceType) => ({ visibility: defaultVisibility(workspaceType) }),

  check: (context) => checkDecision(context),

  lookups(input, actor, workspaceType) {
    const kind = 'decision' as const
    const audiences = safeAudience(input, actor, workspaceType)
    return {
      externalIds: [
        ...(input.external_id && audiences ? [{ kind, audiences: [audiences], externalId: input.external_id }] : []),
        ...input.supersedes
          .filter((target) => !uuidPattern.test(target))
          .map((externalId) => ({ kind, audiences: actor.audiences, externalId })),
      ],
      documents: input.external_id ? [linksToLookup(input.external_id)] : [],
    }
  },

  async decide(context) {
    const { input, actor, state, workspaceType } = context
    const audience = audienceFor(input.visibility, actor, workspaceType)
    const [known] = input.external_id ? await state.withExternalId('decision', [audience], input.external_id) : []
    if (known) return revise(context, known, audience)
    return recordNew(context, audience)
  },
})

/** `field`: the field of the input that holds the decision. Left out: the decision is the input. */
export async function checkDecision(
  { input, actor, documents }: Pick<CheckContext<DecisionInput>, 'input' | 'actor' | 'documents'>,
  field?: string,
): Promise<void> {
  const length = textsOf(input).reduce((sum, { text }) => sum + text.length, 0)
  if (length > mostCharacters) {
    const message = `all texts together may have ${mostCharacters} characters, these have ${length}`
    throw invalid(field ?? 'body', message)
  }
  const audience = audienceFor(input.visibility, actor, actor.workspaceType)
  for (const [at, target] of input.supersedes.entries()) {
    const place = `${field === undefined ? '' : `${field}.`}supersedes[${at}]`
    const seen = await seenDecisions(documents, actor, target)
    if (seen.length === 0) {
      // a decision with this external_id may be recorded later; a missing id stays missing
      if (!uuidPattern.test(target)) continue
      throw noSuch('decision', place)
    }
    if (!seen.some((row) => covers(audience, row.audience))) {
      throw invalid(place, 'everyone who sees the older decision must see the newer one: widen visibility')
    }
  }
}

/** The visible decision with this id; if there is none, those with this external_id. */
async function seenDecisions(documents: Documents, actor: Actor, target: string): Promise<{ audience: Audience }[]> {
  const named = uuidPattern.test(target) ? await findVisible(documents, actor, target, 'decision') : undefined
  return named ? [named] : audiencesWithExternalId(documents, actor, 'decision', target)
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
