/** Opens the stores that earlier versions wrote (test/stores) with this version, on the profile of the run. */
import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { firstWorkspace } from '../../src/access/workspaces.ts'
import { rebuilds } from '../../src/indexing/rebuilds.ts'
import { checkpointOf } from '../../src/journal/checkpoint.ts'
import { versionsIn } from '../../src/journal/shown-in.ts'
import { layout } from '../../src/ports/layout.ts'
import { answerTo, settled } from '../stores/content.ts'
import { fixtures, loadStore, readRecorded, setLayout, tablesOf } from '../stores/files.ts'
import { type OpenedStore, openStore } from '../stores/service.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { applied, call, syncAll } from '../support/http.ts'
import { newStore, profile, type Store } from '../support/profile.ts'

/**
 * What an answer tells in every version. These may improve: what a brief chooses and how it says it, scores and passages,
 * and which contradictions are found, because a store may hold records that were not compared yet.
 */
function lasting(path: string, answer: unknown): unknown {
  if (path.startsWith('/v1/context/brief')) return {}
  const ranked = /^(score|snippet|trust)$/
  return JSON.parse(
    JSON.stringify(answer ?? {}, (key, value) => {
      if (key === 'open_questions') return value.filter(({ reason }: { reason: string }) => reason !== 'contradiction')
      return ranked.test(key) ? undefined : value
    }),
  )
}

it('refuses a store of a newer layout before it writes anything, and names the remedy', async () => {
  const store = await newStore()
  const env = { ...store.env, PRECEDENT_DATA_DIR: temporaryFolder('precedent-upgrade-') }
  await loadStore('0.1.0', profile, { env })
  await setLayout(env, layout + 1)
  const before = await tablesOf(env)
  const remedy = `The store has layout ${layout + 1}, this version of Precedent knows layout ${layout}. Start the version that wrote the store, or a newer one.`
  await expect(openStore(env, Date.now())).rejects.toThrow(remedy)
  expect(await tablesOf(env)).toEqual(before)
  await setLayout(env, layout)
  await (await openStore(env, Date.now())).stop()
  await store.drop()
})

describe.each(readdirSync(fixtures))('the store that version %s wrote', (version) => {
  const recorded = readRecorded(version, profile)
  const { content, now } = recorded
  let store: Store
  let env: Record<string, string>
  let opened: OpenedStore
  beforeEach(async () => {
    store = await newStore()
    env = { ...store.env, PRECEDENT_DATA_DIR: temporaryFolder('precedent-upgrade-') }
    await loadStore(version, profile, { env })
    opened = await openStore(env, now)
  })
  afterEach(async () => {
    await opened.stop()
    await store.drop()
  })

  it('answers every read as that version did, and ends the writes that it left open', async () => {
    const made = await settled(opened, content)
    for (const { status, answer, ...read } of recorded.answers) {
      const given = await answerTo(opened.url, read, made)
      const what = `${read.method} ${read.path} ${JSON.stringify(read.body)}`
      expect(given.status, what).toBe(status)
      // later versions may answer with more fields
      expect(lasting(read.path, given.body), what).toMatchObject(lasting(read.path, answer) as object)
    }
  })

  it('keeps the search index of that version until one of this version is filled', async () => {
    const { documents, search } = opened
    const { live } = await checkpointOf(documents, firstWorkspace)
    await vi.waitFor(
      async () => {
        const checkpoint = await checkpointOf(documents, firstWorkspace)
        expect(versionsIn(checkpoint)).toContain(search.version)
        expect(checkpoint.live).toBe(live)
      },
      { timeout: 60_000, interval: 100 },
    )
    // nothing counted as lost
    expect(await documents.find(rebuilds, { where: { workspace: firstWorkspace }, limit: 1 })).toEqual([])
  })

  it('takes writes, and finds them beside what was there', async () => {
    const ann = { url: opened.url, key: content.keys.ann }
    const body = { kind: 'fact', content: 'The frost of this year was in May.' }
    await applied(ann, '/v1/context/memories', 'fixture-after', body)
    const found = await call<{ items: { title: string }[] }>(ann, 'POST', '/v1/context/search', { q: 'frost' })
    const titles = found.body.items.map(({ title }) => title)
    expect(titles).toEqual(expect.arrayContaining([body.content, 'The orchard in Delft froze on 3 April.']))
    expect((await syncAll(ann)).map(({ title }) => title)).toEqual(expect.arrayContaining(titles))
    // the same key as before the upgrade, with the same input
    const [first] = content.receipts
    const again = { kind: 'fact', content: 'The orchard in Delft froze on 3 April.', topics: ['frost'] }
    const sources = [{ type: 'ticket', id: 'ORCHARD-7', title: 'Late frost' }]
    const receipt = await applied(ann, '/v1/context/memories', 'fixture-write-1', { ...again, sources })
    expect(receipt.receipt_id).toBe(first)
  })
})
