import type { WorkspaceId } from '../../src/ids.ts'
import { compareInTurns } from '../../src/questions/compare/compare.ts'
import type { ComparePorts } from '../../src/questions/compare/compare-ports.ts'

/** Compares up to checkpoint.indexed, read at the start, without pausing for other workspaces. */
export async function compareWorkspace(
  ports: ComparePorts,
  { workspace }: { workspace: WorkspaceId },
  stopping?: AbortSignal,
): Promise<void> {
  for await (const _ of compareInTurns(ports, workspace, stopping, () => false)) {
    // every turn
  }
}
