import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordDecision } from '../../src/decisions/record.ts'
import { fillMemoryKinds } from '../../src/journal/fill-memory-kinds.ts'
import { remember } from '../../src/memories/remember.ts'
import { type PrecedentRecord, records } from '../../src/records/record.ts'
import { apply, promise, rows, type World, world } from '../support/apply.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

describe('memory_kind', () => {
  it('is stored in the row, and filled in for rows that were written before it existed', async () => {
    for (let n = 0; n < 210; n++) await promise(on, remember, { kind: 'fact', content: `Fact number ${n}.` })
    await promise(on, remember, { kind: 'commitment', content: 'Acme gets a drill.' })
    await apply(on, recordDecision, { title: 'Store sessions in Redis', judgment: 'They are short.' })
    const projected = await rows(on)
    for (const row of projected) expect(row.memory_kind).toBe(saidKind(row))
    await on.documents.updateMany(records, projected.map(idOf), { set: { memory_kind: null } })
    const fill = (stopping: AbortSignal) => fillMemoryKinds(on.portsOf(on), stopping)
    await fill(AbortSignal.abort())
    expect((await rows(on)).every(({ memory_kind }) => memory_kind === null)).toBe(true)
    await fill(new AbortController().signal)
    expect(await rows(on)).toEqual(projected)
  })
})

const idOf = ({ id }: PrecedentRecord) => id
const saidKind = (row: PrecedentRecord) => (row.kind === 'memory' ? row.body.memory_kind : null)
