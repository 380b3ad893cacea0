import { v7 } from 'uuid'
import { expect, it, vi } from 'vitest'
import { systemClock } from '../../src/adapters/system-clock.ts'

const hour = 3_600_000

it('ids ascend, even when the system clock is set back', () => {
  const now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now)
  const ids = Array.from({ length: 1000 }, systemClock.id)
  clock.mockReturnValue(now - hour)
  ids.push(...Array.from({ length: 1000 }, systemClock.id))
  clock.mockRestore()
  expect(ids).toEqual([...new Set(ids)].sort())
})

it('ids are greater than those of an earlier process whose clock was ahead', () => {
  const before = v7({ msecs: Date.now() + 2 * hour, seq: 0xffff_ffff })
  expect(systemClock.id() < before).toBe(true)
  systemClock.idsFollow(before)
  expect(systemClock.id() > before).toBe(true)
})
