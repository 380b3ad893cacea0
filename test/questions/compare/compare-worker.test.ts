/** The compare thread gives the same results as the calling thread, and no request is lost when it ends. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { Comparison } from '../../../src/questions/compare/compare-tasks.ts'
import {
  type CompareWorker,
  inlineCompareWorker as inline,
  threadedCompareWorker,
} from '../../../src/questions/compare/compare-worker.ts'
import type { PrecedentRecord } from '../../../src/records/record.ts'
import { repository } from '../../support/repository.ts'

/** The built file, because Node runs no TypeScript in a thread. `npm test` builds it first. */
const module = pathToFileURL(join(repository, 'dist/src/questions/compare/compare-worker-thread.js'))
const texts = ['Audit logs are kept for 30 days.', 'We store audit logs for 90 days.', 'The canteen opens at noon.']
const records = texts.map((text, n) => {
  const row = {
    kind: 'memory',
    audience: 'workspace',
    title: text,
    text,
    entities: [],
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
  return { task: 'findings', row, others: others.map(near) }
}
const contradicting = findings(short, long, other)
const unrelated = findings(other, short)
const contradiction = { found: [{ rule: 'contradiction', other: long.id }] }

/** Starts the thread for any amount of text. */
const little = 0

describe('compare worker', () => {
  let compareWorker: CompareWorker
  afterEach(() => compareWorker.close())

  it('gives the same results as the calling thread', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    const repeated = { ...short, id: 'repeated', record_id: 'repeated' } as PrecedentRecord
    const repeats: Comparison = { task: 'repeats', row: short, others: [long, repeated].map(near) }
    for (const [comparison, result] of [
      [contradicting, contradiction],
      [unrelated, { found: [] }],
      [repeats, { found: [{ rule: 'repeat', other: 'repeated' }] }],
    ] as const) {
      expect(await compareWorker.run(comparison)).toEqual(result)
      expect(await inline.run(comparison)).toEqual(result)
    }
  })

  it('reports the record on which a rule failed and still handles the others', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    const broken = { ...short, entities: null } as unknown as PrecedentRecord
    const fault = { fault: expect.stringContaining('TypeError') }
    const results = [findings(broken, long), contradicting].map((one) => compareWorker.run(one))
    expect(await Promise.all(results)).toEqual([fault, contradiction])
    expect(await inline.run(findings(broken, long))).toEqual(fault)
  })

  it('answers 50 concurrent requests', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    const isContradicting = (n: number) => n % 2 === 0
    const requests = Array.from({ length: 50 }, (_, n) =>
      compareWorker.run(isContradicting(n) ? contradicting : unrelated),
    )
    expect(await Promise.all(requests)).toEqual(
      requests.map((_, n) => (isContradicting(n) ? contradiction : { found: [] })),
    )
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
