/** The tools that record. Each waits up to 10 s until its write can be read. */
import { recordOutcome } from '../../decisions/outcome.ts'
import { recordDecision } from '../../decisions/record.ts'
import { supersedeDecision } from '../../decisions/supersede.ts'
import { remember } from '../../memories/remember.ts'
import { resolve } from '../../questions/answer/resolve.ts'
import { outcomeOf, supersedingOf } from '../base/told.ts'
import { type Tool, writeTool } from '../base/tool.ts'

/** ms. A model that got no answer repeats its call; a person who says the same again does so later. */
export const repeatsFor = 10 * 60_000

export const writeTools: readonly Tool[] = [
  writeTool(remember, {
    name: 'remember',
    title: 'Remember',
    description:
      'Records one fact, constraint, commitment or correction, or the outcome of a session. Call it when something was settled that others will need: one statement a call, in full sentences, with its source. A correction names the memory that it replaces. Never put credentials into it.',
    isCore: true,
    isRepeatable: true,
    repeatsFor,
  }),
  writeTool(resolve, {
    name: 'resolve_question',
    title: 'Answer an open question',
    description:
      'Answers, confirms, corrects or dismisses an open question of a brief or a search. Use it only with what a person told you or what a source proves: never guess.',
    isCore: true,
    isRepeatable: true,
  }),
  writeTool(recordDecision, {
    name: 'record_decision',
    title: 'Record a decision',
    description:
      'Records a decision with its context, reasons and who took it. Call it after a decision was made, not before; with status proposed if somebody still has to agree. Search first: if it replaces an older decision, name that in supersedes.',
    isCore: true,
    isRepeatable: false,
    repeatsFor,
    told: ({ supersedes = [] }, receipt, caller) => supersedingOf(supersedes, receipt, caller),
  }),
  writeTool(recordOutcome, {
    name: 'record_outcome',
    title: 'Record how a decision worked out',
    description:
      'Records whether a decision succeeded, failed, or both in parts, and what was learned. The decision itself stays as it is. A failure asks people what replaces it.',
    isCore: true,
    isRepeatable: true,
    told: outcomeOf,
  }),
  writeTool(supersedeDecision, {
    name: 'supersede_decision',
    title: 'Replace a decision',
    description:
      'Replaces a decision: with an existing one (superseded_by) or with a new one that is recorded in the same step (decision). Give the reason.',
    isRepeatable: true,
    describedBy: { decision: 'record_decision' },
    told: ({ id, decision }, receipt, caller) => supersedingOf([id, ...(decision?.supersedes ?? [])], receipt, caller),
  }),
]
