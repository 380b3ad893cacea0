import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settings } from '../../src/access/settings.ts'
import type { RecordId } from '../../src/ids.ts'
import { checkpoints } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import { assertIntact, restoring } from '../../src/journal/maintenance/intact.ts'
import { remember } from '../../src/memories/remember.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { type PrecedentRecord, records } from '../../src/records/record.ts'
import { apply, promise, rows, type World, workspace, world } from '../support/apply.ts'

describe('the check of a store at start', () => {
  let on: World
  beforeEach(async () => {
    on = await world()
    await apply(on, remember, { kind: 'fact', content: 'Tea is free.' })
  })
  afterEach(() => on.close())

  const incomplete = 'was not copied as a whole'

  it('accepts a store whose newest entry is not projected yet', async () => {
    await assertIntact(on.documents)
    await promise(on, remember, { kind: 'fact', content: 'Milk is free.' })
    const ports = on.portsOf(on)
    const inOrder = () => Promise.reject(new EngineUnavailable('test', 'died'))
    const dying = { ...ports, documents: { ...on.documents, inOrder } }
    await expect(drain(dying, { workspace, lane: 'interactive' })).rejects.toThrow('died')
    await assertIntact(on.documents)
  })

  it('refuses records beyond the last sequence of the journal', async () => {
    const [row] = (await rows(on)) as [PrecedentRecord]
    const id = '01990000-0000-7000-8000-000000000001' as RecordId
    await on.documents.insert(records, { ...row, id, record_id: id, seq: row.seq + 1 })
    await expect(assertIntact(on.documents)).rejects.toThrow(incomplete)
  })

  it('refuses a checkpoint beyond the last sequence of the journal', async () => {
    await on.documents.update(checkpoints, workspace, { set: { projected_seq: 2 } })
    await expect(assertIntact(on.documents)).rejects.toThrow(incomplete)
  })

  it('refuses a store whose restore has not ended', async () => {
    await on.documents.insert(settings, { id: restoring, version: 1, value: null })
    await expect(assertIntact(on.documents)).rejects.toThrow('has not ended')
  })
})
