import type { WorkspaceId } from '../../src/ids.ts'
import { type ComparePorts, compareNext } from '../../src/questions/compare/compare.ts'

/** Compares everything that is indexed in the workspace, without pauses. */
export async function compareWorkspace(ports: ComparePorts, { workspace }: { workspace: WorkspaceId }): Promise<void> {
  for (let isLeft = true; isLeft; ) {
    const steps = compareNext(ports, workspace)
    let step = await steps.next()
    while (!step.done) step = await steps.next()
    isLeft = step.value
  }
}
