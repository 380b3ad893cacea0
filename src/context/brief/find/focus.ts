/**
 * Tells decisions about the query from long ones that have its words far apart. A word counts by how few records of the
 * workspace have it, and how few of the compared texts.
 */

import { bodyOf } from '../../../records/body.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import { analyze } from '../../../text/analyzer.ts'
import { bestPassages } from '../../../text/best-passage.ts'
import { type Item, rowIdsOf } from './found.ts'

/** Records whose texts are compared. */
const mostCompared = 20
/** UTF-16 units read of a text. */
const mostRead = 4_000
/** Share of the best that a decision needs. */
const leastFocus = 0.85

/**
 * Those of `decisions` whose title and best passage have as much of the query as the best of all found records, and
 * that name something which the query names. `gains`: how much each word of the query counts in the workspace.
 */
export async function focused(
  decisions: readonly Item[],
  query: string,
  gains: ReadonlyMap<string, number>,
  all: readonly Item[],
  reader: RecordReader,
): Promise<Item[]> {
  if (decisions.length === 0) return []
  const compared = [...new Set([...decisions, ...all])].slice(0, mostCompared)
  const rows = await reader.rows(rowIdsOf(compared), ['kind', 'text', 'body'])
  const texts = compared.map(({ record: { id } }) => {
    const row = rows.get(id)
    const text = row?.kind === 'decision' ? bodyOf(row, 'decision').judgment : (row?.text ?? '')
    return text.slice(0, mostRead)
  })
  const terms = [...gains.keys()]
  const passages = await bestPassages(texts, terms)
  const words = compared.map(({ record }, at) => new Set(analyze(`${record.title}\n${passages[at]}`)))
  const weights = new Map(terms.map((term) => [term, weightOf(term, words, gains)]))
  const focus = words.map((own) => terms.reduce((sum, term) => sum + (own.has(term) ? (weights.get(term) ?? 0) : 0), 0))
  const best = Math.max(...focus)
  const names = namesIn(query)
  const named = compared.map(({ record }, at) => {
    const all = new Set(analyze(`${record.title}\n${texts[at]}`))
    return names.some((name) => all.has(name))
  })
  const isNamed = (at: number) => !named.includes(true) || named[at] === true
  return decisions.filter((item) => {
    const at = compared.indexOf(item)
    return (focus[at] ?? 0) >= leastFocus * best && isNamed(at)
  })
}

/** Capitalised words inside a sentence, and words with digits or capitals inside, such as “TB-5” and “RabbitMQ”. */
function namesIn(query: string): string[] {
  const names =
    query.match(/(?<=[^\s.!?:][,;]? )\p{Lu}[\p{L}\d-]*|\p{L}*(?:\p{Ll}\p{Lu}|\p{Lu}-?\d)[\p{L}\d-]*/gu) ?? []
  return names.filter((name) => name !== 'I').flatMap(analyze)
}

function weightOf(term: string, texts: readonly ReadonlySet<string>[], gains: ReadonlyMap<string, number>): number {
  const having = texts.filter((words) => words.has(term)).length
  return (gains.get(term) ?? 0) * Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))
}
