/** Measures search in other languages and on names from code: how often the right record is the first hit. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Row, row } from '../bench/row.ts'
import { repository } from '../support/repository.ts'
import { ask, type MeasuredService } from './measured-service.ts'

export const sets = ['ar', 'de', 'fr', 'es', 'ja', 'ko', 'ru', 'zh', 'names'] as const

type Line = { type: 'record'; id: string; title: string; text: string } | { type: 'question'; id: string; q: string }

/** Percent of the questions of each set; each set has a workspace of its own. */
export async function languages(engine: string, service: MeasuredService): Promise<Row[]> {
  const rows: Row[] = []
  for (const set of sets) {
    const text = readFileSync(join(repository, 'test/quality/languages', `${set}.jsonl`), 'utf8')
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    const target = await service.fill(lines.flatMap((line) => (line.type === 'record' ? [line] : [])))
    let [all, first] = [0, 0]
    for (const line of lines) {
      if (line.type !== 'question') continue
      all++
      if ((await ask(target, line.q))[0]?.id === line.id) first++
    }
    rows.push(row(`${engine}_language_${set}_first`, (100 * first) / all, '%', { at_least: set === 'names' ? 80 : 75 }))
  }
  return rows
}
