import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scopes } from '../../src/access/actor.ts'
import { authenticator } from '../../src/access/authenticate.ts'
import { bootstrap, recover } from '../../src/access/bootstrap.ts'
import { keys, keysIn } from '../../src/access/keys.ts'
import { firstWorkspace, workspaces } from '../../src/access/workspaces.ts'
import type { WorkspaceId } from '../../src/ids.ts'
import { actorWith, openStore, type Store } from './store.ts'

const other = 'another-tenant' as WorkspaceId
let store: Store
beforeEach(async () => {
  store = await openStore()
  await first()
  const made = { name: 'other', type: 'personal' as const, created_at: '2026-01-01T00:00:00.000Z' }
  await store.documents.insert(workspaces, { id: other, ...made })
})
afterEach(() => store.close())

const first = () => bootstrap({ documents: store.documents, clock: store.clock, workspaceType: 'company' })
const admin = actorWith(['admin'])
const minute = 60_000

describe('keys', () => {
  it('shows a secret once and stores only its hash', async () => {
    const made = await keysIn(store.documents, store.clock).create(admin, { name: 'ci', scopes: ['context:read'] })
    expect(made.key).toMatch(/^svc_sk_[0-9A-Za-z]{32,}$/)
    const stored = await store.documents.get(keys, made.id)
    expect(JSON.stringify(stored)).not.toContain(made.key.slice('svc_sk_'.length))
    const listed = await keysIn(store.documents, store.clock).list(admin)
    expect(listed.map(({ id }) => id)).toContain(made.id)
    expect(JSON.stringify(listed)).not.toMatch(/svc_sk_|hash/)
  })

  it('gives the actor the key’s user, teams in lower case, scopes and workspace', async () => {
    const team = '0B0E6F4C-6A3C-4B5E-9A56-0F8B5C1D2E3F'
    const made = await keysIn(store.documents, store.clock).create(admin, {
      name: 'ann',
      scopes: ['context:read', 'context:write'],
      user: 'ann@example.com',
      teams: [team, team.toLowerCase()],
      workspace: other,
    })
    const actor = await authenticator(store.documents, store.clock)(`Bearer ${made.key}`)
    expect(actor).toEqual({
      workspace: other,
      workspaceType: 'personal',
      credential: made.id,
      user: 'ann@example.com',
      teams: [team.toLowerCase()],
      scopes: ['context:read', 'context:write'],
    })
  })

  it.each([
    ['no name', { scopes: ['admin'] }],
    ['an unknown scope', { name: 'x', scopes: ['root'] }],
    ['no scope', { name: 'x', scopes: [] }],
    ['a user that would be another key', { name: 'x', scopes: ['admin'], user: 'key:some-key' }],
    ['a team that is no uuid', { name: 'x', scopes: ['admin'], teams: ['platform'] }],
    ['an expiry in the past', { name: 'x', scopes: ['admin'], expires_at: '2020-01-01T00:00:00Z' }],
    ['an unknown field', { name: 'x', scopes: ['admin'], workspace_id: other }],
  ])('refuses a request with %s', async (_, request) => {
    const creating = keysIn(store.documents, store.clock).create(admin, request)
    await expect(creating).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('says of scopes that are no list only that', async () => {
    const made = keysIn(store.documents, store.clock).create(admin, { name: 'ci', scopes: 'context:read' })
    await expect(made).rejects.toMatchObject({
      details: { issues: [{ path: 'scopes', message: 'must be a list' }] },
    })
  })

  it('never lets a tenant create, see or revoke keys of another, or learn which workspaces exist', async () => {
    const all = keysIn(store.documents, store.clock)
    const theirs = actorWith(['admin'], { workspace: other })
    const request = { name: 'x', scopes: ['admin'], workspace: firstWorkspace }
    const mine = await all.create(admin, { name: 'mine', scopes: ['admin'] })
    const there = await all.create(theirs, request).catch((error: Error) => error.message)
    const nowhere = await all
      .create(theirs, { ...request, workspace: 'nowhere' })
      .catch((error: Error) => error.message)
    expect(there).toBe(nowhere)
    await expect(all.create(admin, { ...request, workspace: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await all.list(theirs)).toEqual([])
    expect(await all.revoke(theirs, mine.id)).toBe(false)
    await expect(authenticator(store.documents, store.clock)(`Bearer ${mine.key}`)).resolves.toBeDefined()
  })

  it('needs the scope admin', async () => {
    const all = keysIn(store.documents, store.clock)
    const nobody = actorWith(scopes.filter((scope) => scope !== 'admin'))
    await expect(all.list(nobody)).rejects.toMatchObject({ code: 'insufficient_scope' })
    await expect(all.create(nobody, {})).rejects.toMatchObject({ code: 'insufficient_scope' })
    await expect(all.revoke(nobody, 'x')).rejects.toMatchObject({ code: 'insufficient_scope' })
  })
})

describe('authentication', () => {
  it('refuses every invalid key in the same way', async () => {
    const all = keysIn(store.documents, store.clock)
    const revoked = await all.create(admin, { name: 'revoked', scopes: ['admin'] })
    expect(await all.revoke(admin, revoked.id)).toBe(true)
    const inAnHour = new Date(store.clock.now() + 60 * minute).toISOString()
    const expired = await all.create(admin, { name: 'expired', scopes: ['admin'], expires_at: inAnHour })
    const good = await all.create(admin, { name: 'good', scopes: ['admin'] })
    store.clock.pass(61 * minute)
    const authenticate = authenticator(store.documents, store.clock)
    const bad = [
      undefined,
      '',
      'Bearer',
      `Basic ${good.key}`,
      `Bearer ${good.key} x`,
      `Bearer ${good.key}x`,
      `Bearer svc_sk_${'a'.repeat(43)}`,
      `Bearer ${revoked.key}`,
      `Bearer ${expired.key}`,
    ]
    const answers = await Promise.all(
      bad.map((header) =>
        authenticate(header).then(
          () => 'let in',
          ({ code, message, headers }) => JSON.stringify({ code, message, headers }),
        ),
      ),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('authentication_required')
    expect(answers[0]).toContain('WWW-Authenticate')
    await expect(authenticate(`bearer  ${good.key}`)).resolves.toMatchObject({ credential: good.id })
  })

  it('looks a key up once for all requests that come at the same time', async () => {
    const { key, id } = await keysIn(store.documents, store.clock).create(admin, { name: 'many', scopes: ['admin'] })
    let queries = 0
    const find: typeof store.documents.find = (...query) => {
      queries += 1
      return store.documents.find(...query)
    }
    const ask = () => {
      const authenticate = authenticator({ ...store.documents, find }, store.clock)
      return (times: number) => Promise.all(Array.from({ length: times }, () => authenticate(`Bearer ${key}`)))
    }
    await ask()(1)
    const alone = queries
    const actors = await ask()(100)
    expect(new Set(actors.map(({ credential }) => credential))).toEqual(new Set([id]))
    expect(queries).toBe(2 * alone)
  })

  it('refuses a revoked key within 5 seconds even if the clock was set back by hours', async () => {
    const all = keysIn(store.documents, store.clock)
    const { id, key } = await all.create(admin, { name: 'x', scopes: ['context:read'] })
    const authenticate = authenticator(store.documents, store.clock)
    await authenticate(`Bearer ${key}`)
    store.clock.setBack(3 * 60 * minute)
    await all.revoke(admin, id)
    store.clock.pass(5_000)
    await expect(authenticate(`Bearer ${key}`)).rejects.toMatchObject({ code: 'authentication_required' })
  })

  it('refuses a revoked key within 5 seconds in a process that has it in its cache', async () => {
    const all = keysIn(store.documents, store.clock)
    const { key, id } = await all.create(admin, { name: 'short', scopes: ['admin'] })
    const authenticate = authenticator(store.documents, store.clock)
    await authenticate(`Bearer ${key}`)
    await all.revoke(admin, id)
    store.clock.pass(5_000)
    await expect(authenticate(`Bearer ${key}`)).rejects.toMatchObject({ code: 'authentication_required' })
  })

  it('refuses a revoked key within 5 seconds to a caller that asks every second', async () => {
    const all = keysIn(store.documents, store.clock)
    const { key, id } = await all.create(admin, { name: 'streams', scopes: ['admin'] })
    const authenticate = authenticator(store.documents, store.clock)
    await authenticate(`Bearer ${key}`)
    await all.revoke(admin, id)
    store.clock.pass(4_000)
    // a call that asks once may still be answered from the cache; the next look of a stream would come too late
    await expect(authenticate(`Bearer ${key}`)).resolves.toMatchObject({ credential: id })
    await expect(authenticate(`Bearer ${key}`, 1_000)).rejects.toMatchObject({ code: 'authentication_required' })
  })

  it('refuses an expired key at once, cached or not', async () => {
    const expires_at = new Date(store.clock.now() + 1_000).toISOString()
    const { key } = await keysIn(store.documents, store.clock).create(admin, {
      name: 'x',
      scopes: ['admin'],
      expires_at,
    })
    const authenticate = authenticator(store.documents, store.clock)
    await authenticate(`Bearer ${key}`)
    store.clock.pass(1_001)
    await expect(authenticate(`Bearer ${key}`)).rejects.toMatchObject({ code: 'authentication_required' })
  })

  it('stores the last use at most once a minute', async () => {
    const { key, id } = await keysIn(store.documents, store.clock).create(admin, { name: 'x', scopes: ['admin'] })
    const authenticate = authenticator(store.documents, store.clock)
    const lastUse = async () => (await store.documents.get(keys, id))?.last_used_at
    await authenticate(`Bearer ${key}`)
    await expect.poll(lastUse).not.toBeNull()
    const noted = await lastUse()
    store.clock.pass(59_000)
    await authenticate(`Bearer ${key}`)
    expect(await lastUse()).toBe(noted)
    store.clock.pass(1_000)
    await authenticate(`Bearer ${key}`)
    await expect.poll(lastUse).not.toBe(noted)
  })
})

describe('the first start', () => {
  it('makes one workspace and one admin key even if several processes start at once', async () => {
    const empty = await openStore()
    const starts = Array.from({ length: 8 }, () =>
      bootstrap({ documents: empty.documents, clock: empty.clock, workspaceType: 'personal' }),
    )
    const made = (await Promise.all(starts)).filter((one) => one !== undefined)
    expect(made).toHaveLength(1)
    const actor = await authenticator(empty.documents, empty.clock)(`Bearer ${made[0]?.secret}`)
    expect(actor).toMatchObject({ workspaceType: 'personal', scopes: [...scopes] })
    expect(await keysIn(empty.documents, empty.clock).list(actor)).toHaveLength(1)
    await empty.close()
  })

  it('uses the configured key only once, so a revoked key stays revoked', async () => {
    const empty = await openStore()
    const { documents, clock } = empty
    const secret = `svc_sk_${'A1b2'.repeat(8)}`
    expect(await bootstrap({ documents, clock, workspaceType: 'company', secret })).toEqual({
      secret,
      generated: false,
    })
    const actor = await authenticator(documents, clock)(`Bearer ${secret}`)
    await keysIn(documents, clock).revoke(actor, actor.credential)
    expect(await bootstrap({ documents, clock, workspaceType: 'company', secret })).toBeUndefined()
    const later = `svc_sk_${'Z9y8'.repeat(8)}`
    expect(await bootstrap({ documents, clock, workspaceType: 'company', secret: later })).toBeUndefined()
    for (const key of [secret, later]) {
      await expect(authenticator(documents, clock)(`Bearer ${key}`)).rejects.toMatchObject({
        code: 'authentication_required',
      })
    }
    await empty.close()
  })

  it('can make a new admin key with access to the store alone', async () => {
    const { secret, id } = await recover(store.documents, store.clock)
    const actor = await authenticator(store.documents, store.clock)(`Bearer ${secret}`)
    expect(actor).toMatchObject({ credential: id, workspace: firstWorkspace })
    expect(actor.scopes).toContain('admin')
  })
})
