/** Mutants of the lock on a data directory. */
import type { Mutant } from './mutant.ts'

export const dataDirectory: readonly Mutant[] = [
  {
    rule: 'One process on a data directory: a stand-in takes no directory that a service has claimed',
    file: 'src/adapters/sqlite/lock.ts',
    find: 'if (isClaimed(directory)) throw inUse(directory)',
    replace: '',
    killedBy: ['test/adapters/sqlite/lock.test.ts'],
  },
  {
    rule: 'One process on a data directory: a service claims it while it waits',
    file: 'src/adapters/sqlite/lock.ts',
    find: 'const claim = lockFile(directory, claimName, longestLook)',
    replace: 'const claim = { release() {} }',
    killedBy: ['test/adapters/sqlite/lock.test.ts'],
  },
  {
    rule: 'One process on a data directory: a service waits for a stand-in',
    file: 'src/adapters/sqlite/lock.ts',
    find: 'const lock = await lockWithin(longestWait, directory)',
    replace: 'const lock = await lockWithin(-1, directory)',
    killedBy: ['test/adapters/sqlite/lock.test.ts'],
  },
]
