/** The thread in which records are examined: it says what the caller's would, and its end loses nothing. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { type Examiner, examiner as inline, threadedExaminer } from '../../src/questions/examiner.ts'
import type { PrecedentRecord } from '../../src/records/record.ts'
import { repository } from '../support/service.ts'

/** Built, for Node runs no TypeScript in a thread: `npm test` builds it first. */
const module = pathToFileURL(join(repository, 'dist/src/questions/examiner-thread.js'))
const texts = ['Audit logs are kept for 30 days.', 'We store audit logs for 90 days.', 'The canteen opens at noon.']
const records = texts.map((text, n) => {
  const row = { kind: 'memory', audience: 'workspace', title: text, text, entities: [], body: {}, significance: null }
  const id = `record-${n}`
  const at = `2026-01-0${n + 1}T00:00:00.000Z`
  return { ...row, id, record_id: id, workspace: 'w', valid_from: at, accepted: at } as unknown as PrecedentRecord
})
const [short, long, other] = records as [PrecedentRecord, PrecedentRecord, PrecedentRecord]
const held = [
  { row: short, others: [long, other] },
  { row: other, others: [short] },
]

/** A thread for whatever there is. */
const little = 0

describe('a thread that examines', () => {
  let examiner: Examiner
  afterEach(() => examiner.close())

  it('finds what the thread of the caller finds', async () => {
    examiner = threadedExaminer(module, { little })
    const keys = await examiner.examine('keys', records)
    expect(keys).toEqual(await inline.examine('keys', records))
    expect(await examiner.examine('findings', held)).toEqual([
      { found: [{ rule: 'contradiction', other: long.id }] },
      { found: [] },
    ])
  })

  it('says on which record a rule failed, and goes on with the others', async () => {
    examiner = threadedExaminer(module, { little })
    const broken = { ...short, entities: null } as unknown as PrecedentRecord
    const [fault, ...rest] = await examiner.examine('keys', [broken, long])
    expect(fault).toEqual({ fault: expect.stringContaining('TypeError') })
    expect(rest).toEqual(await inline.examine('keys', [long]))
  })

  it('answers all that is asked at once', async () => {
    examiner = threadedExaminer(module, { little })
    const asked = Array.from({ length: 50 }, (_, n) => examiner.examine('keys', n % 2 === 0 ? [short] : [long, other]))
    expect((await Promise.all(asked)).map(({ length }) => length)).toEqual(asked.map((_, n) => (n % 2 === 0 ? 1 : 2)))
  })

  it('ends when nothing is asked, and begins anew', async () => {
    examiner = threadedExaminer(module, { idleMs: 1, little })
    for (let n = 0; n < 3; n++) {
      expect(await examiner.examine('keys', [short])).toHaveLength(1)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })

  it('is begun only where there is more than a little', async () => {
    const none = pathToFileURL(join(repository, 'dist/no-such-thread.js'))
    examiner = threadedExaminer(none, { little: 400 })
    expect(await examiner.examine('findings', held)).toEqual(await inline.examine('findings', held))
    await expect(examiner.examine('findings', [...held, ...held, ...held])).rejects.toThrow('no-such-thread')
  })

  it('rejects what it was asked when it ends under way, and is there for the next', async () => {
    examiner = threadedExaminer(module, { little })
    await examiner.examine('keys', [short])
    const long = Array.from({ length: 5_000 }, () => held).flat()
    const asked = examiner.examine('findings', long)
    const ended = examiner.close()
    await expect(asked).rejects.toThrow('the thread that compares has ended')
    await ended
    expect(await examiner.examine('findings', held)).toHaveLength(2)
  })
})
