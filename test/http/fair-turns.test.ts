import { beforeEach, describe, expect, it } from 'vitest'
import { type FairTurns, fairTurns } from '../../src/http/middleware/fair-turns.ts'

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

describe('requests at work', () => {
  it('begin at once, however many, while only one credential sends some', async () => {
    await floods(100)
    expect(atWork).toHaveLength(100)
  })

  it('are 8 of a workspace as soon as another caller competes, and that one begins at once', async () => {
    send(quiet, 'first')
    await floods(100)
    expect(atWork.filter((name) => name.startsWith('flood'))).toHaveLength(8)
    send(quiet, 'second')
    await settled()
    expect(atWork).toContain('second')
  })

  it('begin one by one as others end, until all have been at work', async () => {
    send(quiet, 'first')
    await floods(20)
    for (let n = 0; n < 20; n++) await end(`flood-${n}`)
    expect(atWork).toEqual(['first'])
  })

  it('of a caller in the flooded workspace wait for one turn, not for all that came before', async () => {
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

  it('all begin at the next end once nobody has competed for a second', async () => {
    send(quiet, 'first')
    await end('first')
    await floods(100)
    expect(atWork).toHaveLength(8)
    now = 1_001
    await end('flood-0')
    expect(atWork).toHaveLength(99)
  })
})
