/** Commands that read from standard input or write files. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../support/repository.ts'
import { folderOfTest, run, runOn } from './run.ts'
import { serving } from './serving.ts'

const serves = serving()

describe('precedent import -', () => {
  const lines = [1, 2].map((at) =>
    JSON.stringify({ external_id: `stdin-${at}`, title: `Pier ${at}`, judgment: `Pier ${at} is closed.` }),
  )

  it('imports JSONL from standard input, records nothing twice, and keeps no copy', async () => {
    const first = await runOn(serves.caller, `${lines.join('\n')}\n`, 'import', '-')
    expect(first.code, first.stderr).toBe(0)
    expect(first.stdout).toMatch(/Imported +2 /)
    const again = await runOn(serves.caller, `${lines.join('\n')}\n`, 'import', '-')
    expect(again.stdout).toMatch(/Unchanged +2/)
    const found = await run(serves.caller, 'search', 'Pier 2', '--decisions')
    expect(found.stdout).toContain('stdin-2')
    expect(readdirSync(join(serves.caller.state, 'precedent', 'standard-input'))).toEqual([])
  })

  it('imports CSV, and names the source that was given', async () => {
    const csv = 'title,judgment\nBerth,Berth 4 is for ferries.\n'
    const { code, stdout } = await runOn(serves.caller, csv, 'import', '-', '--source', 'harbour')
    expect(code).toBe(0)
    expect(stdout).toContain('Imported from harbour')
    const found = await run(serves.caller, 'search', 'berth for ferries', '--decisions')
    expect(found.stdout).toContain('harbour/standard-input.csv#')
  })

  it('shows a dry run without a key, and refuses empty input', async () => {
    const dry = await runOn({ ...serves.caller, key: '' }, lines.join('\n'), 'import', '-', '--dry-run')
    expect(dry.stdout).toContain('Pier 1')
    const empty = await runOn(serves.caller, ' \n', 'import', '-')
    expect(empty.code).toBe(2)
    expect(empty.stderr).toContain('Standard input is empty.')
  })
})

describe('precedent backup', () => {
  /** With the settings of the service, on its store; the service may run. */
  const backup = (...args: string[]) =>
    spawnSync(process.execPath, [join(repository, 'dist/src/cli/precedent.js'), 'backup', ...args], {
      env: { PATH: process.env.PATH, PRECEDENT_DATA_DIR: serves.service.dataDir },
      encoding: 'utf8',
    })

  it('refuses to overwrite a file, unless --force is given', () => {
    const file = join(folderOfTest(), 'backup.jsonl.gz')
    writeFileSync(file, 'of somebody else')
    const refused = backup(file)
    expect([refused.status, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain('--force')
    expect(readFileSync(file, 'utf8')).toBe('of somebody else')
    const forced = backup(file, '--force')
    expect([forced.status, forced.stdout]).toEqual([0, `${file}\n`])
    // the first bytes of a gzip file
    expect([...readFileSync(file).subarray(0, 2)]).toEqual([0x1f, 0x8b])
  })

  it('names the file in a folder, and refuses a path with a slash at the end if there is no folder', () => {
    const folder = join(folderOfTest(), 'backups')
    const refused = backup(`${folder}/`)
    expect([refused.status, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain(`The folder ${folder}/ does not exist.`)
    expect(existsSync(folder)).toBe(false)
    mkdirSync(folder)
    const made = backup(`${folder}/`)
    expect(made.stdout).toMatch(/\/backups\/precedent-\d{8}T\d{6}Z\.jsonl\.gz\n$/)
    expect(made.status).toBe(0)
  })
})
