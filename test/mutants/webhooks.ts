/** Mutants of the executor over HTTP (src/ports/executor.ts) and of notices. */
import type { Mutant } from './mutant.ts'

const inExecutor = (name: string) => [`test/adapters/http-executor/${name}.test.ts`]
const inNotices = ['test/runs/notices.test.ts']

const ofExecutors: readonly Mutant[] = [
  {
    rule: 'executor port: it is paused while nobody asks for the next line',
    file: 'src/adapters/http-executor/response.ts',
    find: '    response.pause()\n',
    replace: '',
    killedBy: inExecutor('contract'),
  },
  {
    rule: 'executor port: `until` ends a session',
    file: 'src/adapters/http-executor/session.ts',
    find: 'lease.start(first)',
    replace: '',
    killedBy: inExecutor('contract'),
  },
  {
    rule: 'executor port: an earlier `until` changes nothing',
    file: 'src/adapters/http-executor/session.ts',
    find: 'until = Math.max(until, later)',
    replace: 'until = later',
    killedBy: inExecutor('contract'),
  },
  {
    rule: 'executor port: nothing starts when `until` has come',
    file: 'src/adapters/http-executor/session.ts',
    find: 'if (clock.elapsed() >= first) {',
    replace: 'if (false) {',
    killedBy: inExecutor('contract'),
  },
  {
    rule: 'V2 4.2: a line at least every 30 s',
    file: 'src/adapters/http-executor/response.ts',
    find: 'if (lines.length > 0) wait(noLine)',
    replace: 'wait(noLine)',
    killedBy: inExecutor('executor'),
  },
  {
    rule: 'V2 4.2: a receiver that waits because it is not read is not silent',
    file: 'src/adapters/http-executor/response.ts',
    find: '    wait(undefined)\n',
    replace: '',
    killedBy: inExecutor('executor'),
  },
  {
    rule: 'V2 4.2: only a whole response is done',
    file: 'src/adapters/http-executor/response.ts',
    find: 'if (tellsItsEnd || statusCode === 204) return undefined',
    replace: 'return undefined',
    killedBy: inExecutor('executor'),
  },
  {
    rule: 'V2 4.2: requests are signed after Standard Webhooks',
    file: 'src/adapters/webhook/post.ts',
    find: '.update(signed)',
    replace: '.update(secret)',
    killedBy: inExecutor('executor'),
  },
  {
    rule: 'V2 4.2: a redirect is a failure',
    file: 'src/adapters/webhook/post.ts',
    find: 'status < 300) return undefined',
    replace: 'status < 400) return undefined',
    killedBy: inExecutor('executor'),
  },
]

const ofNotices: readonly Mutant[] = [
  {
    rule: 'notices: of several processes, one sends a notice',
    file: 'src/runs/notices/send.ts',
    find: 'claim, { due: notice.due })',
    replace: 'claim)',
    killedBy: inNotices,
  },
  {
    rule: 'notices: one that was delivered is not sent again',
    file: 'src/runs/notices/send.ts',
    find: "if (outcome === 'delivered') await documents.delete(notices, [notice.id])",
    replace: '',
    killedBy: inNotices,
  },
  {
    rule: 'notices: one is dropped after 24 hours',
    file: 'src/runs/notices/send.ts',
    find: 'clock.now() - Date.parse(notice.at) > keptFor',
    replace: 'false',
    killedBy: inNotices,
  },
  {
    rule: 'notices: a process that stops puts back what it was sending',
    file: 'src/runs/notices/send.ts',
    find: 'isStopping ? undefined : error)',
    replace: 'error)',
    killedBy: inNotices,
  },
  {
    rule: 'notices: the name of a task goes out only if the workspace sees it',
    file: 'src/runs/notices/message.ts',
    find: "run.audience === 'workspace'",
    replace: 'true',
    killedBy: inNotices,
  },
]

export const webhooks: readonly Mutant[] = [...ofExecutors, ...ofNotices]
