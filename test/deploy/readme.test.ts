import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { processKinds } from '../../config/processes.ts'
import { environment } from '../../config/schema.ts'
import { folderOfTest } from '../cli/run.ts'
import { serving } from '../cli/serving.ts'
import { repository } from '../support/repository.ts'

const readme = readFileSync(join(repository, 'README.md'), 'utf8')
const blocksIn = (text: string) => [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block)
const section = (title: string) => readme.split(/^## /m).find((one) => one.startsWith(title)) ?? ''

describe('README.md', () => {
  it('lists every setting', () => {
    const rows = [...readme.matchAll(/`([A-Z_]{4,})`/g)].map(([, name]) => name)
    for (const name of Object.keys(environment.shape)) expect(rows).toContain(name)
  })

  it('describes every kind of process, and says how to start each', () => {
    const processes = section('More than one process')
    const kinds = processKinds.filter((kind) => kind !== 'all')
    expect([...processes.matchAll(/^\| ([a-z]+) \|/gm)].map(([, kind]) => kind)).toEqual(['process', ...kinds])
    expect([...processes.matchAll(/`npm run (\w+)`/g)].map(([, kind]) => kind)).toEqual(kinds)
  })

  it('has no comment in a command, because zsh would pass it on, and sets no example key over the real one', () => {
    const commands = blocksIn(readme).join('\n')
    expect(commands.split('\n').length).toBeGreaterThan(15)
    expect(commands).not.toMatch(/#|PRECEDENT_API_KEY=/)
  })
})

describe('the commands of “Two minutes”', () => {
  const serves = serving()
  const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

  const shells = [
    ['bash', ['-O', 'expand_aliases', '-e']],
    ['zsh', ['-e']],
  ] as const
  it.each(shells.filter(([shell]) => has(shell)))(
    'run without errors if they are pasted into %s',
    async (shell, options) => {
      const { url, key } = serves.service
      const script = join(folderOfTest(), 'pasted')
      writeFileSync(script, blocksIn(section('Two minutes')).join('\n').replaceAll('http://127.0.0.1:4400', url))
      const { stdout } = await promisify(execFile)(shell, [...options, script], {
        cwd: repository,
        env: {
          PATH: process.env.PATH,
          PRECEDENT_URL: url,
          PRECEDENT_API_KEY: key,
          XDG_STATE_HOME: folderOfTest(),
        },
      })
      expect(stdout).toContain(`Ready: ${url}`)
      expect(stdout).toContain('Refunds above 500 EUR need two approvals.')
      expect(stdout).toContain('“A lock for each workspace” (2026-11-20) was superseded')
      expect(stdout).toContain('"state":"applied"')
      expect(stdout).toMatch(/"items":\[\{"id":"[^"]+","snippet":"The office in Porto opens at eight\."/)
    },
  )
})
