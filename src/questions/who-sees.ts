/** Who sees the note that answers a question, as the question says before it is answered (docs/questions.md). */
import type { WorkspaceType } from '../access/actor.ts'
import { invalid } from '../problem.ts'
import { audienceFor, type Visibility } from '../records/audience.ts'
import type { Reason } from '../records/body.ts'
import type { Audience } from '../records/ids.ts'
import { asksOfClaims } from './question.ts'

export interface SeenBy {
  /** Those who are asked. */
  question: Audience
  /** Those who see what the note becomes, where the answer names nobody. */
  answer: Audience
}

/** `about`: audiences of the records that the question is about. */
export function seenBy(reason: Reason, question: Audience, about: readonly Audience[]): SeenBy {
  return { question, answer: asksOfClaims(reason) ? widest(about) : question }
}

/** Everyone who sees what is superseded must see what takes its place. */
function widest(audiences: readonly Audience[]): Audience {
  return audiences.find((audience) => audience === 'workspace') ?? (audiences[0] as Audience)
}

/** Of the note, as the answer names it. Throws where that is neither those who are asked nor those of the answer. */
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
    `must be ${possible} for this question, or left out; to tell others, or yourself alone, record a memory of its own: POST /v1/context/memories`,
  )
}

function shortOf(audience: Audience): string {
  if (audience === 'workspace') return 'workspace'
  return audience.startsWith('team:') ? `team ${audience.slice('team:'.length)}` : 'private'
}

/** Begins the line of a brief that says it. No record's text can: its asterisks are escaped. */
export const seenLabel = '*Who sees the answer:*'

/** For people. Of an audience that the reader is in. */
export function whoSees(audience: Audience): string {
  if (audience === 'workspace') return 'everyone in the workspace'
  return audience.startsWith('team:') ? 'the team' : 'you alone'
}
