/** Creates, drops and refreshes indexes, and counts their documents. */

import { inVersion, isOlder } from '../../ports/index-versions.ts'
import { deadlineIn, type Elastic } from './connection.ts'
import { aliasName, concreteName, definitionOf, everyVersion, type Names, ownVersion, versionIn } from './definition.ts'
import { refusalIn, unavailable } from './failure.ts'

/** ms. Long, because the master node may be busy with other indexes. */
const changesWithin = 15_000
const answersWithin = 5_000

export async function createIndex({ client, ask }: Elastic, names: Names, index: string): Promise<void> {
  const deadline = deadlineIn(changesWithin)
  const made = await ask(
    (how) =>
      client.indices.create(definitionOf(names, index), how).then(
        () => true,
        (error: unknown) => {
          if (refusalIn(error)?.type === 'resource_already_exists_exception') return false
          throw error
        },
      ),
    deadline,
  )
  if (made) return
  // an index that was restored from a snapshot may have no alias
  const name = aliasName(names, index)
  await ask(
    (how) => client.indices.putAlias({ index: concreteName(names, index), name, is_write_index: true }, how),
    deadline,
  )
}

/** The versions in which the index exists. */
export async function storedVersions({ client, ask }: Elastic, names: Names, index: string): Promise<string[]> {
  const found = await ask(
    (how) =>
      client.indices.getAlias({ name: everyVersion(names, index) }, how).catch((error: unknown) => {
        if (refusalIn(error)?.status === 404) return {}
        throw error
      }),
    deadlineIn(answersWithin),
  )
  const aliases = Object.values(found).flatMap((one) => Object.keys(one.aliases))
  return aliases.flatMap((alias) => versionIn(alias) ?? [])
}

/** The fields of the mapping, except those of vectors, which are added when they are needed. */
export async function mappedFields({ client, ask }: Elastic, alias: string): Promise<ReadonlySet<string>> {
  const found = await ask((how) => client.indices.getMapping({ index: alias }, how), deadlineIn(answersWithin))
  return new Set(Object.values(found).flatMap(({ mappings }) => Object.keys(mappings.properties ?? {})))
}

/** Also deletes the aliases. */
export async function dropIndex(elastic: Elastic, names: Names, index: string): Promise<void> {
  await deleteAll(elastic, [concreteName(names, index), ...(await olderNames(elastic, names, index))])
}

export async function dropOlder(elastic: Elastic, names: Names, index: string): Promise<void> {
  const older = await olderNames(elastic, names, index)
  if (older.length > 0) await deleteAll(elastic, older)
}

async function olderNames(elastic: Elastic, names: Names, index: string): Promise<string[]> {
  const older = (await storedVersions(elastic, names, index)).filter((one) => isOlder(one, ownVersion(names)))
  return older.map((version) => concreteName(names, inVersion(index, version)))
}

async function deleteAll({ client, ask }: Elastic, index: string[]): Promise<void> {
  await ask((how) => client.indices.delete({ index, ignore_unavailable: true }, how), deadlineIn(changesWithin))
}

/** Refreshes every copy, because a search may use any of them. */
export async function refreshIndex({ client, ask }: Elastic, index: string): Promise<void> {
  const { _shards } = await ask((how) => client.indices.refresh({ index }, how), deadlineIn(changesWithin))
  if ((_shards?.failed ?? 0) > 0) throw unavailable('a copy of the index was not refreshed', 'failing')
}

/** Counts without tombstones and marks, which no search returns. */
export async function countDocuments({ client, ask }: Elastic, index: string, workspace: string): Promise<number> {
  const query = { bool: { filter: [{ term: { workspace } }, { exists: { field: 'audience' } }] } }
  const { count } = await ask((how) => client.count({ index, routing: workspace, query }, how))
  return count
}
