/** An imported record without a date holds from its import on, which does not make it newer than one that has a date. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { brief } from '../../../src/context/brief/brief.ts'
import { recordDecision } from '../../../src/decisions/record.ts'
import { remember } from '../../../src/memories/remember.ts'
import { apply, quiet, type World, world } from '../../support/apply.ts'
import { ask, readsOf } from '../../support/ask.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const imported = { title: 'Audit logs', judgment: 'We store audit logs for 90 days.', surface: 'adr' }

async function told() {
  await quiet(on)
  const { open_questions, markdown } = await ask(await readsOf(on), brief, { query: 'how long are audit logs kept' })
  const [question] = open_questions.filter(({ reason }) => reason === 'contradiction')
  return { claim: question?.claim, markdown }
}

it('a dated record stands first in a contradiction with an undated one, and is not marked as outdated by it', async () => {
  const content = 'Audit logs are kept for 30 days.'
  await apply(on, remember, { kind: 'fact', content, occurred_at: '2025-01-01T00:00:00Z' })
  await apply(on, recordDecision, imported)
  const { claim, markdown } = await told()
  expect(claim).toBe(`“${content}” (2025-01-01), or “${imported.judgment}” (no date)?`)
  expect(markdown).not.toContain('perhaps outdated by')
})

it('a record from before is marked if the imported one has a date', async () => {
  const content = 'Audit logs are kept for 30 days.'
  await apply(on, remember, { kind: 'fact', content, occurred_at: '2025-01-01T00:00:00Z' })
  await apply(on, recordDecision, { ...imported, decided_at: '2025-06-01T00:00:00Z' })
  const { claim, markdown } = await told()
  expect(claim).toBe(`“${imported.judgment}” (2025-06-01), or “${content}” (2025-01-01)?`)
  expect(markdown).toMatch(/30 days\. \(2025-01-01, perhaps outdated by/)
})

it('a record that was said after the import is the newer one', async () => {
  await apply(on, recordDecision, imported)
  await apply(on, remember, { kind: 'fact', content: 'Audit logs are kept for 30 days.' })
  const { claim } = await told()
  expect(claim).toMatch(/^“Audit logs are kept for 30 days\.” \(\d{4}-\d\d-\d\d\), or “.*” \(no date\)\?$/)
})
