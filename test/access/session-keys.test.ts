import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/access/actor.ts'
import { authenticator } from '../../src/access/authenticate.ts'
import { bootstrap } from '../../src/access/bootstrap.ts'
import { keysIn, scopesOfKey } from '../../src/access/keys.ts'
import { deleteSessionKeys, makeSessionKey, sessionKeys, sharedScopes } from '../../src/access/session-keys.ts'
import { firstWorkspace } from '../../src/access/workspaces.ts'
import type { Audience, RecordId } from '../../src/ids.ts'
import { findSecret } from '../../src/secrets/find.ts'
import { actorWith, openStore, type Store } from './store.ts'

let store: Store
beforeEach(async () => {
  store = await openStore()
  await bootstrap({ documents: store.documents, clock: store.clock, workspaceType: 'company' })
})
afterEach(() => store.close())

const run = '01a2057a-a4cf-702b-9a08-0099e847d990' as RecordId
const executor: Scope[] = ['context:read', 'context:write', 'tasks:read']

function made({ audience = 'workspace' as Audience, requester = executor, lasts = 60_000 } = {}): Promise<string> {
  const expires_at = new Date(store.clock.now() + lasts).toISOString()
  const key = { id: `${run}-1`, workspace: firstWorkspace, run, fence: 1, expires_at }
  return makeSessionKey(store.documents, { ...key, audience, executor, requester })
}

const authenticate = (secret: string) => authenticator(store.documents, store.clock)(`Bearer ${secret}`)
const refused = { code: 'authentication_required' }

describe('the key of a session', () => {
  it.each([
    ['workspace', `key:${run}-1`, []],
    ['team:0b0e6f4c-6a3c-4b5e-9a56-0f8b5c1d2e3f', `key:${run}-1`, ['0b0e6f4c-6a3c-4b5e-9a56-0f8b5c1d2e3f']],
    ['user:ada', 'ada', []],
    ['user:key:some-key', 'key:some-key', []],
  ] as const)('of a task for %s sees what everyone who sees the task sees', async (audience, user, teams) => {
    const actor = await authenticate(await made({ audience }))
    expect(actor).toMatchObject({ user, teams, workspace: firstWorkspace, isSession: true, credential: `${run}-1` })
  })

  it('has the scopes that executor and requester share, and never those that start, approve or administer', () => {
    const all: Scope[] = ['context:read', 'tasks:write', 'tasks:run', 'tasks:approve', 'admin']
    expect(sharedScopes(all, ['tasks:write', 'tasks:run', 'tasks:approve', 'admin', 'repos:read'])).toEqual([
      'tasks:write',
    ])
  })

  it('is stored as a hash, and recognized as a credential in texts', async () => {
    const secret = await made()
    expect(secret).toMatch(/^svc_run_[A-Za-z0-9]{43}$/)
    expect(JSON.stringify(await store.documents.get(sessionKeys, `${run}-1`))).not.toContain(secret.slice(8))
    expect(await findSecret([{ place: 'content', text: `It printed ${secret}.` }])).toMatchObject({ kind: 'precedent' })
  })

  it('is refused once it has expired, was deleted, or another was made for its session', async () => {
    const first = await made({ lasts: 1_000 })
    const ask = authenticator(store.documents, store.clock)
    await ask(`Bearer ${first}`)
    store.clock.pass(1_001)
    await expect(ask(`Bearer ${first}`)).rejects.toMatchObject(refused)
    const second = await made()
    await expect(authenticate(first)).rejects.toMatchObject(refused)
    await authenticate(second)
    await deleteSessionKeys(store.documents, [`${run}-1`])
    await expect(authenticate(second)).rejects.toMatchObject(refused)
  })
})

describe('the scopes of the key that started a run', () => {
  it('are those of now, and none once it is revoked, expired or of another workspace', async () => {
    const admin = actorWith(['admin'])
    const all = keysIn(store.documents, store.clock)
    const expires_at = new Date(store.clock.now() + 10_000).toISOString()
    const lasting = await all.create(admin, { name: 'a', scopes: ['tasks:run'] })
    const brief = await all.create(admin, { name: 'b', scopes: ['tasks:run'], expires_at })
    const ask = (id: string, workspace = firstWorkspace) => scopesOfKey(store.documents, store.clock, { id, workspace })
    expect(await ask(lasting.id)).toEqual(['tasks:run'])
    expect(await ask(brief.id)).toEqual(['tasks:run'])
    expect(await ask(lasting.id, 'other' as typeof firstWorkspace)).toBeUndefined()
    store.clock.pass(10_001)
    expect(await ask(brief.id)).toBeUndefined()
    await all.revoke(admin, lasting.id)
    expect(await ask(lasting.id)).toBeUndefined()
  })
})
