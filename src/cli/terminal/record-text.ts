/** Formats one memory or decision in full for people. */
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import type { MemoryShown } from '../../memories/get.ts'
import { beginTold, endTold, instantTold, privateMark, reasonsTold } from '../../records/standing.ts'
import { layoutOn } from './layout.ts'
import { inLine, plain, type Terminal } from './terminal.ts'

type Successor = MemoryShown['superseded_by'][number]
export type Line = [label: string, text: string | undefined]

export function memoryText(memory: MemoryShown, terminal: Terminal): string {
  const { kind, title, content, occurred_at, valid_to, topics, sources, id, confirmed_at } = memory
  const state = stateOf(memory, valid_to === undefined ? occurred_at : undefined)
  const isTitled = inLine(title) !== inLine(content)
  return labelledText(terminal, isTitled ? title : undefined, content, [
    ['State', `${kind}, ${state}${exceptFor(memory)}${privateMark(memory)}`],
    ['No longer holds', memory.superseded_claims.map(claimLine).join('\n')],
    ['Since', instantTold(occurred_at)],
    ['Confirmed', confirmed_at === undefined ? undefined : instantTold(confirmed_at)],
    ['Topics', topics.join(', ')],
    ['Sources', sources.map(sourceOf).join(', ')],
    ['Id', id],
  ])
}

export function decisionText(decision: DecisionGetOutput, terminal: Terminal): string {
  const { title, judgment, context, consequences, status, decided_at, undated, recorded_at } = decision
  const { decided_by, sources, prior_positions: prior = [], revision, external_id, id } = decision
  const state = stateOf(decision, status === 'accepted' ? decided_at : undefined)
  const when = undated ? `no date (imported ${instantTold(recorded_at)})` : instantTold(decided_at)
  return labelledText(terminal, title, judgment, [
    ['State', `${status}, ${state}${exceptFor(decision)}, revision ${revision}${privateMark(decision)}`],
    ['No longer holds', decision.superseded_claims.map(claimLine).join('\n')],
    ['Context', context],
    ...reasonsTold(decision, 'Why'),
    ['Consequences', consequences],
    ['Decided', [when, ...(decided_by.length > 0 ? [`by ${decided_by.join(', ')}`] : [])].join(' ')],
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
  const said = `${outcome_status} (${instantTold(observed_at)}${others})`
  return outcome_notes === undefined ? said : `${said}: ${outcome_notes}`
}

type Standing = Pick<MemoryShown, 'in_force' | 'superseded_by' | 'planned_successors'>

/** `begins`: when it comes into force, if nothing ends it before. */
function stateOf(record: Standing, begins: string | undefined): string {
  const { in_force, superseded_by } = record
  const end = endTold(record, inLine)
  if (in_force) return ['in force', end].filter(Boolean).join(' ')
  const newer = superseded_by.map(({ type, id }) => `${type} ${id}`).join(', ')
  if (newer !== '') return `replaced by ${newer}`
  const begin = beginTold(record, begins)
  return begin === undefined ? 'not in force' : [begin, end].filter(Boolean).join(', ')
}

/** The text above is shown as it was written, so the state says that not all of it holds. */
function exceptFor({ in_force, superseded_claims }: Pick<MemoryShown, 'in_force' | 'superseded_claims'>): string {
  return in_force && superseded_claims.length > 0 ? ' except for what no longer holds' : ''
}

function claimLine({ claim, by, since }: MemoryShown['superseded_claims'][number]): string {
  const ended = since === undefined ? '' : ` since ${instantTold(since)}`
  return `“${inLine(claim)}”${ended}: replaced by “${inLine(by.title ?? '')}” (${by.type} ${by.id})`
}

function sourceOf({ type, id, url }: Successor): string {
  return url ?? (id === undefined ? type : `${type} ${id}`)
}
