/** Decision records straight from the mirror of a connected repository. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Audience, WorkspaceId } from '../../src/ids.ts'
import { mirrorSource } from '../../src/import/files/mirror.ts'
import { readSource, streamFolder } from '../../src/import/read.ts'
import { never, newMirrors, newRepository } from '../adapters/git/repositories.ts'

const record = (title: string) =>
  `# ${title}\n\nStatus: accepted\n\nDate: 2024-05-06\n\n## Decision\n\nWe use ${title}.\n`

function connectedTo(url: string) {
  const of = { workspace: 'w' as WorkspaceId, audience: 'workspace' as Audience, include: [], exclude: [] }
  return { ...of, id: 'w/acme/shop@1', name: 'acme/shop', url }
}

async function rowsOf(source: Awaited<ReturnType<typeof mirrorSource>>, folder: string) {
  const rows = []
  for await (const row of (await streamFolder(source, folder)).rows) rows.push(row)
  return rows
}

it('are the same as those of a clone, but for the dates of its history', async () => {
  const repository = newRepository()
  symlinkSync('/etc/passwd', join(repository.path, '0009-link.md'))
  repository.commit({
    'docs/adr/0001-queue.md': record('Queue'),
    'docs/adr/0002-cache.md': record('Cache'),
    'docs/adr/0003-index.org': '= Index\n',
    'docs/adr/0006-lists.rst':
      'Lists\n=====\n\n:Date: 2024-01-02\n\nStatus\n------\n\nAccepted\n\nDecision\n--------\n\nLists.\n',
    'docs/adr/0004-huge.md': `# Huge\n${'x'.repeat(2 * 1024 * 1024)}`,
    'docs/adr/0005-bytes.md': Buffer.from([0x23, 0x20, 0x41, 0, 0x41]),
    'node_modules/a/docs/adr/0001-other.md': record('Other'),
    'src/a.ts': 'export const a = 1\n',
  })
  const source = await mirrorSource(connectedTo(repository.path), newMirrors().mirrors, { signal: never })
  const rows = await rowsOf(source, '')
  const clone = await readSource(repository.path, { source: 'acme/shop', git: false })
  const ofKind = (kind: string) => rows.flatMap(({ kind: own, ...row }) => (own === kind ? [row] : []))
  expect(clone.items).toHaveLength(3)
  expect(ofKind('decision')).toEqual(clone.items)
  expect(ofKind('not_decision')).toEqual(clone.notDecisions)
  expect(ofKind('note')).toEqual(clone.notes)
  expect(JSON.stringify(rows)).toContain('a symbolic link: not followed')
  expect((await rowsOf(source, 'docs/adr')).filter(({ kind }) => kind === 'decision')).toHaveLength(3)
})

it('say that there is no such folder, and no commit', async () => {
  const [repository, empty] = [newRepository(), newRepository()]
  repository.commit({ 'docs/0001-a.md': record('A') })
  const { mirrors } = newMirrors()
  const source = await mirrorSource(connectedTo(repository.path), mirrors, { signal: never })
  await expect(streamFolder(source, 'doc')).rejects.toThrow('The newest commit has no folder doc.')
  const other = { ...connectedTo(empty.path), id: 'w/acme/empty@1' }
  await expect(mirrorSource(other, mirrors, { signal: never })).rejects.toThrow('acme/shop has no commit yet.')
})
