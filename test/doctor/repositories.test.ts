import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/doctor/finding.ts'
import { examineOperatorFile } from '../../src/doctor/operator-file.ts'
import { examineRemotes } from '../../src/doctor/remotes.ts'
import { examineRepositories } from '../../src/doctor/repositories.ts'
import { newRepository } from '../adapters/git/repositories.ts'
import { settingsIn } from '../config/operator.ts'
import { temporaryFolder } from '../support/clean-up.ts'

async function listed(findings: AsyncIterable<Finding>): Promise<string[]> {
  const found: string[] = []
  for await (const finding of findings) found.push(`${finding.state}: ${finding.found}`)
  return found
}

function settings(url: string) {
  const { repositories } = settingsIn(`repositories: { connect: [{ name: acme/shop, url: ${url} }] }`)
  if (repositories === undefined) throw new Error('nothing is connected')
  return repositories
}

describe('precedent doctor on remotes', () => {
  it('says of each whether it answers, at which commit, and that a branch is missing', async () => {
    const shop = newRepository()
    const commit = shop.commit({ 'a.ts': 'export const a = 1\n' })
    const missing = join(temporaryFolder(), 'nothing')
    const { repositories } = settingsIn(`repositories:
  connect:
    - { name: acme/shop, url: ${shop.path} }
    - { name: acme/branch, url: ${shop.path}, branch: develop }
    - { name: acme/empty, url: ${newRepository().path} }
    - { name: acme/missing, url: ${missing} }`)
    if (repositories === undefined) throw new Error('nothing is connected')
    expect(await listed(examineRemotes(repositories))).toEqual([
      `ok: the remote of acme/shop answers: its branch main is at ${commit.slice(0, 10)}`,
      'wrong: acme/branch can’t be fetched: the remote has no such branch: correct `branch`, or leave it out',
      'ok: the remote of acme/empty answers, and has no commit yet',
      'wrong: acme/missing can’t be fetched: there is no repository at this url, or the token may not see it',
    ])
  })

  it('asks none if git is missing, which another finding says', async () => {
    expect(await listed(examineRemotes(settings('/does/not/exist'), { PATH: temporaryFolder() }))).toEqual([])
  })
})

describe('precedent doctor on connected repositories', () => {
  it('names the version of git, only if a repository is connected', async () => {
    const folder = temporaryFolder()
    const file = (url: string) => settingsIn(`repositories: { connect: [{ name: acme/shop, url: ${url} }] }`)
    expect(await listed(examineOperatorFile(file(folder)))).toContainEqual(
      expect.stringMatching(/^ok: 1 repository is connected, and git 2\.\d+\.\d+ is installed$/),
    )
    expect((await listed(examineOperatorFile(settingsIn('')))).join()).not.toContain('git')
  })

  it('says that git or ssh is missing, that git is too old, and that a path is no directory', async () => {
    const bin = temporaryFolder()
    const without = { PATH: bin }
    expect(await listed(examineRepositories(settings('ssh://git@host/x'), without))).toEqual([
      'wrong: 1 repository is connected, but git is not installed, or is not in PATH',
      'wrong: a repository is connected over ssh, but there is no ssh in PATH',
    ])
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.30.2\n')
    chmodSync(join(bin, 'git'), 0o755)
    expect(await listed(examineRepositories(settings('/does/not/exist'), without))).toEqual([
      'wrong: 1 repository is connected, but this is git 2.30.2, and 2.39 or later is needed',
      'wrong: /does/not/exist, the url of acme/shop, is not a directory',
    ])
  })
})
