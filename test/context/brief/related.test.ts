import { afterEach, beforeEach, expect, it } from 'vitest'
import { brief } from '../../../src/context/brief/brief.ts'
import { remember } from '../../../src/memories/remember.ts'
import { apply, type World, world } from '../../support/apply.ts'
import { ask, readsOf } from '../../support/ask.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const fact = async (content: string, more: object = {}) =>
  (await apply(on, remember, { kind: 'fact', content, ...more })).entity?.id as string

it('finds a newer record by a word of the older one that both have, not by words that only the older one has', async () => {
  const rented = 'We rent 600 Zellion Z4 handhelds for the gates; they go back to the lender each autumn.'
  const older = await fact(rented, { occurred_at: '2020-01-01T00:00:00Z' })
  await fact('The canteen of the gates serves soup.', { occurred_at: '2021-01-01T00:00:00Z' })
  const newer = await fact('All handhelds of Zellion were sold, 820 sleds are used instead.')
  const { citations } = await ask(await readsOf(on), brief, { query: 'how many devices do the gates have' })
  expect(citations.map(({ id }) => id)).toEqual(expect.arrayContaining([older, newer]))
})
