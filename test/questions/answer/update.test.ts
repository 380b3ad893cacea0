/** Answers to the question whether a newer record replaces an older one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Serving, serve } from '../../http/serving.ts'
import {
  answering,
  asked,
  eventually,
  memory,
  onlyAsked,
  type Person,
  person,
  remembered,
  search,
} from '../resolving.ts'

let serving: Serving
let ann: Person
let bob: Person
beforeAll(async () => {
  serving = await serve()
  ann = await person(serving, 'ann')
  bob = await person(serving, 'bob')
})
afterAll(() => serving.stop())

async function update(what: string) {
  const limit = `The limit of the ${what} gate is 100 crates an hour.`
  const raised = `As of May the limit of the ${what} gate was raised to 150 crates an hour.`
  const older = await remembered(ann, limit, { occurred_at: '2024-01-01T00:00:00Z' })
  const newer = await remembered(ann, raised, { occurred_at: '2025-06-01T00:00:00Z' })
  const question = await eventually(() => onlyAsked(ann, 'memory', newer))
  return { older, newer, question, limit, raised }
}

describe('answering whether a newer record replaces an older one', () => {
  it('supersedes the older record if the question is confirmed', async () => {
    const { older, newer, question, limit, raised } = await update('alder')
    expect(question.claim).toContain(limit)
    expect(question.claim).toContain(raised)
    const { status, body } = await answering(bob, { question_id: question.question_id, resolution: 'confirm' })
    expect([status, body.state]).toEqual([200, 'applied'])
    expect(await memory(ann, older)).toMatchObject({ in_force: false, superseded_by: [{ id: newer }] })
    expect(await memory(ann, newer)).toMatchObject({ in_force: true, superseded_by: [] })
    expect(await asked(ann, 'memory', newer)).toEqual([])
    const { items } = await search(ann, { q: 'limit of the alder gate', limit: 5 })
    expect(items.map(({ id }: { id: string }) => id)).not.toContain(older)
  })

  it('leaves both in force if the question is dismissed', async () => {
    const { older, newer, question } = await update('rowan')
    await answering(bob, { question_id: question.question_id, resolution: 'dismiss' })
    expect(await memory(ann, older)).toMatchObject({ in_force: true, superseded_by: [] })
    expect(await memory(ann, newer)).toMatchObject({ in_force: true })
  })
})
