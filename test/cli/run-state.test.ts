import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRun } from '../../src/cli/import/run-state.ts'
import { folderOfTest } from './run.ts'

const of = (stateDir: string, more: object = {}) => ({
  stateDir,
  url: 'http://127.0.0.1:4400',
  apiKey: 'svc_sk_secret',
  path: '/decisions',
  sourceName: 'team/decisions',
  fingerprint: 'a',
  ...more,
})

describe('the state of an import', () => {
  it('an import that did not end gets the same key again', () => {
    const stateDir = folderOfTest()
    const first = openRun(of(stateDir))
    const second = openRun(of(stateDir))
    expect(first.resumed).toBe(false)
    expect(second).toMatchObject({ key: first.key, resumed: true, began_at: first.began_at })
  })

  it('after the end of an import its state is removed, and the next import gets a new key', () => {
    const stateDir = folderOfTest()
    const first = openRun(of(stateDir))
    first.end()
    expect(readdirSync(join(stateDir, 'imports'))).toEqual([])
    const second = openRun(of(stateDir))
    expect(second.resumed).toBe(false)
    expect(second.key).not.toBe(first.key)
  })

  it('the end of an import leaves the state of one that began since with other content', () => {
    const stateDir = folderOfTest()
    const first = openRun(of(stateDir))
    const changed = openRun(of(stateDir, { fingerprint: 'b' }))
    first.end()
    expect(openRun(of(stateDir, { fingerprint: 'b' }))).toMatchObject({ key: changed.key, resumed: true })
  })

  it('changed content starts a new run, even if it changes back', () => {
    const stateDir = folderOfTest()
    const keys = ['a', 'b', 'a'].map((fingerprint) => openRun(of(stateDir, { fingerprint })).key)
    expect(new Set(keys).size).toBe(3)
    expect(readdirSync(join(stateDir, 'imports'))).toHaveLength(1)
  })

  it.each([{ url: 'http://other' }, { apiKey: 'svc_sk_other' }, { path: '/other' }, { sourceName: 'other' }])(
    'an import with %o is a separate run',
    (more) => {
      const stateDir = folderOfTest()
      const mine = openRun(of(stateDir))
      expect(openRun(of(stateDir, more)).key).not.toBe(mine.key)
      expect(openRun(of(stateDir))).toMatchObject({ key: mine.key, resumed: true })
    },
  )

  it('a truncated state file starts a new run', () => {
    const stateDir = folderOfTest()
    openRun(of(stateDir))
    const [name = ''] = readdirSync(join(stateDir, 'imports'))
    writeFileSync(join(stateDir, 'imports', name), '{"format":1,"run"')
    const again = openRun(of(stateDir))
    expect(again.resumed).toBe(false)
    expect(openRun(of(stateDir)).key).toBe(again.key)
  })

  it('the state file holds no secret, and only its owner may read it', () => {
    const stateDir = folderOfTest()
    openRun(of(stateDir))
    const [name = ''] = readdirSync(join(stateDir, 'imports'))
    const file = join(stateDir, 'imports', name)
    expect(readFileSync(file, 'utf8')).not.toContain('svc_sk_')
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  it('an error is thrown if the state cannot be saved', () => {
    const stateDir = folderOfTest()
    writeFileSync(join(stateDir, 'imports'), 'a file')
    expect(() => openRun(of(stateDir))).toThrow(/can't be saved/)
  })
})
