import { beforeEach, describe, expect, it } from 'vitest'
import { type FairTurns, fairTurns } from '../../src/http/admission/fair-turns.ts'

const flood = { workspace: 'flooded', credential: 'flood' }
const neighbour = { workspace: 'flooded', credential: 'neighbour' }
const quiet = { workspace: 'quiet', credential: 'quiet' }

let now: number
let turns: FairTurns
/** Names of those at work, in the order in which they began. */
let atWork: string[]
let finish: Map<string, () => void>

beforeEach(() => {
  now = 0
  atWork = []
  finish = new Map()
  turns = fairTurns({ all: Number.POSITIVE_INFINITY, workspace: 8, credential: 8 }, () => now)
})

function send(by: typeof flood, name: string): void {
  void turns.run(by, async () => {
    atWork.push(name)
    await new Promise<void>((resolve) => finish.set(name, resolve))
    atWork.splice(atWork.indexOf(name), 1)
  })
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

async function end(name: string): Promise<void> {
  await settled()
  finish.get(name)?.()
  await settled()
}

async function floods(count: number): Promise<void> {
  for (let n = 0; n < count; n++) send(flood, `flood-${n}`)
  await settled()
}

describe('fair turns', () => {
  it('run all requests at once while only one credential sends requests', async () => {
    await floods(100)
    expect(atWork).toHaveLength(100)
  })

  it('run 8 requests of a workspace if another caller competes, and start that caller’s request at once', async () => {
    send(quiet, 'first')
    await floods(100)
    expect(atWork.filter((name) => name.startsWith('flood'))).toHaveLength(8)
    send(quiet, 'second')
    await settled()
    expect(atWork).toContain('second')
  })

  it('start a waiting request whenever another one ends, until none waits', async () => {
    send(quiet, 'first')
    await floods(20)
    for (let n = 0; n < 20; n++) await end(`flood-${n}`)
    expect(atWork).toEqual(['first'])
  })

  it('let another caller of the flooded workspace wait for one turn only', async () => {
    send(neighbour, 'first')
    await end('first')
    await floods(100)
    send(neighbour, 'second')
    await settled()
    expect(atWork).not.toContain('second')
    await end('flood-0')
    // the flood has been waiting longer, so it had the first turn
    await end('flood-1')
    expect(atWork).toContain('second')
  })

  it('start all waiting requests if no other caller has competed for a second', async () => {
    send(quiet, 'first')
    await end('first')
    await floods(100)
    expect(atWork).toHaveLength(8)
    now = 1_001
    await end('flood-0')
    expect(atWork).toHaveLength(99)
  })
})
