/** What only a process of its own shows: its standard streams, its exit code, and that it ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { applied } from '../support/http.ts'
import { repository } from '../support/repository.ts'
import { onlyAnId, serving } from './serving.ts'

const on = serving()

function precedent(...args: string[]) {
  return spawn(process.execPath, [join(repository, 'dist/src/cli/precedent.js'), ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      PRECEDENT_URL: on.service.url,
      PRECEDENT_API_KEY: on.service.key,
      XDG_STATE_HOME: on.caller.state,
    },
  })
}

async function ran(input: string, ...args: string[]) {
  const child = precedent(...args)
  child.stdin.end(input)
  const read = (stream: Readable) => text(stream)
  const [stdout, stderr, [code]] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'close')])
  return { code: code as number, stdout, stderr }
}

it('the command reads standard input, prints its result on standard output, and exits with 0', async () => {
  const { code, stdout, stderr } = await ran('Read from a pipe.', 'remember', '-')
  expect([code, stderr]).toEqual([0, expect.stringContaining('Recorded as a fact.')])
  expect(stdout).toMatch(onlyAnId)
  expect(await on.memory(stdout)).toMatchObject({ content: 'Read from a pipe.' })
})

it('the command prints errors on standard error only, and exits with their code', async () => {
  const { code, stdout, stderr } = await ran('', 'remember', '-')
  expect([code, stdout, stderr]).toEqual([2, '', 'precedent: The text is empty.\n'])
  const unknown = await ran('', 'no-such-command')
  expect([unknown.code, unknown.stdout]).toEqual([2, ''])
  expect(unknown.stderr).toContain("unknown command 'no-such-command'")
  const missing = await ran('', 'get', '00000000-0000-7000-8000-00000000dead', '--json')
  expect([missing.code, missing.stdout]).toEqual([1, ''])
  expect(JSON.parse(missing.stderr)).toMatchObject({ error: { exit: 1 } })
})

it('the command exits with 0 if the reader of its output closes the pipe early', async () => {
  for (let n = 0; n < 4; n++) {
    const content = `Long ${n}: ${'many words '.repeat(8_000)}`
    await applied(on.service, '/v1/context/memories', `long-memory-${n}`, { kind: 'fact', content })
  }
  const child = precedent('export')
  child.stdout.once('data', () => child.stdout.destroy())
  const stderr = text(child.stderr)
  const [code] = await once(child, 'close')
  expect([code, await stderr]).toEqual([0, ''])
})
