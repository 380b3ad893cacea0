import { expect, it } from 'vitest'
import { slots } from '../../src/http/middleware/slots.ts'

/** Work that ends when it is told to. */
function held() {
  let end: (value: string) => void = () => {}
  const ended = new Promise<string>((resolve) => {
    end = resolve
  })
  return { work: () => ended, end }
}

it('lets two through at a time, the others in their order, and refuses whom it could not serve in time', async () => {
  const two = slots(2)
  const begun: number[] = []
  const works = Array.from({ length: 10 }, held)
  const runs = works.map(({ work }, at) =>
    two.run(() => {
      begun.push(at)
      return work()
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  await expect(two.run(async () => 'late')).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '5' },
  })
  for (const { end } of works) end('done')
  expect(await Promise.all(runs)).toEqual(works.map(() => 'done'))
  expect(begun).toEqual(works.map((_, at) => at))
  expect(await two.run(async () => 'next')).toBe('next')
})

it('frees the slot of work that fails', async () => {
  const one = slots(1)
  await expect(one.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await one.run(async () => 'next')).toBe('next')
})
