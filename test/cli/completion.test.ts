import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { repository } from '../support/repository.ts'
import { skipIf } from '../support/skip.ts'
import { folderOfTest } from './run.ts'

const command = join(repository, 'dist/src/cli/precedent.js')
const folder = folderOfTest()
const scriptOf = (shell: string) => join(folder, `completion.${shell}`)
const absent = (shell: string) =>
  spawnSync(shell, ['-c', 'true']).status === 0 ? undefined : `${shell} is not installed`

beforeAll(() => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    writeFileSync(scriptOf(shell), execFileSync(process.execPath, [command, 'completion', shell]))
  }
})

/** Candidates for the last of these words, as the shell itself computes them. */
const shells = {
  bash(words: string[]) {
    const line = words.map((word) => `'${word}'`).join(' ')
    const [current, before] = [words.at(-1) ?? '', words.at(-2) ?? '']
    return execFileSync('bash', [
      '-c',
      `source ${scriptOf('bash')}; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}
      _precedent precedent '${current}' '${before}'; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ])
  },
  // compadd works only while a person types, so a stand-in prints its arguments and filters like zsh
  zsh(words: string[]) {
    const line = words.map((word) => `'${word}'`).join(' ')
    return execFileSync('zsh', [
      '-fc',
      `compdef() { :; }; compadd() { shift; print -l -- \${(M)@:#$words[CURRENT]*} }; _files() { :; }
      source ${scriptOf('zsh')}; words=(${line}); CURRENT=${words.length}; _precedent`,
    ])
  },
  fish(words: string[]) {
    return execFileSync('fish', [
      '--no-config',
      '-c',
      `source ${scriptOf('fish')}; complete --do-complete '${words.join(' ')}'`,
    ])
  },
}

describe.each(['bash', 'zsh', 'fish'] as const)('completion in %s', (shell) => {
  const complete = (...words: string[]) =>
    String(shells[shell](words))
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '')
      .filter((line) => line !== '')

  it('completes commands, subcommands, options and their choices', skipIf(absent(shell)), () => {
    expect(complete('precedent', 'se').sort()).toEqual(['search', 'serve'])
    expect(complete('precedent', 'keys', 're').sort()).toEqual(['recover', 'revoke'])
    expect(complete('precedent', 'search', '--dec')).toEqual(['--decisions'])
    expect(complete('precedent', 'keys', 'create', '--sc')).toEqual(['--scopes'])
    expect(complete('precedent', 'remember', 'A fact', '--kind', 'con')).toEqual(['constraint'])
    expect(complete('precedent', 'worker', 'ma')).toEqual(['maintain'])
    expect(complete('precedent', 'mcp', '--tools', 'c').sort()).toEqual(['chat', 'core'])
    expect(complete('precedent', 'brief', '--js')).toEqual(['--json'])
  })
})

it('precedent completion refuses an unknown shell', () => {
  const { status, stderr } = spawnSync(process.execPath, [command, 'completion', 'csh'], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toContain('bash, zsh, fish')
})
