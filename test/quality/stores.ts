/**
 * Stores of a given size, made of the judged collections and the folders of decision records. Each has questions that
 * its records answer, and questions about other fields. A store larger than its field is filled with records whose
 * sentences come from different records of the field.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomOf } from '../bench/texts.ts'
import { repository } from '../support/repository.ts'
import type { Text } from './bm25.ts'
import { directory, type JudgedCollection, readCollection } from './collections.ts'

const foldersOfRecords = join(directory, '..', 'adr')

interface Question {
  text: string
  /** Ids of documents that answer it. */
  answers: ReadonlySet<string>
}

export interface Store {
  documents: Text[]
  own: Question[]
  foreign: string[]
}

interface Field {
  documents: readonly Text[]
  questions: readonly Question[]
}

/** No question of one field is answered by documents of another. cacm and cisi share questions. */
export function readFields(): Field[] {
  const [cacm, cisi, cranfield] = (['cacm', 'cisi', 'cranfield'] as const).map((name) => fieldOf(readCollection(name)))
  return [merged(cacm as Field, cisi as Field), cranfield as Field, recordsField()]
}

/** Questions of a store, of each kind. A small store has room for fewer questions with their answers. */
const questionsAtMost = 60
/** Documents that answer one question of a small store. */
const answersAtMost = 3

/** A store of this size of the nth field. It depends on the arguments only. */
export function storeOf(fields: readonly Field[], nth: number, size: number, seed: number): Store {
  const random = randomOf(seed * 1_000 + nth)
  const field = fields[nth] as Field
  const byId = new Map(field.documents.map((document) => [document.id, document]))
  const own = shuffled(field.questions, random).slice(0, Math.min(questionsAtMost, Math.ceil(size / 5)))
  const kept = new Set(own.flatMap(({ answers }) => [...answers].slice(0, Math.max(answersAtMost, size / 100))))
  for (const { id } of shuffled(field.documents, random)) if (kept.size < size) kept.add(id)
  const documents = [...kept].flatMap((id) => byId.get(id) ?? []).slice(0, size)
  for (let n = documents.length; n < size; n++) documents.push(mixture(field, n, random))
  const others = fields.flatMap((other, n) => (n === nth ? [] : other.questions.map(({ text }) => text)))
  const foreign = [
    ...shuffled(others, random),
    ...shuffled(linesOf('foreign.txt'), random).slice(0, questionsAtMost / 2),
  ]
  return { documents: shuffled(documents, random), own, foreign: foreign.slice(-questionsAtMost) }
}

/** A record with the title of one document and sentences of several others. */
function mixture({ documents }: Field, n: number, random: () => number): Text {
  const one = () => documents[Math.floor(random() * documents.length)] as Text
  const sentences = Array.from({ length: 3 + Math.floor(random() * 6) }, () => {
    const some = one().text.split(/(?<=[.!?])\s+|\n\n/)
    return some[Math.floor(random() * some.length)]
  })
  return { id: `mixture-${n}`, title: one().title, text: sentences.join(' ') }
}

function fieldOf({ documents, questions, judgments }: JudgedCollection): Field {
  const asked = questions.flatMap(({ id, text }) => {
    const judged = [...(judgments.get(id) ?? [])].filter(([, grade]) => grade > 0)
    return judged.length === 0 ? [] : [{ text, answers: new Set(judged.map(([document]) => document)) }]
  })
  return { documents, questions: asked }
}

function merged(one: Field, other: Field): Field {
  const renamed = other.documents.map((document) => ({ ...document, id: `other-${document.id}` }))
  const asked = other.questions.map(({ text, answers }) => ({
    text,
    answers: new Set([...answers].map((id) => `other-${id}`)),
  }))
  return { documents: [...one.documents, ...renamed], questions: [...one.questions, ...asked] }
}

function recordsField(): Field {
  const documents = readdirSync(foldersOfRecords).flatMap((source) => recordsIn(source))
  const questions = linesOf('answerable.txt').flatMap((line) => {
    const [record, text] = line.split('|') as [string, string]
    const answers = documents.filter(({ id }) => id.startsWith(record)).map(({ id }) => id)
    return answers.length === 0 ? [] : [{ text, answers: new Set(answers) }]
  })
  return { documents, questions }
}

function recordsIn(source: string): Text[] {
  const files = readdirSync(join(foldersOfRecords, source), { recursive: true, encoding: 'utf8' })
  return files.flatMap((path) => {
    if (!/\.mdx?$/.test(path) || /template|readme|index\.md/i.test(path)) return []
    const text = readFileSync(join(foldersOfRecords, source, path), 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '')
    const heading = /^#\s+(?:ADR[- ]?)?(?:\d+[.:]?\s+)?(.+)$/im.exec(text)
    const title = heading?.[1] ?? path
    return [{ id: `${source}/${path.slice(path.lastIndexOf('/') + 1)}`, title, text: text.slice(0, 20_000) }]
  })
}

function linesOf(file: string): string[] {
  return readFileSync(join(repository, 'test/quality/adr', file), 'utf8')
    .trim()
    .split('\n')
}

function shuffled<T>(some: readonly T[], random: () => number): T[] {
  const keyed = some.map((one) => [random(), one] as const)
  return keyed.sort(([a], [b]) => a - b).map(([, one]) => one)
}
