/** Fails a test of `npm run test:fast` that starts a process. */
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const refuse = () => {
  throw new Error('a fast test starts a process: import node:child_process where test/support/fast-files.ts finds it')
}
for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const) {
  Object.assign(childProcess, { [name]: refuse })
}
syncBuiltinESMExports()
