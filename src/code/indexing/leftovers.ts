/**
 * Removes what attempts left behind and no shown commit uses. An attempt leaves something behind if its worker died, or
 * if another attempt overtook it. Removing is an attempt too, with a generation of its own: a worker that was frozen
 * can't publish its older attempt afterwards, of which parts are gone.
 */
import { type CodeFile, currentFiles } from '../stored/file.ts'
import { type CodeRepository, codeRepositories } from '../stored/repository.ts'
import { pathsFrom, rowsOfPaths } from '../stored/shown-files.ts'
import { claim, isCleared, releaseCleared, renew, whileClaimed } from './attempt.ts'
import { clearFiles } from './clear.ts'
import type { IndexingPorts } from './ports.ts'
import { indexEpoch } from './search-index.ts'

type Ports = Pick<IndexingPorts, 'documents' | 'search' | 'clock'>

/** Returns how many rows were removed. It does nothing while another worker is at the repository. */
export async function clearLeftovers(id: string, ports: Ports, signal: AbortSignal): Promise<number> {
  const row = await ports.documents.get(codeRepositories, id)
  if (row === undefined || isCleared(row)) return 0
  const generation = await claim(row, ports)
  if (generation === undefined) return 0
  return whileClaimed(id, generation, ports, async () => {
    // the index may have been lost
    await indexEpoch(row.workspace, ports)
    let removed = 0
    for await (const paths of pathsFrom(id, '', ports.documents)) {
      signal.throwIfAborted()
      if (!(await renew(id, generation, ports))) return removed
      const rows = await rowsOfPaths(id, paths, ports.documents)
      removed += await clear(rows, row, generation, ports)
    }
    await releaseCleared(row, generation, ports)
    return removed
  })
}

async function clear(
  rows: readonly CodeFile[],
  { published }: CodeRepository,
  generation: number,
  ports: Ports,
): Promise<number> {
  const shown = currentFiles(rows, published)
  const ids = new Set(shown.map(({ id }) => id))
  const dead = rows.filter((row) => !ids.has(row.id) && row.generation < generation)
  // the same content has the same path, so no other row can show it
  const contents = new Set(shown.map(({ content }) => content))
  const [marks, others] = [dead.filter(({ type }) => type === 'gone'), dead.filter(({ type }) => type !== 'gone')]
  await clearFiles(others, contents, generation, ports)
  // last: without them, the rows that they hide would be shown again
  await clearFiles(marks, contents, generation, ports)
  return dead.length
}
