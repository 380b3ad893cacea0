import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../support/service.ts'
import { folderOfTest } from './run.ts'

describe('precedent serve', () => {
  it('prints the first key, and on SIGTERM ends with 0 as soon as it has stopped', async () => {
    const child = serve({ PORT: '0', PRECEDENT_DATA_DIR: folderOfTest() })
    await child.says('precedent is ready')
    expect(child.output()).toMatch(/PRECEDENT_API_KEY=svc_sk_\w{43}/)
    child.kill()
    // the deadline is longer than this test may take
    expect(await child.ended).toBe(0)
    expect(child.output()).toContain('precedent has stopped')
  })

  it('refuses a configuration that is not valid, and says which variable', async () => {
    const child = serve({ PORT: 'many', PRECEDENT_DATA_DIR: folderOfTest() })
    expect(await child.ended).toBe(2)
    expect(child.output()).toContain('PORT must be a whole number')
  })
})

function serve(env: Record<string, string>) {
  const child = spawn(process.execPath, [join(repository, 'dist/src/cli/precedent.js'), 'serve'], {
    env: { PATH: process.env.PATH ?? '', PRECEDENT_SHUTDOWN_DEADLINE_SECONDS: '600', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const heard: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const hear of heard) hear()
    })
  }
  return {
    output: () => output,
    ended: new Promise<number | null>((resolve) => child.once('close', resolve)),
    kill: () => child.kill('SIGTERM'),
    says: (text: string) =>
      new Promise<void>((resolve, reject) => {
        heard.push(() => output.includes(text) && resolve())
        child.once('close', () => reject(new Error(output)))
      }),
  }
}
