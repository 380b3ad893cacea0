/**
 * The order of the test files. Files that mostly wait are spread among the others, so that one of the workers waits while
 * the others use the processor.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They wait for leases to run out, for frozen processes, and for engines that start. */
const waits = /\/test\/(faults|flows\/scaled|adapters\/(process|http-executor)|adapters\/\w+\/outage|attacks\/hooks)\b/

export class SpreadWaits extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // a worker loads the modules of one project, so the projects follow each other
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) => spread(sorted.filter((file) => file.project === project)))
  }
}

function spread(files: readonly TestSpecification[]): TestSpecification[] {
  const waiting = files.filter(({ moduleId }) => waits.test(moduleId))
  const others = files.filter(({ moduleId }) => !waits.test(moduleId))
  const every = Math.max(1, Math.floor(others.length / (waiting.length + 1)))
  const order = others.flatMap((file, at) => [...(at % every === 0 ? waiting.splice(0, 1) : []), file])
  return [...order, ...waiting]
}
