/** An upgrade to another version of the search index: the older one serves until the new one is whole, and is dropped. */
import { expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import type { IndexingPorts } from '../../src/code/indexing/ports.ts'
import { lookAtRepositories } from '../../src/code/indexing/work.ts'
import { scopeOf } from '../../src/code/reading/scope.ts'
import { askedOf, hitsOf } from '../../src/code/reading/search/hits.ts'
import { parseCodeQuery } from '../../src/code/reading/search/query.ts'
import { definitionsOf } from '../../src/code/reading/symbols/find.ts'
import { askedName } from '../../src/code/reading/symbols/name.ts'
import { codeIndex } from '../../src/code/stored/search-document.ts'
import { analysisVersion } from '../../src/text/version.ts'
import { never, newRepository } from '../adapters/git/repositories.ts'
import { profile } from '../support/profile.ts'
import { skipIf } from '../support/skip.ts'
import { opened, silent, workspace } from './opened.ts'

const actor: Actor = {
  workspace,
  workspaceType: 'company',
  credential: 'key',
  user: 'ann',
  teams: [],
  scopes: ['repos:read'],
}

it('an older index serves each repository until it is indexed anew, and is dropped once none needs it', {
  ...skipIf(profile === 'embedded' ? undefined : 'opens the engine in several versions'),
}, async () => {
  const { ports, repository, connected, searchOf } = await opened()
  const second = newRepository()
  const other = { ...connected, id: `${workspace}/acme/lib@1`, name: 'acme/lib', url: second.path }
  repository.commit({ 'shop.ts': 'export function refundOrder() {}\n' })
  second.commit({ 'lib.ts': 'export function refundPayment() {}\n' })
  const older = { ...ports, search: searchOf(analysisVersion - 1) }
  const all = [connected, other]
  const look = (repositories: typeof all, by: IndexingPorts) =>
    lookAtRepositories({ connected: repositories }, by, silent, never)
  await look(all, older)

  async function found(by: IndexingPorts): Promise<string[][]> {
    const query = parseCodeQuery('refund')
    const { scope } = await scopeOf({ connected: all, open: async () => by }, actor, { wanted: undefined }, 'repo')
    const hits = await hitsOf({ query, asked: askedOf(query, new Set()), scope, store: by, actor })
    const looking = {
      path: undefined,
      kind: undefined,
      language: undefined,
      isNarrowed: false,
      scope,
      store: by,
      actor,
    }
    const like = await definitionsOf('fuzzy', { ...looking, asked: askedName('refundOrdr') })
    return [hits.map(({ file }) => file.path).sort(), like.map(({ row }) => row.name).sort()]
  }
  const everything = [
    ['lib.ts', 'shop.ts'],
    ['refundOrder', 'refundPayment'],
  ]
  expect(await found(older)).toEqual(everything)
  await ports.search.create(codeIndex)
  expect(await found(ports)).toEqual(everything)

  let hours = 0
  const later = { ...ports, clock: { ...systemClock, now: () => Date.now() + hours * 3_600_000 } }
  // the other one can't be fetched yet
  const away = { ...other, url: `${second.path}/missing` }
  for (; hours < 3; hours += 1) await look([connected, away], later)
  expect(await found(ports)).toEqual(everything)
  expect(await ports.search.versions(codeIndex)).toHaveLength(2)

  await look(all, later)
  expect(await found(ports)).toEqual(everything)
  // processes of the older version may still search it
  expect(await ports.search.versions(codeIndex)).toHaveLength(2)
  hours += 1
  await look(all, later)
  expect(await ports.search.versions(codeIndex)).toEqual([ports.search.version])
  expect(await found(ports)).toEqual(everything)
})
