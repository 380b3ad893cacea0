import { expect, it } from 'vitest'
import type { ReceiptId, RecordId } from '../../src/ids.ts'
import { presentReceipt } from '../../src/receipts/present.ts'
import { actorAda } from '../support/apply.ts'

const task = '00000000-0000-7000-8000-000000000001' as RecordId
const run = '00000000-0000-7000-8000-000000000002' as RecordId
const receipt = {
  ...{ id: '00000000-0000-7000-8000-000000000003' as ReceiptId, owner: 'ada', operation: 'task.run' },
  actor: { credential: 'key-of-ada', user: 'ada', teams: [] },
  ...{ accepted_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
  ...{ state: 'applied' as const, open: 0, correctable: false, error: null },
}
const shown = (entity: object) => {
  const base = { id: run, type: 'run' as const, label: 'Paint', audience: 'workspace' as const }
  return presentReceipt({ ...receipt, entity: { ...base, ...entity } }, actorAda, 'http://test')
}

it('a receipt of a run leads to the run of its task', () => {
  expect(shown({ task })).toMatchObject({
    entity: { type: 'run', id: run, label: 'Paint', url: `http://test/api/v2/tasks/${task}/run` },
  })
  expect(shown({ task })).not.toHaveProperty('approval_url')
  expect(shown({ task })).not.toHaveProperty('correction')
})

it('a receipt of a write that started a run says where to approve it, if it awaited approval at once', () => {
  const approval_url = `http://test/api/v2/tasks/${task}/run/approve`
  expect(shown({ task, awaits: true })).toMatchObject({ approval_url })
  expect(shown({ id: task, type: 'task', awaits: true })).toMatchObject({
    ...{ approval_url, entity: { type: 'task', url: `http://test/api/v2/tasks/${task}` } },
  })
})
