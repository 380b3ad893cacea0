import { expect, it } from 'vitest'
import { slots } from '../../src/http/admission/slots.ts'

/** Work that ends when the test calls `end`. */
function held() {
  let end: (value: string) => void = () => {}
  const ended = new Promise<string>((resolve) => {
    end = resolve
  })
  return { work: () => ended, end }
}

const alike = (most: number) => ({ all: most, workspace: most, credential: most })
const ada = { workspace: 'north', credential: 'ada' }
const ben = { workspace: 'north', credential: 'ben' }
const south = { workspace: 'south', credential: 'cleo' }

it('with two slots, two calls run at a time and the others in order, and a call is refused if too many wait', async () => {
  const two = slots(alike(2), alike(8))
  const begun: number[] = []
  const works = Array.from({ length: 10 }, held)
  const runs = works.map(({ work }, at) =>
    two.run(ada, () => {
      begun.push(at)
      return work()
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  await expect(two.run(ada, async () => 'late')).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '5' },
  })
  for (const { end } of works) end('done')
  expect(await Promise.all(runs)).toEqual(works.map(() => 'done'))
  expect(begun).toEqual(works.map((_, at) => at))
  expect(await two.run(ada, async () => 'next')).toBe('next')
})

it('a slot is freed if its work fails', async () => {
  const one = slots(alike(1), alike(8))
  await expect(one.run(ada, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await one.run(ada, async () => 'next')).toBe('next')
})

it('a slot and a place in the queue stay free for other workspaces', async () => {
  const three = slots({ all: 3, workspace: 2, credential: 2 }, { all: 4, workspace: 2, credential: 2 })
  const works = Array.from({ length: 4 }, held)
  const runs = works.map(({ work }) => three.run(ada, work))
  await expect(three.run(ben, async () => 'refused')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await three.run(south, async () => 'at once')).toBe('at once')
  for (const { end } of works) end('done')
  await Promise.all(runs)
})

it('slots alternate between workspaces, and between the credentials of each workspace', async () => {
  const one = slots(alike(1), alike(8))
  const order: string[] = []
  const first = held()
  const run = (by: typeof ada, name: string, work = async () => '') =>
    one.run(by, () => {
      order.push(name)
      return work()
    })
  const runs = [run(ada, 'ada 1', first.work), run(ada, 'ada 2'), run(ada, 'ada 3'), run(ben, 'ben 1')]
  runs.push(run(south, 'cleo 1'), run(south, 'cleo 2'))
  first.end('done')
  await Promise.all(runs)
  expect(order).toEqual(['ada 1', 'ada 2', 'cleo 1', 'ben 1', 'cleo 2', 'ada 3'])
})
