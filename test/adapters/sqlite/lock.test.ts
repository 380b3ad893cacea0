/** How services and their stand-ins share a data directory. connection.test.ts tests the lock itself. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { DirectoryInUse, isClaimed, lockDirectory, lockDirectoryFor } from '../../../src/adapters/sqlite/lock.ts'
import { temporaryFolder } from '../../support/clean-up.ts'

let directory: string
beforeEach(() => {
  directory = temporaryFolder()
})

describe('a data directory that a service and stand-ins want', () => {
  it('a service waits until a stand-in releases the directory, and claims it meanwhile', async () => {
    const standIn = await lockDirectoryFor('stand-in', directory)
    expect(isClaimed(directory)).toBe(false)
    let isLocked = false
    const service = lockDirectoryFor('service', directory).then((lock) => {
      isLocked = true
      return lock
    })
    expect(isClaimed(directory)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(isLocked).toBe(false)
    standIn.release()
    const lock = await service
    expect(() => lockDirectory(directory)).toThrow(DirectoryInUse)
    lock.release()
  })

  it('a stand-in never takes a directory that a service has claimed, even if it is not locked', async () => {
    const standIn = await lockDirectoryFor('stand-in', directory)
    const service = lockDirectoryFor('service', directory)
    standIn.release()
    await expect(lockDirectoryFor('stand-in', directory)).rejects.toThrow(DirectoryInUse)
    const lock = await service
    lock.release()
    const next = await lockDirectoryFor('stand-in', directory)
    next.release()
  })

  it('a second service is refused at once', async () => {
    const lock = await lockDirectoryFor('service', directory)
    await expect(lockDirectoryFor('service', directory)).rejects.toThrow(/Another precedent process is using/)
    lock.release()
    const next = await lockDirectoryFor('service', directory)
    next.release()
  })

  it('looking at the claim claims nothing, and creates no file', async () => {
    expect(isClaimed(join(directory, 'none'))).toBe(false)
    expect(existsSync(join(directory, 'none'))).toBe(false)
    const lock = await lockDirectoryFor('service', directory)
    lock.release()
    expect(isClaimed(directory)).toBe(false)
    expect(isClaimed(directory)).toBe(false)
  })

  it('names the setting if the directory cannot be created', async () => {
    await expect(lockDirectoryFor('service', '/dev/null/data')).rejects.toThrow(
      /^PRECEDENT_DATA_DIR: .* is not a directory/,
    )
  })
})
