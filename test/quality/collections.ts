/** The judged collections that search is measured on: documents, questions, and which documents answer which. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { repository } from '../support/service.ts'

/** Where they are: `ir/` below PRECEDENT_TEST_DATA, or beside this repository. */
export const directory = join(process.env.PRECEDENT_TEST_DATA ?? resolve(repository, '../shared/data'), 'ir')

export const names = ['cacm', 'cranfield', 'cisi'] as const
export type Name = (typeof names)[number]

export interface JudgedCollection {
  name: Name
  documents: { id: string; title: string; text: string }[]
  questions: { id: string; text: string }[]
  /** Question → document → how well it answers (0: not). */
  judgments: Map<string, Map<string, number>>
}

/** undefined: the collections are here. Else why they cannot be used. */
export const missing = existsSync(join(directory, 'cacm', 'corpus.jsonl'))
  ? undefined
  : `no judged collections in ${directory} (PRECEDENT_TEST_DATA says where)`

export function readCollection(name: Name): JudgedCollection {
  const lines = (file: string) =>
    readFileSync(join(directory, name, file), 'utf8')
      .trim()
      .split('\n')
  const judgments = new Map<string, Map<string, number>>()
  for (const line of lines('qrels/test.tsv').slice(1)) {
    const [question, document, grade] = line.split('\t') as [string, string, string]
    const judged = judgments.get(question) ?? new Map<string, number>()
    judgments.set(question, judged.set(document, Number(grade)))
  }
  return {
    name,
    documents: lines('corpus.jsonl').map((line) => {
      const { _id, title, text } = JSON.parse(line) as { _id: string; title: string; text: string }
      return { id: _id, title, text }
    }),
    questions: lines('queries.jsonl').map((line) => {
      const { _id, text } = JSON.parse(line) as { _id: string; text: string }
      return { id: _id, text }
    }),
    judgments,
  }
}

/** Normalised discounted cumulative gain of the first ten. */
export function ndcg10(found: readonly string[], judged: ReadonlyMap<string, number>): number {
  const gain = (grades: readonly number[]) => grades.reduce((sum, grade, n) => sum + grade / Math.log2(n + 2), 0)
  const best = [...judged.values()].sort((a, b) => b - a).slice(0, 10)
  return gain(best) === 0 ? 0 : gain(found.slice(0, 10).map((id) => judged.get(id) ?? 0)) / gain(best)
}
