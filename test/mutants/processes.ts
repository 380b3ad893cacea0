/** Mutants of the process executor and its guard (src/ports/executor.ts). */
import type { Mutant } from './mutant.ts'

const inProcess = (name: string) => [`test/adapters/process/${name}.test.ts`]

const inGuard: readonly Mutant[] = [
  {
    rule: 'executor port: nothing starts when `until` has come',
    file: 'src/adapters/process/guarded-session.ts',
    find: 'if (limits.areOver()) return',
    replace: 'if (false) return',
    killedBy: inProcess('deaths'),
  },
  {
    rule: 'executor port: a session ends when `until` comes',
    file: 'src/adapters/process/guarded-session.ts',
    find: 'Math.min(until, limit)',
    replace: 'limit',
    killedBy: inProcess('deaths'),
  },
  {
    rule: 'executor port: a session ends at its time limit',
    file: 'src/adapters/process/guarded-session.ts',
    find: 'limit = machineMs() + timeLimitMs',
    replace: 'limit += timeLimitMs',
    killedBy: inProcess('executor'),
  },
  {
    rule: 'executor port: an earlier `until` changes nothing',
    file: 'src/adapters/process/guarded-session.ts',
    find: 'until = Math.max(until, later)',
    replace: 'until = later',
    killedBy: inProcess('executor'),
  },
  {
    rule: 'executor port: a session ends 2 s after its process, open pipes or not',
    file: 'src/adapters/process/guarded-output.ts',
    find: 'timer = setTimeout(close, ms)',
    replace: 'timer = setTimeout(close, ms * 1e6)',
    killedBy: inProcess('ending'),
  },
  {
    rule: 'executor port: what a program printed before its end is read',
    file: 'src/adapters/process/guarded-output.ts',
    find: 'give(mostInPipes)',
    replace: '',
    killedBy: inProcess('ending'),
  },
  {
    rule: 'executor port: a program is paused while nobody reads',
    file: 'src/adapters/process/guarded-output.ts',
    find: 'if (credit <= 0) stream.pause()',
    replace: 'if (false) stream.pause()',
    killedBy: inProcess('executor'),
  },
  {
    rule: 'a program need not read its input',
    file: 'src/adapters/process/guarded-session.ts',
    find: "child.stdin?.on('error', () => {})",
    replace: '',
    killedBy: inProcess('starting'),
  },
  {
    rule: 'a temporary directory is removed',
    file: 'src/adapters/process/guarded-session.ts',
    find: "if ('temporaryIn' in start.directory) await",
    replace: "if ('nowhere' in start.directory) await",
    killedBy: inProcess('starting'),
  },
  {
    rule: 'V2 4.4: sessions end when their worker dies',
    file: 'src/adapters/process/guard.ts',
    find: "for (const session of sessions.values()) session.obey({ type: 'end' })",
    replace: '',
    killedBy: inProcess('deaths'),
  },
  {
    rule: 'a guard whose worker has gone ends its sessions before itself',
    file: 'src/adapters/process/guard.ts',
    find: 'if (isAlone && sessions.size === 0)',
    replace: 'if (isAlone)',
    killedBy: inProcess('deaths'),
  },
  {
    rule: 'a guard does not obey the signals of a service manager',
    file: 'src/adapters/process/guard.ts',
    find: 'process.on(name, () => {})',
    replace: 'process.off(name, () => {})',
    killedBy: inProcess('deaths'),
  },
]

const endingProcesses: readonly Mutant[] = [
  {
    rule: 'processes get SIGTERM first',
    file: 'src/adapters/process/processes.ts',
    find: "signalGroup(of, 'SIGTERM')",
    replace: "signalGroup(of, 'SIGKILL')",
    killedBy: inProcess('ending'),
  },
  {
    rule: 'processes that ignore SIGTERM get SIGKILL',
    file: 'src/adapters/process/processes.ts',
    find: 'return process.kill(pid, name)',
    replace: "return process.kill(pid, name === 'SIGKILL' ? 0 : name)",
    killedBy: inProcess('ending'),
  },
  {
    rule: 'processes get SIGKILL only after the grace',
    file: 'src/adapters/process/processes.ts',
    find: 'const isOver = machineMs() >= killAt',
    replace: 'const isOver = told.size > 0',
    killedBy: inProcess('ending'),
  },
  {
    rule: 'processes get SIGTERM once',
    file: 'src/adapters/process/processes.ts',
    find: '!isInGroup && !told.has(pid)',
    replace: '!isInGroup',
    killedBy: inProcess('ending'),
  },
  {
    rule: 'processes that left the group are ended',
    file: 'src/adapters/process/processes.ts',
    find: '(await sessionOf(one)) === of.session',
    replace: "of.session === ''",
    killedBy: inProcess('ending'),
  },
]

const inWorker: readonly Mutant[] = [
  {
    rule: 'only the variables of the settings are passed',
    file: 'src/adapters/process/executor.ts',
    find: '...Object.fromEntries(passed)',
    replace: '...(variables as Record<string, string>)',
    killedBy: inProcess('starting'),
  },
  {
    rule: 'nothing of a session is visible in the process of the guard',
    file: 'src/adapters/process/guard-process.ts',
    find: 'env: {}',
    replace: 'env: process.env',
    killedBy: inProcess('deaths'),
  },
  {
    rule: 'V2 4.2: a worker ends the sessions of a guard that died',
    file: 'src/adapters/process/guard-process.ts',
    find: 'await endProcesses({ session: id, group }, graceMs)',
    replace: '',
    killedBy: inProcess('deaths'),
  },
  {
    rule: 'a worker removes the directories of a guard that died',
    file: 'src/adapters/process/guard-process.ts',
    find: "if (started !== undefined && 'temporaryIn'",
    replace: "if (started === undefined && 'temporaryIn'",
    killedBy: inProcess('deaths'),
  },
  {
    rule: 'a guard ends when it is idle',
    file: 'src/adapters/process/guard-process.ts',
    find: 'idle = setTimeout(endGuard, idleMs)',
    replace: 'idle = setTimeout(endGuard, idleMs * 1e3)',
    killedBy: inProcess('deaths'),
  },
  {
    rule: 'output is read only as fast as its lines are taken',
    file: 'src/adapters/process/session-output.ts',
    find: 'waiting.push({ from, bytes })',
    replace: 'waiting.push({ from, bytes })\n      taken(costOf(bytes))',
    killedBy: inProcess('executor'),
  },
  {
    rule: 'executor port: a longer line is cut as it is read',
    file: 'src/ports/lines.ts',
    find: 'bytes.subarray(0, longest - length)',
    replace: 'bytes.subarray(0)',
    killedBy: ['test/ports/lines.test.ts'],
  },
]

export const processes: readonly Mutant[] = [...inGuard, ...endingProcesses, ...inWorker]
