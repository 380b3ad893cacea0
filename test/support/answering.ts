/** Answers open questions in the test's own world. */
import { searchContext } from '../../src/context/search.ts'
import type { Reads } from '../../src/operation.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { inlineCompareWorker as compareWorker } from '../../src/questions/compare/compare-worker.ts'
import { apply, quiet, type World, workspace } from './apply.ts'
import { ask } from './ask.ts'
import { compareWorkspace } from './compare-workspace.ts'

/**
 * Uses the note to answer the first question about the record. The question may be about other records too. Returns the
 * memory made from the note.
 */
export async function answered(
  on: World,
  reads: Reads,
  about: { type: 'memory' | 'decision'; id: string },
  note: string,
): Promise<string> {
  await compareWorkspace({ ...on.portsOf(on), compareWorker }, { workspace })
  await quiet(on)
  const [question] = (await ask(reads, searchContext, { references: [about] })).open_questions
  const receipt = await apply(on, resolve, { question_id: question?.question_id, resolution: 'answer', note })
  return receipt.entity?.id as string
}
