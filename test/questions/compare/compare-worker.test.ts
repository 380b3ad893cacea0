/** The compare thread gives the same results as the calling thread, and no request is lost when it ends. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
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
const comparisons = [
  { row: short, others: [long, other] },
  { row: other, others: [short] },
]

/** Starts the thread for any amount of text. */
const little = 0

describe('compare worker', () => {
  let compareWorker: CompareWorker
  afterEach(() => compareWorker.close())

  it('gives the same results as the calling thread', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    expect(await compareWorker.run('findings', comparisons)).toEqual([
      { found: [{ rule: 'contradiction', other: long.id }] },
      { found: [] },
    ])
    const repeated = { ...short, id: 'repeated', record_id: 'repeated' } as PrecedentRecord
    const repeats = [{ row: short, others: [long, repeated] }]
    expect(await compareWorker.run('repeats', repeats)).toEqual([{ found: ['repeated'] }])
  })

  it('reports the record on which a rule failed and still handles the others', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    const broken = { ...short, entities: null } as unknown as PrecedentRecord
    const [fault, ...rest] = await compareWorker.run('findings', [{ row: broken, others: [long] }, ...comparisons])
    expect(fault).toEqual({ fault: expect.stringContaining('TypeError') })
    expect(rest).toEqual(await inline.run('findings', comparisons))
  })

  it('answers 50 concurrent requests', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    const requests = Array.from({ length: 50 }, (_, n) =>
      compareWorker.run('findings', n % 2 === 0 ? comparisons.slice(1) : comparisons),
    )
    expect((await Promise.all(requests)).map(({ length }) => length)).toEqual(
      requests.map((_, n) => (n % 2 === 0 ? 1 : 2)),
    )
  })

  it('ends when idle and starts again for the next request', async () => {
    compareWorker = threadedCompareWorker(module, { idleMs: 1, little })
    for (let n = 0; n < 3; n++) {
      expect(await compareWorker.run('findings', comparisons.slice(1))).toHaveLength(1)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })

  it('starts a thread only if there is more than a little text', async () => {
    const none = pathToFileURL(join(repository, 'dist/no-such-thread.js'))
    compareWorker = threadedCompareWorker(none, { little: 400 })
    expect(await compareWorker.run('findings', comparisons)).toEqual(await inline.run('findings', comparisons))
    await expect(compareWorker.run('findings', [...comparisons, ...comparisons, ...comparisons])).rejects.toThrow(
      'no-such-thread',
    )
  })

  it('rejects pending requests when it is closed, and serves the next one', async () => {
    compareWorker = threadedCompareWorker(module, { little })
    await compareWorker.run('findings', comparisons.slice(1))
    const long = Array.from({ length: 5_000 }, () => comparisons).flat()
    const request = compareWorker.run('findings', long)
    const ended = compareWorker.close()
    await expect(request).rejects.toThrow('the thread that compares has ended')
    await ended
    expect(await compareWorker.run('findings', comparisons)).toHaveLength(2)
  })
})
