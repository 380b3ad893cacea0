/** A world for each test, and the calls that tests of briefs make. */
import { afterEach, beforeEach } from 'vitest'
import { brief } from '../../../src/context/brief/brief.ts'
import { recordDecision } from '../../../src/decisions/record.ts'
import { remember } from '../../../src/memories/remember.ts'
import type { Reads } from '../../../src/operation.ts'
import { inlineCompareWorker as compareWorker } from '../../../src/questions/compare/compare-worker.ts'
import { apply, quiet, type World, workspace, world } from '../../support/apply.ts'
import { ask, readsOf } from '../../support/ask.ts'
import { compareWorkspace } from '../../support/compare-workspace.ts'

export let on: World
export let reads: Reads

/** Each test file calls it: files may share their modules, so importing this one would do it for the first file only. */
export function eachInItsWorld(): void {
  beforeEach(async () => {
    on = await world()
    reads = await readsOf(on)
  })
  afterEach(() => on.close())
}

export const say = async (kind: string, content: string, more: object = {}) =>
  (await apply(on, remember, { kind, content, ...more })).entity?.id as string
export const fact = (content: string, more: object = {}) => say('fact', content, more)
export const decide = async (title: string, more: object = {}) =>
  (await apply(on, recordDecision, { title, judgment: `${title}, for it serves us well.`, ...more })).entity
    ?.id as string
export const about = (input: object = {}) => ask(reads, brief, input)
export const cited = (answer: Awaited<ReturnType<typeof about>>) => answer.citations.map(({ id }) => id)

/** Compares all records, so that the questions about contradictions are asked. */
export async function compared(): Promise<void> {
  await compareWorkspace({ ...on.portsOf(on), compareWorker }, { workspace })
  await quiet(on)
}

/** The lines under a heading. */
export function section({ markdown }: { markdown: string }, heading: string): string | undefined {
  return markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))
}
