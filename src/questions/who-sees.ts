/** Determines who will see the note that answers a question. The question says so before it is answered (docs/questions.md). */

import type { WorkspaceType } from '../access/actor.ts'
import type { Audience } from '../ids.ts'
import { invalid } from '../problem.ts'
import { audienceFor, type Visibility } from '../records/audience.ts'
import type { Reason } from '../records/body.ts'
import { kinds } from '../records/kinds.ts'
import type { Envelope } from '../records/record.ts'
import { asksOfClaims } from './question.ts'

export interface SeenBy {
  /** The audience of the question. */
  question: Audience
  /** The audience of the record made from the note, unless the answer names another. */
  answer: Audience
}

type Seen = Pick<Envelope, 'audience'>

/** `about`: the records that the question is about. */
export function seenBy(reason: Reason, question: Audience, about: readonly Seen[]): SeenBy {
  return { question, answer: asksOfClaims(reason) ? widest(about) : question }
}

/** The successor must be visible to everyone who sees the superseded records. */
function widest(about: readonly Seen[]): Audience {
  return about.some(({ audience }) => audience === 'workspace') ? 'workspace' : (about[0] as Seen).audience
}

/** The audience of the note. Throws if the answer names an audience that `SeenBy` does not allow. */
export function chosenAudience(
  named: Visibility | undefined,
  { question, answer }: SeenBy,
  actor: { user: string; teams: readonly string[] },
  workspaceType: WorkspaceType,
): Audience {
  if (named === undefined) return answer
  const audience = audienceFor(named, actor, workspaceType)
  if (audience === answer || audience === question) return audience
  const possible = [...new Set([answer, question])].map(shortOf).join(' or ')
  throw invalid(
    'visibility',
    `must be ${possible} for this question, or left out; for any other visibility record a separate memory: POST ${kinds.memory.path}`,
  )
}

function shortOf(audience: Audience): string {
  if (audience === 'workspace') return 'workspace'
  return audience.startsWith('team:') ? `team ${audience.slice('team:'.length)}` : 'private'
}

/** Starts the line of a brief that says it. No record can fake it, because asterisks of records are escaped. */
export const seenLabel = '*Who sees the answer:*'
