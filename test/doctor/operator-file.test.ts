import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/doctor/finding.ts'
import { examineOperatorFile } from '../../src/doctor/operator-file.ts'
import { settingsIn } from '../config/operator.ts'
import { temporaryFolder } from '../support/clean-up.ts'

async function examined(file: string) {
  const findings: Finding[] = []
  for await (const finding of examineOperatorFile(settingsIn(file))) findings.push(finding)
  const of = (state: string) => findings.filter((one) => one.state === state).map(({ found }) => found)
  for (const { state, remedy } of findings) expect(remedy !== undefined).toBe(state !== 'ok')
  return { ok: of('ok').join('\n'), note: of('note'), wrong: of('wrong') }
}

const coder = (fields: string) => `executors:\n  coder: { type: process, ${fields} }\n`

describe('precedent doctor on the operator’s file', () => {
  it('finds no problem with an executor that can start, and says what it would start', async () => {
    const { ok, note, wrong } = await examined(coder('command: [sh]'))
    expect([note, wrong]).toEqual([[], []])
    expect(ok).toMatch(
      /1 executor\n.*no policy, so every run waits.*\n.*a temporary directory in .*\n.*starts \/.*\/sh/,
    )
  })

  it('names a program that is missing, not executable, or in no directory', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'agent-folder'))
    writeFileSync(join(folder, 'agent'), '#!/bin/sh\n', { mode: 0o600 })
    const inFolder = (program: string) => examined(coder(`command: [${program}], directory: ${folder}`))
    expect((await inFolder('./agent')).wrong).toEqual([expect.stringContaining('missing or not executable')])
    expect((await inFolder('./agent-folder')).wrong).toEqual([expect.stringContaining('missing or not executable')])
    expect((await inFolder('precedent-no-such-program')).wrong).toEqual([
      'the executor coder starts precedent-no-such-program in PATH, which is missing or not executable',
    ])
    chmodSync(join(folder, 'agent'), 0o700)
    expect((await inFolder('./agent')).wrong).toEqual([])
    expect((await inFolder(join(folder, 'agent'))).wrong).toEqual([])
    expect((await examined(coder('command: [./agent]'))).wrong).toEqual([
      expect.stringContaining("can't be in a temporary directory"),
    ])
  })

  it('looks for the program in the PATH that the file sets', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'own-agent'), '#!/bin/sh\n', { mode: 0o700 })
    const { ok } = await examined(coder(`command: [own-agent], environment: { set: { PATH: ${folder} } }`))
    expect(ok).toContain(`starts ${folder}/own-agent`)
    const without = await examined(coder(`command: [sh], environment: { set: { PATH: ${folder} } }`))
    expect(without.wrong).toHaveLength(1)
  })

  it('names a directory that is missing, none, or not writable', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    const wrongOf = async (directory: string) => (await examined(coder(`command: [sh], directory: ${directory}`))).wrong
    expect(await wrongOf(`${folder}/none`)).toEqual([expect.stringContaining('does not exist')])
    expect(await wrongOf(`${folder}/file`)).toEqual([expect.stringContaining('is not a directory')])
    expect(await wrongOf('/proc/self/fdinfo')).toEqual([expect.stringContaining('is not writable')])
    expect(await wrongOf(folder)).toEqual([])
  })

  it('notes a passed variable that is not set, an executor without encryption, and a rule for an unknown executor', async () => {
    const { ok, note, wrong } = await examined(`
http_hosts: [agents.internal]
executors:
  coder: { type: process, command: [sh], environment: { pass: [PATH, NO_SUCH_VARIABLE_HERE] } }
  near: { type: http, url: "http://agents.internal/x", secret_env: AGENT_SECRET }
  far: { type: http, url: "https://agents.example.com/x", secret_env: AGENT_SECRET }
policy:
  rules:
    - { name: known, when: { executor: [coder] }, then: allow }
    - { name: unknown, when: { executor: [codr] }, then: allow }
`)
    expect(wrong).toEqual([])
    expect(note).toEqual([
      'the rule “unknown” names codr, which is no executor of this file',
      'the executor coder is passed NO_SUCH_VARIABLE_HERE, which is not set here',
      expect.stringContaining('near is called at agents.internal without encryption'),
    ])
    expect(ok).toMatch(
      /2 rules, and the default require_approval[\s\S]*far is called at agents.example.com, over an enc/,
    )
  })
})
