/** Formats the hits of a search for people. */
import type { SearchOutput } from '../../context/schema.ts'
import type { DecisionSearchOutput } from '../../decisions/schema.ts'
import { cut } from '../../records/title.ts'
import { layoutOn } from './layout.ts'
import { inLine, type Terminal } from './terminal.ts'

type Hit = SearchOutput['items'][number]
type Decision = DecisionSearchOutput['items'][number]

/** Characters. The full text is in the record. */
const longestSnippet = 400
const longestReason = 240
const mostPrior = 3

export function hitLines(items: readonly Hit[], terminal: Terminal): string {
  return items.map((item, at) => hitLine(item, at + 1, terminal)).join('\n\n')
}

function hitLine({ id, title, snippet, score, source }: Hit, number: number, terminal: Terminal): string {
  const { strong, faint } = layoutOn(terminal)
  const passage = inLine(snippet)
  const name = inLine(title ?? passage)
  return entry(number, terminal, [
    strong(name),
    // the title of a short memory is its whole text
    ...(passage === name ? [] : [cut(passage, longestSnippet)]),
    faint(facts(source.type, id, dayOf(source.occurred_at), scoreOf(score))),
  ])
}

export function decisionLines(items: readonly Decision[], terminal: Terminal): string {
  return items.map((item, at) => decisionLine(item, at + 1, terminal)).join('\n\n')
}

function decisionLine(item: Decision, number: number, terminal: Terminal): string {
  const { strong, faint } = layoutOn(terminal)
  const { rationale, prior_positions: prior = [], decided_by } = item
  return entry(number, terminal, [
    strong(inLine(item.title)) + (item.in_force ? '' : ` (${standingOf(item)})`),
    cut(inLine(item.judgment), longestSnippet),
    ...(rationale === undefined ? [] : [`Why: ${cut(inLine(rationale), longestReason)}`]),
    ...item.superseded_claims.map(claimLine),
    ...prior.slice(0, mostPrior).map(priorLine),
    ...(prior.length > mostPrior ? [`… and ${prior.length - mostPrior} earlier`] : []),
    faint(
      facts(
        `decision ${item.id}`,
        item.external_id,
        dayOf(item.decided_at),
        decided_by.length > 0 ? `by ${decided_by.join(', ')}` : '',
        scoreOf(item.score),
      ),
    ),
  ])
}

function claimLine({ claim, by }: Decision['superseded_claims'][0]) {
  const newer = `“${inLine(by.title ?? '')}” (${facts(by.type, by.id)})`
  return `No longer holds: “${cut(inLine(claim), longestReason)}”: see ${newer}`
}

function priorLine({
  id,
  title,
  decided_at,
  supersession_reason: reason,
}: NonNullable<Decision['prior_positions']>[0]) {
  const why = reason === undefined ? '' : `: ${cut(inLine(reason), longestReason)}`
  return `Replaces “${inLine(title)}” (${[dayOf(decided_at), id].filter(Boolean).join(', ')})${why}`
}

function standingOf({ status, superseded_by: [newer], decided_at }: Decision): string {
  if (status !== 'accepted') return status
  if (newer?.id !== undefined) return `superseded by ${newer.id}`
  return decided_at > new Date().toISOString() ? `in force from ${dayOf(decided_at)}` : 'no longer in force'
}

/** A numbered entry. All lines after the first are indented to the first line's text. */
function entry(number: number, terminal: Terminal, lines: readonly string[]): string {
  const { wrap } = layoutOn(terminal)
  const prefix = `${number}. `
  const margin = ' '.repeat(prefix.length)
  return lines.map((line, at) => wrap(line, at === 0 ? prefix : margin, margin)).join('\n')
}

function facts(...all: readonly (string | undefined)[]): string {
  return all.flatMap((one) => (one ? [inLine(one)] : [])).join('  ')
}

const dayOf = (instant: string | undefined) => instant?.slice(0, 10)
const scoreOf = (score: number | undefined) => (score === undefined ? '' : `score ${score.toFixed(2)}`)
