/**
 * Which search index the documents of a workspace are in. A lost index, or one of another version, begins without a
 * watermark, so it gets a new epoch. The epoch is part of the settings of a repository: with a new one all of its
 * documents are written again, from blobs that are parsed already.
 */
import type { WorkspaceId } from '../../ids.ts'
import { codeIndex } from '../stored/search-document.ts'
import type { IndexingPorts } from './ports.ts'

type Ports = Pick<IndexingPorts, 'search' | 'clock'>

export async function indexEpoch(workspace: WorkspaceId, ports: Ports): Promise<string> {
  const { search, clock } = ports
  const epoch = await knownEpoch(workspace, ports)
  if (epoch !== undefined) return epoch
  await search.create(codeIndex)
  const made = clock.id()
  await search.refresh(codeIndex, workspace, { epoch: made, sequence: 0 })
  // another worker may have replaced it at the same time
  return (await knownEpoch(workspace, ports)) ?? made
}

export async function knownEpoch(
  workspace: WorkspaceId,
  { search }: Pick<Ports, 'search'>,
): Promise<string | undefined> {
  return (await search.watermark(codeIndex, workspace))?.epoch
}
