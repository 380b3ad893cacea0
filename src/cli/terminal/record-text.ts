/** Formats one memory or decision in full for people. */
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import type { MemoryShown } from '../../memories/get.ts'
import { instantText } from './instants.ts'
import { layoutOn } from './layout.ts'
import { inLine, plain, type Terminal } from './terminal.ts'

type Successor = MemoryShown['superseded_by'][number]
export type Line = [label: string, text: string | undefined]

export function memoryText(memory: MemoryShown, terminal: Terminal): string {
  const { kind, title, content, in_force, superseded_by, occurred_at, valid_to, topics, sources, id } = memory
  const state = stateOf(in_force, superseded_by, valid_to === undefined ? occurred_at : undefined)
  const isTitled = inLine(title) !== inLine(content)
  return labelledText(terminal, isTitled ? title : undefined, content, [
    ['State', `${kind}, ${state}${exceptFor(memory)}`],
    ['No longer holds', memory.superseded_claims.map(claimLine).join('\n')],
    ['Since', instantText(occurred_at)],
    ['Topics', topics.join(', ')],
    ['Sources', sources.map(sourceOf).join(', ')],
    ['Id', id],
  ])
}

export function decisionText(decision: DecisionGetOutput, terminal: Terminal): string {
  const { title, judgment, context, rationale, consequences, status, in_force, superseded_by, decided_at } = decision
  const { decided_by, sources, prior_positions: prior = [], revision, external_id, id } = decision
  const begins = status === 'accepted' ? decided_at : undefined
  return labelledText(terminal, title, judgment, [
    ['State', `${status}, ${stateOf(in_force, superseded_by, begins)}${exceptFor(decision)}, revision ${revision}`],
    ['No longer holds', decision.superseded_claims.map(claimLine).join('\n')],
    ['Context', context],
    ['Why', rationale],
    ['Consequences', consequences],
    ['Decided', [instantText(decided_at), ...(decided_by.length > 0 ? [`by ${decided_by.join(', ')}`] : [])].join(' ')],
    ['Outcome', outcomeOf(decision)],
    ['Replaces', prior.map((one) => `“${one.title}” (${one.id})`).join(', ')],
    ['Sources', sources.map(sourceOf).join(', ')],
    ['External id', external_id],
    ['Id', id],
  ])
}

/**
 * A title and a text, which may be empty, and below them the lines that say something, each with its label. Every text may
 * come from a record: it is made safe to print here, and indented, so that none of its lines looks like a label or a
 * heading of the service.
 */
export function labelledText(
  terminal: Terminal,
  title: string | undefined,
  body: string,
  lines: readonly Line[],
): string {
  const { wrap, strong, faint } = layoutOn(terminal)
  const shown = lines.filter((line): line is [string, string] => line[1] !== undefined && line[1] !== '')
  const margin = Math.max(...shown.map(([label]) => label.length)) + 2
  return [
    ...(title === undefined ? [] : [wrap(strong(inLine(title))), '']),
    ...(body === '' ? [] : [wrap(plain(body), indent), '']),
    ...shown.map(([label, text]) => wrap(plain(text), faint(label.padEnd(margin)), ' '.repeat(margin))),
  ].join('\n')
}

/** Four blanks: with fewer, a Markdown reader would still take a line that begins with # as a heading. */
const indent = '    '

function outcomeOf({ outcome, outcomes }: DecisionGetOutput): string | undefined {
  if (outcome === undefined) return undefined
  const { outcome_status, outcome_notes, observed_at } = outcome
  const others = outcomes.count > 1 ? `, the latest of ${outcomes.count}` : ''
  const said = `${outcome_status} (${instantText(observed_at)}${others})`
  return outcome_notes === undefined ? said : `${said}: ${outcome_notes}`
}

/** `begins`: when it comes into force, if nothing ends it before. */
function stateOf(inForce: boolean, successors: readonly Successor[], begins: string | undefined): string {
  if (inForce) return 'in force'
  const newer = successors.map(({ type, id }) => `${type} ${id}`).join(', ')
  if (newer !== '') return `replaced by ${newer}`
  return begins !== undefined && begins > new Date().toISOString()
    ? `in force from ${instantText(begins)}`
    : 'not in force'
}

/** The text above is shown as it was written, so the state says that not all of it holds. */
function exceptFor({ in_force, superseded_claims }: Pick<MemoryShown, 'in_force' | 'superseded_claims'>): string {
  return in_force && superseded_claims.length > 0 ? ' except for what no longer holds' : ''
}

function claimLine({ claim, by, since }: MemoryShown['superseded_claims'][number]): string {
  const ended = since === undefined ? '' : ` since ${instantText(since)}`
  return `“${inLine(claim)}”${ended}: replaced by “${inLine(by.title ?? '')}” (${by.type} ${by.id})`
}

function sourceOf({ type, id, url }: Successor): string {
  return url ?? (id === undefined ? type : `${type} ${id}`)
}
