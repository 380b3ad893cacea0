import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { load } from '../../config/load.ts'
import { processKinds } from '../../config/processes.ts'
import { environment } from '../../config/schema.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { repository } from '../support/repository.ts'
import { skipIf } from '../support/skip.ts'

const units = ['precedent.service', 'precedent@.service']
const read = (name: string) => readFileSync(join(repository, 'deploy', name), 'utf8')
const settingsOf = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => line.split(/=(.*)/s, 2) as [string, string]),
  )
const sandboxOf = (text: string) => text.slice(text.indexOf('\nEnvironmentFile='))
const noSystemd = spawnSync('systemd-analyze', ['--version']).status === 0 ? undefined : 'systemd is not installed'

describe.each(units)('deploy/%s', (name) => {
  const settings = settingsOf(read(name))

  it('runs the service as an unprivileged user that may write only its state directory', () => {
    expect(settings).toMatchObject({
      User: 'precedent',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      CapabilityBoundingSet: '',
      StateDirectory: 'precedent',
    })
    expect(read('precedent.sysusers')).toMatch(/^u precedent /m)
  })

  it('sets only variables that the service knows, and its stop timeout is longer than both deadlines', () => {
    const variables = Object.fromEntries(
      (settings.Environment ?? '').split(' ').map((one) => one.split('=') as [string, string]),
    )
    const own = Object.keys(variables).filter((variable) => variable !== 'NODE_ENV')
    for (const variable of own) expect(Object.keys(environment.shape)).toContain(variable)
    const { dataDir, shutdownDeadlineMs, runDeadlineMs } = load(variables)
    expect(dataDir).toBe(`/var/lib/${settings.StateDirectory}`)
    expect(Number(settings.TimeoutStopSec) * 1000).toBeGreaterThan(shutdownDeadlineMs + runDeadlineMs)
  })

  it('is a valid unit, and systemd-analyze rates its sandbox as safe', skipIf(noSystemd), () => {
    const folder = temporaryFolder('precedent-unit-')
    // systemd-analyze wants a program that exists
    for (const unit of units) {
      writeFileSync(join(folder, unit), read(unit).replace('/usr/local/bin/precedent', process.execPath))
    }
    const path = join(folder, name.replace('@', '@web'))
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    expect([verified.status, verified.stderr]).toEqual([0, ''])
    // exposure 10 means no sandbox. The threshold is in tenths; above it, the command fails
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', path], { encoding: 'utf8' })
  })
})

it('the unit of single processes names every kind of process', () => {
  const kinds = [...read('precedent@.service').matchAll(/precedent@([a-z]+)/g)].map(([, kind]) => kind)
  expect(kinds).toEqual(processKinds.filter((kind) => kind !== 'all'))
})

it('the units of single processes have the same restrictions as the unit of the whole service', () => {
  expect(sandboxOf(read('precedent@.service')).replace(/^#.*$/gm, '')).toBe(
    sandboxOf(read('precedent.service')).replace(/^#.*$/gm, ''),
  )
})
