import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { load } from '../../config/load.ts'
import { environment } from '../../config/schema.ts'
import { repository } from '../support/service.ts'

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
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe.each(units)('deploy/%s', (name) => {
  const settings = settingsOf(read(name))

  it('runs the service without rights, and lets it write only its state', () => {
    expect(settings).toMatchObject({
      User: 'precedent',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      CapabilityBoundingSet: '',
      StateDirectory: 'precedent',
    })
    expect(read('precedent.sysusers')).toMatch(/^u precedent /m)
  })

  it('sets only variables that the service knows, and waits longer than the service takes to stop', () => {
    const variables = Object.fromEntries(
      (settings.Environment ?? '').split(' ').map((one) => one.split('=') as [string, string]),
    )
    const own = Object.keys(variables).filter((variable) => variable !== 'NODE_ENV')
    for (const variable of own) expect(Object.keys(environment.shape)).toContain(variable)
    const { dataDir, shutdownDeadlineMs } = load(variables)
    expect(dataDir).toBe(`/var/lib/${settings.StateDirectory}`)
    expect(Number(settings.TimeoutStopSec) * 1000).toBeGreaterThan(shutdownDeadlineMs)
  })

  it.runIf(hasSystemd)('is a valid unit that systemd finds little to criticise in', () => {
    const folder = mkdtempSync(join(tmpdir(), 'precedent-unit-'))
    // systemd-analyze wants a program that exists
    for (const unit of units) {
      writeFileSync(join(folder, unit), read(unit).replace('/usr/local/bin/precedent', process.execPath))
    }
    const path = join(folder, name.replace('@', '@web'))
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    expect([verified.status, verified.stderr]).toEqual([0, ''])
    // 10 is no sandbox at all; the threshold is in tenths. Throws above it
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', path], { encoding: 'utf8' })
    rmSync(folder, { recursive: true, force: true })
  })
})

it('runs workers under the rules of the whole service', () => {
  expect(sandboxOf(read('precedent@.service')).replace(/^#.*$/gm, '')).toBe(
    sandboxOf(read('precedent.service')).replace(/^#.*$/gm, ''),
  )
})
