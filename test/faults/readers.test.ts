/** Sync readers that follow the feed under load must miss no change. */
import { afterAll, describe, expect, it } from 'vitest'
import { type Caller, call, type ReceiptBody } from '../support/http.ts'
import { removeData, type Started, startService } from '../support/service.ts'
import { full, tries } from '../support/size.ts'
import { skipIf } from '../support/skip.ts'
import { type Cluster, missingFor, startCluster } from './cluster.ts'
import { follow, type Reader, statesIn } from './following.ts'
import { insist, type Told } from './insist.ts'
import { recovery, sleep } from './load.ts'

const writers = 32
/** The page size of each reader. They differ, so that readers are never in step. */
const limits = [200, 173, 149, 127, 101, 83, 61, 200]
/** ms between two reads. The stand-in for MongoDB reads all records for each page, and a full run has many. */
const everyOnServers = full ? 500 : 50
/** The number of writes in a group: groupOf(). */
const groupSize = 4
/** The writer waits for the end of one group in this many. */
const groupsAhead = 5

describe('32 writers against 8 sync readers', () => {
  describe('in one process', () => {
    let service: Started | undefined
    afterAll(async () => {
      await service?.kill()
      if (service) await removeData(service.dataDir)
    })

    it('8 sync readers end with every change while 32 writers write to one process', {
      timeout: 2_400_000,
    }, async () => {
      service = await startService()
      await writtenAndRead('embedded', [service], full ? 100_000 : tries(8_000), 20)
    })
  })

  describe('in processes of each kind', skipIf(missingFor([])), () => {
    let cluster: Cluster | undefined
    afterAll(() => cluster?.close(), 60_000)

    it('8 sync readers end with every change while 32 writers write and apply workers freeze in turn', {
      timeout: 2_400_000,
    }, async () => {
      cluster = await startCluster([], ['web', 'web', 'apply', 'apply', 'index', 'maintain'])
      const freezing = freezeByTurns(cluster.of('apply'))
      try {
        await writtenAndRead('scaled', cluster.webs, full ? 10_000 : 1_200, everyOnServers)
      } finally {
        await freezing.end()
      }
    })
  })
})

async function writtenAndRead(where: string, webs: readonly Started[], writes: number, every: number): Promise<void> {
  const web = (number: number) => webs[number % webs.length] as Started
  const groups = Math.floor(writes / groupSize)
  const readers: Reader[] = []
  const told: Told = { unavailable: 0 }
  let next = 0
  const began = Date.now()
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      while (next < groups) {
        const group = next++
        // readers join one after another, so each reads old changes first and then new ones
        while (readers.length < limits.length && group >= (readers.length * groups) / limits.length) {
          const limit = limits[readers.length] as number
          readers.push(follow(web(readers.length), { limit, every, told }))
        }
        for (const [at, one] of groupOf(group).entries()) {
          // limits the backlog of accepted writes
          const waits = at === groupSize - 1 && group % groupsAhead === 0
          const receipt = await accepted(web(writer), told, one)
          if (waits) await ended(web(writer), told, receipt)
        }
      }
    }),
  )
  const written = Date.now()
  await everyReceiptApplied(web(0), told, written + recovery)
  const appliedAfter = Date.now() - written
  const meanwhile = readers.map((reader) => reader.read())
  const expected = Array.from({ length: groups }, (_, group) => statesOf(group))
    .flat()
    .sort()
  for (const reader of readers) expect(statesIn(await reader.end())).toEqual(expected)
  // a new reader sees nothing twice
  const last = follow(web(1), { limit: 200, every, told })
  expect(statesIn(await last.end())).toEqual(expected)
  // all readers read during the writes
  expect(Math.min(...meanwhile)).toBeGreaterThan(0)
  const pages = readers.reduce((sum, reader) => sum + reader.pages(), 0)
  console.log(
    `${where}: ${groups * groupSize} writes in ${written - began} ms, all applied ${appliedAfter} ms later; 8 readers held ${expected.length} records each, by ${pages} pages, ${meanwhile.join(', ')} changes before the end; told ${told.unavailable} times to come again`,
  )
}

interface Write {
  path: string
  key: string
  body: object
}

/** A fact, a decision, its second revision, and a decision that supersedes it. */
function groupOf(group: number): Write[] {
  // groups share no word, so their claims are never compared
  const word = wordOf(group)
  const decision = { external_id: `group/${group}` }
  const next = { external_id: `next/${group}`, supersedes: [decision.external_id] }
  const bodies: [string, object][] = [
    ['/v1/context/memories', { kind: 'fact', title: `fact ${group}`, content: `${word}.` }],
    ['/v1/decisions', { ...decision, title: `first ${group}`, judgment: `${word}.` }],
    ['/v1/decisions', { ...decision, title: `second ${group}`, judgment: `${word}!` }],
    ['/v1/decisions', { ...next, title: `third ${group}`, judgment: `${word}, ${word}.` }],
  ]
  return bodies.map(([path, body], at) => ({ path, key: `group-${group}-${at}`, body }))
}

/** The number in letters. */
function wordOf(group: number): string {
  return [...String(group)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

/** The final states of its records for readers. */
function statesOf(group: number): string[] {
  return [
    `fact ${group}, upsert`,
    `second ${group}, superseded, by third ${group}`,
    `third ${group}, upsert, in place of second ${group}`,
  ]
}

async function accepted(caller: Caller, told: Told, { path, key, body }: Write): Promise<string> {
  const answer = await insist(told, () => call<ReceiptBody>(caller, 'POST', path, body, { 'idempotency-key': key }))
  expect([200, 202], JSON.stringify(answer.body)).toContain(answer.status)
  return answer.body.receipt_id
}

/** Without a time limit, because the store may be slow. Only the backlog after the last write has one. */
async function ended(caller: Caller, told: Told, receipt: string): Promise<void> {
  for (let state = ''; state !== 'applied'; ) {
    const answer = await insist(told, () => call<ReceiptBody>(caller, 'GET', `/v1/receipts/${receipt}?wait=30`))
    state = answer.body.state
    expect(['accepted', 'processing', 'applied'], JSON.stringify(answer.body)).toContain(state)
  }
}

/** No receipt is open at the deadline, and none failed. */
async function everyReceiptApplied(caller: Caller, told: Told, deadline: number): Promise<void> {
  const inState = async (state: string) => {
    const path = `/v1/receipts?state=${state}&limit=1`
    const { status, body } = await insist(told, () => call<{ items: unknown[] }>(caller, 'GET', path))
    expect(status).toBe(200)
    return body.items
  }
  const left = async () => [...(await inState('accepted')), ...(await inState('processing'))]
  await expect.poll(left, { timeout: Math.max(1, deadline - Date.now()), interval: 100 }).toEqual([])
  for (const state of ['failed', 'rejected', 'expired']) expect(await inState(state)).toEqual([])
}

/** ms */
const frozen = 1_000
const between = 500

/** Freezes workers at any point of their work, so that projections arrive out of order. */
function freezeByTurns(workers: readonly Started[]) {
  let going = true
  const freezing = (async () => {
    for (let turn = 0; going; turn++) {
      const { child } = workers[turn % workers.length] as Started
      child.kill('SIGSTOP')
      await sleep(frozen)
      child.kill('SIGCONT')
      await sleep(between)
    }
  })()
  return {
    async end() {
      going = false
      await freezing
    },
  }
}
