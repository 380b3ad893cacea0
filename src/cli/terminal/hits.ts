/** Formats the hits of a search for people. */
import type { Marks } from '../../context/marks.ts'
import type { SearchOutput } from '../../context/schema.ts'
import type { DecisionSearchOutput } from '../../decisions/schema.ts'
import { undated } from '../../records/imported.ts'
import { beginTold, dayTold, privateMark, privateTold, reasonsTold, untilTold } from '../../records/standing.ts'
import { cut } from '../../records/title.ts'
import { layoutOn } from './layout.ts'
import { inLine, type Terminal } from './terminal.ts'

type Hit = SearchOutput['items'][number]
type Decision = DecisionSearchOutput['items'][number]

/** Characters. The full text is in the record. */
const longestSnippet = 400
const longestReason = 240
const mostPrior = 3

export function hitLines(items: readonly Hit[], marks: Marks, terminal: Terminal): string {
  return items.map((item, at) => hitLine(item, at + 1, marks, terminal)).join('\n\n')
}

function hitLine({ id, title, snippet, score, source }: Hit, number: number, marks: Marks, terminal: Terminal): string {
  const { strong, faint } = layoutOn(terminal)
  const passage = inLine(snippet)
  const name = inLine(title ?? passage)
  return entry(number, terminal, [
    strong(name) + (marks.private.includes(id) ? privateTold : ''),
    // the title of a short memory is its whole text
    ...(passage === name ? [] : [cut(passage, longestSnippet)]),
    faint(facts(source.type, id, marks.undated.includes(id) ? undated : dayOf(source.occurred_at), scoreOf(score))),
  ])
}

export function decisionLines(items: readonly Decision[], terminal: Terminal): string {
  return items.map((item, at) => decisionLine(item, at + 1, terminal)).join('\n\n')
}

function decisionLine(item: Decision, number: number, terminal: Terminal): string {
  const { strong, faint } = layoutOn(terminal)
  const { prior_positions: prior = [], decided_by } = item
  const standing = standingOf(item)
  return entry(number, terminal, [
    strong(inLine(item.title)) + privateMark(item) + (standing === '' ? '' : ` (${standing})`),
    cut(inLine(item.judgment), longestSnippet),
    ...reasonsTold(item, 'Why').flatMap(([label, reason]) =>
      reason === undefined ? [] : [`${label}: ${cut(inLine(reason), longestReason)}`],
    ),
    ...item.superseded_claims.map(claimLine),
    ...prior.slice(0, mostPrior).map(priorLine),
    ...(prior.length > mostPrior ? [`… and ${prior.length - mostPrior} earlier`] : []),
    faint(
      facts(
        `decision ${item.id}`,
        item.external_id,
        dayTold(item),
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

function priorLine(prior: NonNullable<Decision['prior_positions']>[0]) {
  const { id, title, supersession_reason: reason } = prior
  const why = reason === undefined ? '' : `: ${cut(inLine(reason), longestReason)}`
  return `Replaces “${inLine(title)}” (${[dayTold(prior), id].filter(Boolean).join(', ')})${why}`
}

/** Empty if it is in force, and no end is planned. */
function standingOf(decision: Decision): string {
  const { in_force, status, superseded_by, decided_at } = decision
  if (status !== 'accepted') return status
  const until = untilTold(decision, inLine)
  if (in_force) return until
  const [newer] = superseded_by
  if (newer?.id !== undefined) return `superseded by ${newer.id}`
  const begins = beginTold(decision, decided_at)
  return begins === undefined ? 'no longer in force' : [begins, until].filter(Boolean).join(', ')
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
