/**
 * Which versions of the live index are complete. After an upgrade, the index of the older version serves while the one
 * of the new version is filled beside it (indexing/next-version.ts). Processes of both versions may run meanwhile.
 *
 * `checkpoint.shown_in` lists the versions that show everything up to `checkpoint.indexed`. It also holds that number
 * and the name of the index: version 0.1.0 advances the checkpoint without it, and then it counts as not known.
 */

import { analysisOf, inVersion, isOlder } from '../ports/index-versions.ts'
import type { SearchEngine } from '../ports/search.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import type { Checkpoint } from './checkpoint.ts'

type Shown = Pick<Checkpoint, 'live' | 'indexed' | 'shown_in'>

/** The value of `shown_in`. */
export function shownIn({ live, indexed }: Pick<Checkpoint, 'live' | 'indexed'>, versions: readonly string[]): string {
  return [indexed, live, ...[...new Set(versions)].sort()].join(' ')
}

/** undefined: not known. The versions may be newer than this process. */
export function versionsIn({ live, indexed, shown_in }: Shown): string[] | undefined {
  const [number, index, ...versions] = shown_in?.split(' ') ?? []
  return number === String(indexed) && index === live ? versions : undefined
}

/** The live index in the version that serves searches, as far as the checkpoint tells; by default in the own version. */
export function serving({ version }: Pick<SearchEngine, 'version'>, checkpoint: Shown): string {
  const listed = versionsIn(checkpoint) ?? []
  const best = listed.includes(version) ? version : newest(listed.filter((one) => isOlder(one, version)))
  return inVersion(checkpoint.live, best ?? version)
}

/** The fields of a checkpoint that indexToSearch reads. */
export const fieldsOfIndex = ['id', 'live', 'indexed', 'indexed_seq', 'shown_in'] as const

/**
 * The same, but asks the engine if the checkpoint does not tell. Throws EngineUnavailable if no version is
 * complete that this process can search, or only one whose text analysis is older than `analysis`: its documents lack
 * what the filter looks for.
 */
export async function indexToSearch(
  search: Pick<SearchEngine, 'version' | 'versions' | 'watermark'>,
  checkpoint: Shown & Pick<Checkpoint, 'id' | 'indexed_seq'>,
  analysis = 0,
): Promise<string> {
  const { live } = checkpoint
  const { version } = search
  const listed = versionsIn(checkpoint)
  if (listed?.includes(version)) return inVersion(live, version)
  const usable = await search.versions(live)
  const complete = listed ? usable.filter((one) => listed.includes(one)) : await upToDate(search, checkpoint, usable)
  const [best] = complete
  if (best === undefined) {
    if (listed?.some((one) => isOlder(version, one)))
      throw otherVersion('the index is of a newer version of the service; maintain fills one of this version')
    throw new EngineUnavailable('search', `${live} is missing or incomplete`, undefined, 'index_lost')
  }
  if (analysisOf(best) < analysis) {
    throw otherVersion('a filter of this search needs the index that maintain is filling for this version')
  }
  return inVersion(live, best)
}

async function upToDate(
  search: Pick<SearchEngine, 'watermark'>,
  { id, live, indexed_seq }: Pick<Checkpoint, 'id' | 'live' | 'indexed_seq'>,
  versions: readonly string[],
): Promise<string[]> {
  const marks = await Promise.all(versions.map((one) => search.watermark(inVersion(live, one), id)))
  return versions.filter((_, at) => (marks[at]?.sequence ?? 0) >= indexed_seq)
}

function newest(versions: readonly string[]): string | undefined {
  return [...versions].sort((one, other) => (isOlder(one, other) ? 1 : -1))[0]
}

function otherVersion(why: string): EngineUnavailable {
  return new EngineUnavailable('search', why, undefined, 'index_version')
}
