/** What callers see when MongoDB is unreachable, does not answer, and comes back. */
import assert from 'node:assert/strict'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mongoDocuments } from '../../../src/adapters/mongodb/documents.ts'
import { failureOf } from '../../../src/adapters/mongodb/failure.ts'
import type { Collection, Documents } from '../../../src/ports/documents.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { skipIf } from '../../support/skip.ts'
import { missing, type StartedEngine, startEngine } from '../../support/start-engine.ts'

const reason = missing('mongodb')

describe('MongoDB outages', skipIf(reason), () => {
  it('opening the store fails with the name of the engine if MongoDB is unreachable', async () => {
    const opening = mongoDocuments({ url: 'mongodb://127.0.0.1:1' })
    await expect(opening).rejects.toBeInstanceOf(EngineUnavailable)
    await expect(opening).rejects.toThrow(/^mongodb: .*ECONNREFUSED/)
  })

  it('every call fails while MongoDB is stopped, and succeeds once it is back', async () => {
    const { engine, documents } = await started()
    await engine.stop()
    await everyCallFails(documents)
    expect((await documents.health())?.message).toMatch(/^mongodb: /)
    await engine.start()
    expect(await documents.insert(notes, { id: 'after', text: 'back' })).toBe(true)
    expect(await documents.get(notes, 'before')).toEqual({ id: 'before', text: 'kept' })
    expect(await documents.health()).toBeUndefined()
  })

  it('every call ends within its deadline while MongoDB is frozen, and succeeds once it answers', async () => {
    const { engine, documents } = await started()
    process.kill(engine.pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(engine.pid, 'SIGCONT'))
    const [health] = await Promise.all([documents.health(), everyCallFails(documents)])
    expect(health?.message).toMatch(/^mongodb: /)
    process.kill(engine.pid, 'SIGCONT')
    await expect.poll(() => documents.health(), { timeout: 20_000 }).toBeUndefined()
    expect(await documents.get(notes, 'before')).toEqual({ id: 'before', text: 'kept' })
  })

  it('every call fails after close', async () => {
    const { documents } = await started()
    await documents.close()
    await everyCallFails(documents)
    expect((await documents.health())?.message).toBe('mongodb: closed')
  })
})

describe('failureOf, for errors of the connection', () => {
  // a connection may end while the driver writes to it; this is too rare to reproduce
  it.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])(
    'the error %s of Node, which the driver passes on unchanged, is an outage',
    (code) => {
      const failure = failureOf(Object.assign(new Error('This socket has been ended by the other party'), { code }))
      expect(failure).toBeInstanceOf(EngineUnavailable)
      expect((failure as Error).message).toBe('mongodb: This socket has been ended by the other party')
    },
  )

  it('an assertion error stays an assertion error', () => {
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
