import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { remember } from '../../src/memories/remember.ts'
import { actorAda, apply, row, rows, type World, world } from '../support/apply.ts'

describe('context.remember', () => {
  let on: World
  beforeEach(async () => {
    on = await world()
  })
  afterEach(() => on.close())

  it('records a memory, valid from its acceptance, with a title from its text', async () => {
    const receipt = await apply(on, remember, { kind: 'fact', content: 'Refunds need two approvals. Since May.' })
    expect(receipt).toMatchObject({ state: 'applied', open: 0, correctable: true, entity: { type: 'memory' } })
    expect(await row(on, receipt)).toMatchObject({
      kind: 'memory',
      title: 'Refunds need two approvals.',
      text: 'Refunds need two approvals. Since May.',
      audience: 'workspace',
      valid_from: receipt.accepted_at,
      valid_to: null,
    })
  })

  it('deletes the input of an ended receipt', async () => {
    const receipt = await apply(on, remember, { kind: 'fact', content: 'Once.' })
    const { receipts } = await import('../../src/receipt.ts')
    expect((await on.documents.get(receipts, receipt.id))?.input).toBeNull()
  })

  it('reaffirms a repeated fact, even with other case and spacing, instead of recording it twice', async () => {
    const first = await apply(on, remember, { kind: 'fact', content: 'We ship on  Fridays.', topics: ['a'] })
    const again = await apply(on, remember, {
      kind: 'fact',
      content: 'we ship on fridays.',
      topics: ['b'],
      sources: [{ type: 'chat', id: '1' }],
    })
    expect(again.entity?.id).toBe(first.entity?.id)
    const kept = await rows(on)
    expect(kept.length).toBe(1)
    expect(kept[0]).toMatchObject({ topics: ['a', 'b'], sources: [{ type: 'chat', id: '1' }] })
    expect(kept[0]?.mutable).toHaveProperty('confirmed_at')
  })

  it('does not merge session outcomes, nor equal texts of another kind, audience, title or day', async () => {
    const content = 'The release went well.'
    for (const input of [
      { kind: 'session_outcome', content },
      { kind: 'session_outcome', content },
      { kind: 'fact', content },
      { kind: 'fact', content, visibility: { scope: 'private' } },
      { kind: 'fact', content, title: 'Release' },
      { kind: 'fact', content, occurred_at: '2025-01-01T00:00:00Z' },
      { kind: 'fact', content, occurred_at: '2025-02-01T00:00:00Z' },
    ]) {
      await apply(on, remember, input)
    }
    expect((await rows(on)).length).toBe(7)
  })

  it('lets a correction supersede a memory, beginning at its valid_from', async () => {
    const first = await apply(on, remember, {
      kind: 'fact',
      content: 'Prices rise by 3 %.',
      occurred_at: '2025-01-01T00:00:00Z',
    })
    const correction = await apply(on, remember, {
      kind: 'correction',
      content: 'Prices rise by 4 %.',
      corrects_memory_id: first.entity?.id,
      occurred_at: '2025-03-01T00:00:00Z',
    })
    const [old, corrected] = await rows(on)
    expect(old).toMatchObject({
      superseded_by: correction.entity?.id,
      valid_to: '2025-03-01T00:00:00.000Z',
      successors: [{ id: correction.entity?.id }],
    })
    expect(corrected).toMatchObject({ supersedes: [first.entity?.id], valid_to: null })
  })

  it('refuses to correct a corrected memory, and names the newest version', async () => {
    const first = await apply(on, remember, { kind: 'fact', content: 'One.' })
    const correct = (id: string | undefined, content: string) =>
      apply(on, remember, { kind: 'correction', content, corrects_memory_id: id })
    const second = await correct(first.entity?.id, 'Two.')
    const third = await correct(second.entity?.id, 'Three.')
    const late = await correct(first.entity?.id, 'Four.')
    expect(late.state).toBe('failed')
    expect(late.error).toMatchObject({
      code: 'already_superseded',
      details: { head: { type: 'memory', id: third.entity?.id } },
    })
    expect((await rows(on)).length).toBe(3)
  })

  it('gives a correction the audience of the corrected memory, and refuses a narrower one', async () => {
    const first = await apply(on, remember, {
      kind: 'fact',
      content: 'Team fact.',
      visibility: { scope: 'team', team_id: actorAda.teams[0] },
    })
    await expect(
      apply(on, remember, {
        kind: 'correction',
        content: 'Narrower.',
        corrects_memory_id: first.entity?.id,
        visibility: { scope: 'private' },
      }),
    ).rejects.toMatchObject({ code: 'invalid_request' })
    const corrected = await apply(on, remember, {
      kind: 'correction',
      content: 'Corrected.',
      corrects_memory_id: first.entity?.id,
    })
    expect((await row(on, corrected)).audience).toBe(`team:${actorAda.teams[0]}`)
  })

  it('answers not_found for a memory that the caller may not see, and for a team of others', async () => {
    const secret = await apply(on, remember, { kind: 'fact', content: 'Mine.', visibility: { scope: 'private' } })
    const ben = { ...actorAda, user: 'ben', teams: [] }
    const correction = { kind: 'correction', content: 'No.', corrects_memory_id: secret.entity?.id }
    await expect(apply(on, remember, correction, ben)).rejects.toMatchObject({ code: 'not_found' })
    const elsewhere = { kind: 'fact', content: 'x', visibility: { scope: 'team', team_id: actorAda.teams[0] } }
    await expect(apply(on, remember, elsewhere, ben)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('keeps the older memory in force until the instant of a correction that is dated ahead', async () => {
    const first = await apply(on, remember, { kind: 'fact', content: 'Rent is 900.' })
    await apply(on, remember, {
      kind: 'correction',
      content: 'Rent is 950.',
      corrects_memory_id: first.entity?.id,
      occurred_at: '2026-01-01T00:00:30Z',
    })
    expect((await row(on, first)).superseded_by).toBeNull()
    // the test clock advances by a millisecond with each reading
    while (on.clock.now() < Date.parse('2026-01-01T00:00:31Z')) {}
    const { sweep } = await import('../../src/journal/maintenance/sweep.ts')
    const { quiet } = await import('../support/apply.ts')
    await sweep(on.portsOf(on))
    await quiet(on)
    expect(await row(on, first)).toMatchObject({ valid_to: '2026-01-01T00:00:30.000Z' })
    expect((await row(on, first)).superseded_by).not.toBeNull()
  })

  it('stores no part of a content with a credential, and names only its kind and place', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const receipt = await apply(on, remember, { kind: 'fact', content: `The token is ${secret}.` })
    expect(receipt).toMatchObject({
      state: 'rejected',
      error: { code: 'secret_detected', details: { kind: 'github', place: 'content' } },
    })
    expect(await rows(on)).toEqual([])
    const { receipts } = await import('../../src/receipt.ts')
    expect(JSON.stringify(await on.documents.get(receipts, receipt.id))).not.toContain(secret)
  })
})
