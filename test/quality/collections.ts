/** The collections that search is measured on: documents, questions, and judgments of which document answers which. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataOf } from '../support/repository.ts'

/** `missing`: why there are no collections. */
export const { folder: directory, missing } = dataOf('ir')

export const names = ['cacm', 'cranfield', 'cisi'] as const
export type Name = (typeof names)[number]

export interface JudgedCollection {
  name: Name
  documents: { id: string; title: string; text: string }[]
  questions: { id: string; text: string }[]
  /** Question → document → grade of the answer. 0: the document does not answer it. */
  judgments: Map<string, Map<string, number>>
}

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

/** Normalised discounted cumulative gain of the first ten results. */
export function ndcg10(found: readonly string[], judged: ReadonlyMap<string, number>): number {
  const gain = (grades: readonly number[]) => grades.reduce((sum, grade, n) => sum + grade / Math.log2(n + 2), 0)
  const best = [...judged.values()].sort((a, b) => b - a).slice(0, 10)
  return gain(best) === 0 ? 0 : gain(found.slice(0, 10).map((id) => judged.get(id) ?? 0)) / gain(best)
}

/** The share of the documents that answer the question which are among the first 200 results. */
export function recall200(found: readonly string[], judged: ReadonlyMap<string, number>): number {
  const first = new Set(found.slice(0, 200))
  const relevant = [...judged].flatMap(([id, grade]) => (grade > 0 ? [id] : []))
  return relevant.length === 0 ? 0 : relevant.filter((id) => first.has(id)).length / relevant.length
}
