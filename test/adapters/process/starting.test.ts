import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { processExecutor } from '../../../src/adapters/process/executor.ts'
import { guardOfWorker } from '../../../src/adapters/process/guard-of-worker.ts'
import { systemClock as clock } from '../../../src/adapters/system-clock.ts'
import type { ExecutorSession } from '../../../src/ports/executor.ts'
import { linesOf } from '../../contracts/executor.contract.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { skipIf } from '../../support/skip.ts'
import { build } from './build.ts'
import { expectNothingLeft, farAway, foldersOf, isWindows, newSession, notLinux, testing } from './sessions.ts'

describe('the start of a process', skipIf(isWindows), () => {
  const built = build()
  const at = testing(built)
  afterEach(() => expectNothingLeft(at))

  it('passes only the variables of the settings and those of its session', async () => {
    const executor = processExecutor(
      {
        command: [process.execPath, '-p', 'JSON.stringify(process.env)'],
        directory: undefined,
        environment: {
          pass: ['HOME', 'NOT_SET'],
          set: { MODE: 'careful', PRECEDENT_API_KEY: 'not this one', HOME: '/set' },
        },
      },
      { publicUrl: 'https://here', clock, variables: { HOME: '/passed', SECRET: 'secret' }, guard: at.guard },
    )
    const id = newSession()
    const session = await executor.open({ id, timeLimitMs: farAway })
    session.start({ document: { PASSED: 'no' }, key: 'svc_run_key' }, clock.elapsed() + farAway)
    const [line] = await linesOf(session)
    expect(JSON.parse(line?.text ?? '')).toEqual({
      HOME: '/set',
      MODE: 'careful',
      PRECEDENT_URL: 'https://here',
      PRECEDENT_API_KEY: 'svc_run_key',
      PRECEDENT_SESSION: id,
    })
    expect(await session.ended).toEqual({ how: 'done' })
  })

  it('gives each argument as it is, because no shell reads it', async () => {
    const words = ['$HOME', '*', 'a b', '`id`', ';', '']
    const script = 'console.log(JSON.stringify(process.argv.slice(1)))'
    const { lines } = await run(at.executor([process.execPath, '-e', script, '--', ...words]))
    expect(JSON.parse(lines[0] ?? '')).toEqual(words)
  })

  it('gives the document as one line of standard input, and closes it', async () => {
    const document = { task: { name: 'two\nlines' }, brief: 'x'.repeat(300_000), n: 1 }
    const { lines, ending } = await run(at.executor(['cat']), document)
    // longer than a line of output may be
    const counted = await run(at.executor(['sh', '-c', 'wc -l; exit 4']), document)
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(document).startsWith(lines[0] ?? '-')).toBe(true)
    expect(counted.lines[0]?.trim()).toBe('1')
    expect([ending.how, counted.ending]).toEqual([
      'done',
      { how: 'failed', exitCode: 4, message: 'The executor ended with exit code 4.' },
    ])
  })

  it('runs a program that reads nothing, or closes its input', async () => {
    const document = { brief: 'x'.repeat(3_000_000) }
    const scripts = ['exit 0', 'exec 0<&-; sleep 0.2; exit 0']
    const runs = await Promise.all(scripts.map((script) => run(at.executor(['sh', '-c', script]), document)))
    expect(runs.map(({ ending }) => ending)).toEqual([{ how: 'done' }, { how: 'done' }])
  })

  it('looks for the program in the PATH that is set, else in that of the worker, even if it is not passed', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'our-program'), '#!/bin/sh\necho "$0"\n', { mode: 0o755 })
    writeFileSync(join(folder, 'not-executable'), '#!/bin/sh\n', { mode: 0o644 })
    const runs = [
      ['our-program', { PATH: folder }, {}],
      ['our-program', { PATH: '/nowhere' }, { PATH: folder }],
      ['our-program', { PATH: folder }, { PATH: '/nowhere' }],
      ['not-executable', { PATH: folder }, {}],
    ] as const
    const found = await Promise.all(
      runs.map(([program, variables, set]) => {
        const settings = { command: [program] as const, directory: undefined, environment: { pass: [], set } }
        return run(processExecutor(settings, { publicUrl: 'http://test', clock, variables, guard: at.guard }))
      }),
    )
    const missing = { how: 'failed', exitCode: null, message: expect.stringContaining('its program was not found') }
    expect(found).toEqual([
      { lines: [join(folder, 'our-program')], ending: { how: 'done' } },
      { lines: [join(folder, 'our-program')], ending: { how: 'done' } },
      { lines: [], ending: missing },
      { lines: [], ending: missing },
    ])
  })

  it('runs in an empty directory of its own, which is removed with all it holds', async () => {
    const session = await at.shell('pwd -P; ls -A | wc -l; mkdir -p a/b; echo x > a/b/c; ls -ld .')
    const [directory = '', count, rights] = (await linesOf(session)).map(({ text }) => text)
    expect([count?.trim(), rights?.slice(0, 10)]).toEqual(['0', 'drwx------'])
    expect(directory).toMatch(/precedent-session\.[\w-]+\.\w+$/)
    expect(await session.ended).toEqual({ how: 'done' })
    expect(foldersOf(at)).toEqual([])
  })

  it('runs in the directory of its settings, which is kept', async () => {
    const directory = temporaryFolder()
    mkdirSync(join(directory, 'kept'))
    const { lines } = await run(at.executor(['sh', '-c', 'ls; echo x > made'], directory))
    expect(lines).toEqual(['kept'])
    expect(readdirSync(directory).sort()).toEqual(['kept', 'made'])
  })

  it('says why it can’t be started, without the names of programs and folders, which belong to the operator', async () => {
    const directory = temporaryFolder()
    writeFileSync(join(directory, 'text'), 'not a program', { mode: 0o644 })
    const runs = await Promise.all([
      run(at.executor(['no-such-program', 'argument'])),
      run(at.executor([join(directory, 'text')])),
      run(at.executor(['sh', '-c', 'exit 0'], join(directory, 'missing'))),
    ])
    expect(runs.map(({ ending }) => ending)).toEqual(
      [
        'its program was not found. Check `command` in the file of the operator.',
        'the user of the worker may not run its program.',
        'its directory does not exist. Check `directory` in the file of the operator.',
      ].map((why) => ({ how: 'failed', exitCode: null, message: `The executor could not be started: ${why}` })),
    )
  })

  it('names the signal that ended a program', async () => {
    const { ending } = await run(at.executor(['sh', '-c', 'kill -SEGV $$']))
    expect(ending).toEqual({ how: 'failed', exitCode: null, message: 'The executor was ended by SIGSEGV.' })
  })

  it('tells standard error from standard output, also within half lines', async () => {
    const session = await at.shell('printf out; printf err >&2; sleep 0.1; echo put; echo or >&2; exit 0')
    const lines = (await linesOf(session)).sort((a, b) => a.text.localeCompare(b.text))
    await session.ended
    expect(lines).toEqual([
      { text: 'error', from: 'stderr', isCut: false },
      { text: 'output', from: 'stdout', isCut: false },
    ])
  })

  it('gives a program no file descriptor of the guard', skipIf(notLinux), async () => {
    const { lines } = await run(at.executor(['ls', '-l', '/proc/self/fd']))
    const sockets = lines.filter((line) => line.includes('socket:'))
    expect(sockets.map((line) => / (\d+) -> /.exec(line)?.[1])).toEqual(['0', '1', '2'])
  })

  it('refuses an id that could not be part of a path', async () => {
    await expect(at.executor(['true']).open({ id: '../etc', timeLimitMs: 1 })).rejects.toThrow()
  })

  it('rejects the opening of a session if the guard can’t be started', async () => {
    const program = join(temporaryFolder(), 'guard.js')
    writeFileSync(program, 'process.exit(7)')
    const guard = guardOfWorker({ program: pathToFileURL(program) })
    const executor = processExecutor(
      { command: ['true'], directory: undefined, environment: { pass: [], set: {} } },
      { publicUrl: 'http://test', clock, variables: {}, guard },
    )
    const message = 'the guard of process executors could not be started: exit code 7'
    for (let times = 0; times < 2; times++) {
      await expect(executor.open({ id: newSession(), timeLimitMs: 1 })).rejects.toThrow(message)
    }
    await guard.close()
  })

  it('throws on Windows, and says what to do', () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    try {
      expect(() => at.executor(['true'])).toThrow('do not run on Windows: run the worker on Linux or macOS')
    } finally {
      vi.restoreAllMocks()
    }
  })
})

async function run(
  executor: { open(of: { id: string; timeLimitMs: number }): Promise<ExecutorSession> },
  document = {},
) {
  const session = await executor.open({ id: newSession(), timeLimitMs: farAway })
  session.start({ document, key: 'key' }, clock.elapsed() + farAway)
  const lines = (await linesOf(session)).map(({ text }) => text)
  return { lines, ending: await session.ended }
}
