/** The compare thread gives the same results as the calling thread, and no request is lost when it ends. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { Comparison } from '../../../src/questions/compare/by-rules.ts'
import {
  type CompareWorker,
  inlineCompareWorker as inline,
  threadedCompareWorker,
} from '../../../src/questions/compare/compare-worker.ts'
import type { PrecedentRecord } from '../../../src/records/record.ts'
import { repository } from '../../support/repository.ts'
import { compareThread as module, threadThat } from './thread.ts'

const texts = ['Audit logs are kept for 30 days.', 'We store audit logs for 90 days.', 'The canteen opens at noon.']
const records = texts.map((text, n) => {
  const row = {
    kind: 'memory',
    audience: 'workspace',
    title: text,
    text,
    entities: [],
    sources: [],
    significance: null,
    body: {},
    mutable: {},
  }
  const id = `record-${n}`
  const at = `2026-01-0${n + 1}T00:00:00.000Z`
  return { ...row, id, record_id: id, workspace: 'w', valid_from: at, accepted: at } as unknown as PrecedentRecord
})
const [short, long, other] = records as [PrecedentRecord, PrecedentRecord, PrecedentRecord]
const near = (row: PrecedentRecord) => ({ id: row.id, row, match: 0.5, common: 0, covered: 0 })
const findings = (row: PrecedentRecord, ...others: PrecedentRecord[]): Comparison => {
  return { row, others: others.map(near) }
}
const contradicting = findings(short, long, other)
const unrelated = findings(other, short)
const contradiction = [{ rule: 'contradiction', other: long.id }]

/** Starts the thread for any amount of text. */
const little = 0

describe('compare worker', () => {
  let compareWorker: CompareWorker
  afterEach(() => compareWorker.close())

  it('gives the same results as the calling thread', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    for (const [comparison, result] of [
      [contradicting, contradiction],
      [unrelated, []],
    ] as const) {
      expect(await compareWorker.run(comparison)).toEqual(result)
      expect(await inline.run(comparison)).toEqual(result)
    }
  })

  it('rejects with the error of a rule that threw, and still handles other records', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    const broken = findings({ ...short, entities: null } as unknown as PrecedentRecord, long)
    const results = [broken, contradicting].map((one) => compareWorker.run(one))
    const [failed, other] = await Promise.allSettled(results)
    expect(failed).toMatchObject({ reason: { name: 'TypeError', stack: expect.stringContaining('identity') } })
    expect(other).toEqual({ status: 'fulfilled', value: contradiction })
    await expect(inline.run(broken)).rejects.toThrow(TypeError)
  })

  it('rejects if a rule needs more memory than the thread has, and starts another thread', async () => {
    const thread = threadThat('const all = []; for (;;) all.push(Array(1e6).fill(0.5))', 'bad')
    compareWorker = threadedCompareWorker(thread, { little })
    const bad = findings({ ...short, text: 'bad' }, long)
    await expect(compareWorker.run(bad)).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
    expect(await compareWorker.run(contradicting)).toEqual(contradiction)
  })

  it('rejects if a rule does not end', async () => {
    compareWorker = threadedCompareWorker(threadThat('for (;;);', 'bad'), { little, limitMs: 100 })
    await expect(compareWorker.run(findings({ ...short, text: 'bad' }, long))).rejects.toThrow('has ended')
  })

  it('answers 50 concurrent requests', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    const isContradicting = (n: number) => n % 2 === 0
    const requests = Array.from({ length: 50 }, (_, n) =>
      compareWorker.run(isContradicting(n) ? contradicting : unrelated),
    )
    expect(await Promise.all(requests)).toEqual(requests.map((_, n) => (isContradicting(n) ? contradiction : [])))
  })

  it('ends when idle and starts again for the next request', async () => {
    compareWorker = threadedCompareWorker(module, { idleMs: 1, little })
    for (let n = 0; n < 3; n++) {
      expect(await compareWorker.run(contradicting)).toEqual(contradiction)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })

  it('starts a thread only if there is more than a little text', async () => {
    const none = pathToFileURL(join(repository, 'dist/no-such-thread.js'))
    compareWorker = threadedCompareWorker(none, { little: 400 })
    expect(await compareWorker.run(contradicting)).toEqual(contradiction)
    await expect(compareWorker.run(findings(short, long, other, long, other, long, other, long))).rejects.toThrow(
      'no-such-thread',
    )
  })

  it('rejects pending requests when it is closed, and serves the next one', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    await compareWorker.run(contradicting)
    const many = Array.from({ length: 10_000 }, () => [long, other]).flat()
    const request = compareWorker.run(findings(short, ...many))
    const ended = compareWorker.close()
    await expect(request).rejects.toThrow('the thread that compares has ended')
    await ended
    expect(await compareWorker.run(contradicting)).toEqual(contradiction)
  })
})
