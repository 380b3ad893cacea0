/** What a decision that was imported leaves open is asked only if it is younger than half a year. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recordDecision } from '../../../src/decisions/record.ts'
import { apply, rows, type World, world } from '../../support/apply.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const unsure = 'We ship the logs by syslog. I think the old host still takes them. Open question: who rotates them?'

const daysAgo = (days: number) => new Date(on.clock.now() - days * 24 * 60 * 60 * 1000).toISOString()

async function reasonsOf(decision: object): Promise<string[]> {
  await apply(on, recordDecision, { title: 'Shipping of logs', judgment: unsure, ...decision })
  return (await rows(on)).flatMap((row) => (row.kind === 'question' ? row.body.reason : [])).sort()
}

it('asks nothing about doubts of an imported decision of a year ago', async () => {
  expect(await reasonsOf({ surface: 'adr', decided_at: daysAgo(365) })).toEqual([])
})

it('asks about doubts of an imported decision of last month', async () => {
  expect(await reasonsOf({ surface: 'adr', decided_at: daysAgo(30) })).toEqual(['explicit_question', 'low_confidence'])
})

it('asks about doubts of an imported decision that has no date', async () => {
  expect(await reasonsOf({ surface: 'adr' })).toEqual(['explicit_question', 'low_confidence'])
})

it('asks about doubts of a decision of a year ago that was recorded by hand', async () => {
  expect(await reasonsOf({ decided_at: daysAgo(365) })).toEqual(['explicit_question', 'low_confidence'])
})
