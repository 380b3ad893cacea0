import type { WorkspaceId } from '../../src/ids.ts'
import { compareNext } from '../../src/questions/compare/compare.ts'
import type { ComparePorts } from '../../src/questions/compare/comparing.ts'

/** Compares everything that is indexed in the workspace, without pauses. */
export async function compareWorkspace(ports: ComparePorts, { workspace }: { workspace: WorkspaceId }): Promise<void> {
  for (let isLeft = true; isLeft; ) {
    const steps = compareNext(ports, workspace)
    let step = await steps.next()
    while (!step.done) step = await steps.next()
    isLeft = step.value
  }
}
