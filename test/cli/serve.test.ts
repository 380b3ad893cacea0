import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { repository } from '../support/repository.ts'
import { skipIf } from '../support/skip.ts'
import { folderOfTest } from './run.ts'

// the port is taken before any engine is opened, so nothing needs to listen here
const shared = { MONGODB_URL: 'mongodb://127.0.0.1:1/precedent', ELASTICSEARCH_URL: 'http://127.0.0.1:1' }

describe('precedent serve', () => {
  it('serve prints the first key, and ends with exit code 0 once SIGTERM has stopped it', async () => {
    const child = serve({ PORT: '0', PRECEDENT_DATA_DIR: folderOfTest() })
    await child.says('precedent is ready')
    expect(child.output()).toMatch(/PRECEDENT_API_KEY=svc_sk_\w{43}/)
    child.kill()
    // the shutdown deadline is longer than the timeout of this test
    expect(await child.ended).toBe(0)
    expect(child.output()).toContain('precedent has stopped')
  })

  it('shows an address that can be called if it listens on all, and warns of settings without effect', async () => {
    const folder = folderOfTest()
    const first = serve({ PORT: '0', HOST: '0.0.0.0', PRECEDENT_DATA_DIR: folder, PRECEDENT_LOGLEVEL: 'debug' })
    await first.says('precedent is ready')
    first.kill()
    await first.ended
    expect(first.output()).toMatch(/running at http:\/\/127\.0\.0\.1:\d+\.\n {2}It listens on all addresses/)
    expect(first.output()).not.toContain('0.0.0.0')
    expect(first.output()).toContain('Did you mean PRECEDENT_LOG_LEVEL?')
    const [, known = ''] = /(svc_sk_[\w-]{43})/.exec(first.output()) ?? []
    const ignored = 'PRECEDENT_BOOTSTRAP_KEY is ignored'
    for (const [key, warned] of [
      [known, false],
      [`svc_sk_${'A1b2'.repeat(8)}`, true],
    ] as const) {
      const next = serve({ PORT: '0', PRECEDENT_DATA_DIR: folder, PRECEDENT_BOOTSTRAP_KEY: key })
      await next.says('precedent is ready')
      next.kill()
      await next.ended
      expect(next.output().includes(ignored)).toBe(warned)
    }
  })

  it('with PORT=0 every URL of the service contains the port that it listens on', async () => {
    const child = serve({ PORT: '0', PRECEDENT_DATA_DIR: folderOfTest() })
    await child.says('precedent is ready')
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(child.output()) ?? []
    const [key = ''] = /svc_sk_[\w-]{43}/.exec(child.output()) ?? []
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ kind: 'fact', content: 'The port is free.', idempotency_key: 'with-port-0' })
    const written = await fetch(`${url}/v1/context/memories`, { method: 'POST', headers, body })
    expect(written.headers.get('location')).toMatch(new RegExp(`^${url}/v1/receipts/[0-9a-f-]{36}$`))
    const refused = (await (await fetch(`${url}/v1/receipts`)).json()) as { type: string }
    expect(refused.type).toBe(`${url}/docs/problems#authentication_required`)
    child.kill()
    expect(await child.ended).toBe(0)
  })

  it.each([
    ['npm start', 'dist/workers/all.js', [], {}],
    ['precedent serve', 'dist/src/cli/precedent.js', ['serve'], {}],
    ['npm run web', 'dist/workers/web.js', [], shared],
    ...(['apply', 'index', 'run', 'code', 'maintain'] as const).map(
      (kind) => [`npm run ${kind}`, `dist/workers/${kind}.js`, [], shared] as const,
    ),
  ] as const)(
    '%s ends with exit code 1 and one line on standard error if its port is in use',
    async (name, program, args, env) => {
      const other = createServer()
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      const { port } = other.address() as AddressInfo
      const variable = 'MONGODB_URL' in env && name !== 'npm run web' ? 'PRECEDENT_HEALTH_PORT' : 'PORT'
      const child = start(program, args, { [variable]: String(port), PRECEDENT_DATA_DIR: folderOfTest(), ...env })
      expect(await child.ended).toBe(1)
      expect(child.output()).toBe(
        `precedent: Port ${port} on 127.0.0.1 is in use. Set ${variable} to a free port, or stop the process that uses it.\n`,
      )
      await new Promise((resolve) => other.close(resolve))
    },
  )

  const noProc = existsSync('/proc/self') ? undefined : 'this system has no /proc'

  it(
    'ends within seconds if the file system of the data directory refuses new folders, as /proc does',
    skipIf(noProc),
    async () => {
      const child = start('dist/workers/all.js', [], { PORT: '0', PRECEDENT_DATA_DIR: '/proc/precedent-none/data' })
      expect(await child.ended).toBe(1)
      expect(child.output()).toContain(
        'PRECEDENT_DATA_DIR: /proc/precedent-none/data does not exist, and this user can create no folder in /proc.',
      )
    },
  )

  it('serve says that the data directory is a file', async () => {
    const file = join(folderOfTest(), 'file')
    writeFileSync(file, '')
    for (const directory of [file, join(file, 'data')]) {
      const child = serve({ PORT: '0', PRECEDENT_DATA_DIR: directory })
      expect(await child.ended).toBe(1)
      expect(child.output()).toContain(`precedent: PRECEDENT_DATA_DIR: ${file} is not a directory. Set another folder.`)
      expect(child.output()).not.toContain('mkdir')
    }
  })

  it('serve ends with exit code 2 and names the variable if a setting is invalid', async () => {
    const child = serve({ PORT: 'many', PRECEDENT_DATA_DIR: folderOfTest() })
    expect(await child.ended).toBe(2)
    expect(child.output()).toContain('PORT must be a whole number')
  })
})

function serve(env: Record<string, string>) {
  return start('dist/src/cli/precedent.js', ['serve'], env)
}

function start(program: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(repository, program), ...args], {
    env: { PATH: process.env.PATH ?? '', PRECEDENT_SHUTDOWN_DEADLINE_SECONDS: '600', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanUp(() => child.kill('SIGKILL'))
  let output = ''
  const listeners: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const listener of listeners) listener()
    })
  }
  return {
    output: () => output,
    ended: new Promise<number | null>((resolve) => child.once('close', resolve)),
    kill: () => child.kill('SIGTERM'),
    says: (text: string) =>
      new Promise<void>((resolve, reject) => {
        listeners.push(() => output.includes(text) && resolve())
        child.once('close', () => reject(new Error(output)))
      }),
  }
}
