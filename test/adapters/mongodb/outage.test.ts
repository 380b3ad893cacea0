/** What callers see of a MongoDB that is away, stops answering, and comes back. */
import assert from 'node:assert/strict'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mongoDocuments } from '../../../src/adapters/mongodb/documents.ts'
import { failureOf } from '../../../src/adapters/mongodb/failure.ts'
import type { Collection, Documents } from '../../../src/ports/documents.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { missing, type StartedEngine, startEngine } from '../../support/start-engine.ts'

const reason = missing('mongodb')
if (reason !== undefined) console.warn(`mongodb is skipped: ${reason}`)

describe.skipIf(reason !== undefined)('a MongoDB that fails', () => {
  it('is named at the start when it is away', async () => {
    const opening = mongoDocuments({ url: 'mongodb://127.0.0.1:1' })
    await expect(opening).rejects.toBeInstanceOf(EngineUnavailable)
    await expect(opening).rejects.toThrow(/^mongodb: .*ECONNREFUSED/)
  })

  it('is reported by every call while it is away, and used again once it is back', async () => {
    const { engine, documents } = await started()
    await engine.stop()
    await everyCallFails(documents)
    expect((await documents.health())?.message).toMatch(/^mongodb: /)
    await engine.start()
    expect(await documents.insert(notes, { id: 'after', text: 'back' })).toBe(true)
    expect(await documents.get(notes, 'before')).toEqual({ id: 'before', text: 'kept' })
    expect(await documents.health()).toBeUndefined()
  })

  it('is waited for within bounds while it does not answer, and used again once it does', async () => {
    const { engine, documents } = await started()
    process.kill(engine.pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(engine.pid, 'SIGCONT'))
    const [health] = await Promise.all([documents.health(), everyCallFails(documents)])
    expect(health?.message).toMatch(/^mongodb: /)
    process.kill(engine.pid, 'SIGCONT')
    await expect.poll(() => documents.health(), { timeout: 20_000 }).toBeUndefined()
    expect(await documents.get(notes, 'before')).toEqual({ id: 'before', text: 'kept' })
  })

  it('is not asked again after close', async () => {
    const { documents } = await started()
    await documents.close()
    await everyCallFails(documents)
    expect((await documents.health())?.message).toBe('mongodb: closed')
  })
})

describe('an error of the connection itself', () => {
  // a connection may end at the very moment when the driver writes to it: too seldom to be made to happen
  it.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])(
    'that the driver hands on as it is (%s) is an outage',
    (code) => {
      const failure = failureOf(Object.assign(new Error('This socket has been ended by the other party'), { code }))
      expect(failure).toBeInstanceOf(EngineUnavailable)
      expect((failure as Error).message).toBe('mongodb: This socket has been ended by the other party')
    },
  )

  it('is told from a mistake of ours, which stays one', () => {
    const mistake = new assert.AssertionError({ message: 'limit is 1 to 100' })
    expect(failureOf(mistake)).toBe(mistake)
  })
})

interface Note {
  id: string
  text: string
}

const notes: Collection<Note> = {
  name: 'notes',
  fields: { id: 'string', text: 'string' },
  unique: [],
  indexes: [['text']],
}

async function started(): Promise<{ engine: StartedEngine; documents: Documents }> {
  const engine = await startEngine('mongodb')
  onTestFinished(() => engine.remove())
  const documents = await mongoDocuments({ url: engine.url })
  onTestFinished(() => documents.close())
  await documents.declare([notes])
  await documents.insert(notes, { id: 'before', text: 'kept' })
  return { engine, documents }
}

async function everyCallFails(documents: Documents): Promise<void> {
  const answers = await Promise.allSettled([
    documents.insert(notes, { id: 'lost', text: 'lost' }),
    documents.insertMany(notes, [{ id: 'lost too', text: 'lost' }]),
    documents.get(notes, 'before'),
    documents.find(notes, { where: { text: 'kept' }, limit: 1 }),
    documents.count(notes, { where: { text: 'kept' }, upTo: 1 }),
    documents.update(notes, 'before', { set: { text: 'kept' } }),
    documents.updateMany(notes, ['before'], { set: { text: 'kept' } }),
    documents.updateEach(notes, [{ id: 'before', change: { set: { text: 'kept' } } }]),
    documents.upsertIfNewer(notes, [{ id: 'lost', text: 'lost' }], 'text'),
    documents.delete(notes, ['none']),
    documents.declare([notes]),
  ])
  for (const answer of answers) {
    expect(answer.status).toBe('rejected')
    expect((answer as PromiseRejectedResult).reason).toBeInstanceOf(EngineUnavailable)
  }
}
