/**
 * npm run quality -- claims: which of the questions that nine folders of decision records raise together are worth a
 * person's time. folder-questions/judged.jsonl holds the judgments. A question without a judgment counts as not worth it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { OpenQuestion } from '../../src/questions/schema.ts'
import type { Target } from '../bench/client.ts'
import { type Row, row } from '../bench/row.ts'
import { call } from '../support/http.ts'
import { repository } from '../support/repository.ts'
import { directory } from './collections.ts'
import { withService } from './measured-service.ts'
import { openQuestions } from './open-questions.ts'

/** Identifies a question in every store: no ids of the service. */
interface Asked {
  reason: string
  /** The external_id of the record that it is about; of old proposals, their source. */
  record: string
  /** Its first characters, because one record may raise several. Empty if one record raises one at most. */
  claim: string
}
interface Judged extends Asked {
  worth: boolean
  why: string
}

/** Percent. */
const leastWorth = 100 * (2 / 3)
const longestClaim = 160
const folders = join(directory, '..', 'adr')

export async function folderQuestionRows(showsMistakes: boolean): Promise<Row[]> {
  if (!existsSync(folders)) throw new Error(`${folders} is missing`)
  const judged = new Map(judgments().map((one) => [keyOf(one), one]))
  const asked = await askedOfFolders()
  const worth = asked.filter((one) => judged.get(keyOf(one))?.worth === true)
  const unjudged = asked.filter((one) => !judged.has(keyOf(one)))
  if (showsMistakes) {
    for (const one of asked) {
      const { worth: isWorth, why } = judged.get(keyOf(one)) ?? { worth: false, why: 'not judged' }
      if (!isWorth) process.stdout.write(`${JSON.stringify({ ...one, worth: isWorth, why })}\n`)
    }
  }
  return [
    row('folders_questions_raised', asked.length, '', null),
    row('folders_questions_worth', worth.length, '', null),
    row('folders_questions_unjudged', unjudged.length, '', { at_most: 0 }),
    row('folders_questions_worth_share', (100 * worth.length) / asked.length, '%', { at_least: leastWorth }),
  ]
}

function judgments(): Judged[] {
  const text = readFileSync(join(repository, 'test/quality/folder-questions/judged.jsonl'), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Judged)
}

function keyOf({ reason, record, claim }: Asked): string {
  return JSON.stringify([reason, record, claim])
}

async function askedOfFolders(): Promise<Asked[]> {
  let asked: Asked[] = []
  await withService({}, async (service) => {
    const target = service.workspace()
    for (const name of readdirSync(folders)) await service.importFolder(target, join(folders, name), name)
    asked = await questionsOf(target)
  })
  return asked
}

/** Comparing and the gathering of old proposals follow the import. */
async function questionsOf(target: Target): Promise<Asked[]> {
  const until = Date.now() + waitsAtMost
  let questions = await openQuestions(target)
  let quietSince = Date.now()
  while (Date.now() < until && !(isGathered(questions) && Date.now() - quietSince > quietFor)) {
    await setTimeout(1_000)
    const now = await openQuestions(target)
    if (JSON.stringify(now) !== JSON.stringify(questions)) quietSince = Date.now()
    questions = now
  }
  return Promise.all(questions.map((one) => askedOf(target, one)))
}

/** ms. Old proposals are gathered once a minute: those that were imported after the first time are gathered the next time. */
const waitsAtMost = 300_000
const quietFor = 70_000

function isGathered(questions: OpenQuestion[]): boolean {
  return questions.some(({ question_id }) => question_id.startsWith('clarification:proposals-'))
}

async function askedOf(target: Target, { reason: of, claim, subject }: OpenQuestion): Promise<Asked> {
  const [reason, id] = [of ?? '', subject?.id]
  const shown = [...claim].slice(0, longestClaim).join('')
  if (id === undefined) return { reason, record: subject?.query ?? '', claim: '' }
  const { body } = await call<{ external_id?: string }>(target, 'GET', `/v1/decisions/${id}`)
  return { reason, record: body.external_id ?? '', claim: reason === 'pending_judgment' ? '' : shown }
}
