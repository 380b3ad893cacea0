/** Reaffirms the memory in force if it is written again, instead of making a second record (SEMANTICS 1, repeats). */

import type { DecideContext } from '../deciding/context.ts'
import type { Outcome } from '../deciding/outcome.ts'
import { outcomeAbout } from '../deciding/outcome.ts'
import { wholeOf } from '../deciding/state-at-head.ts'
import type { Envelope, Source } from '../records/record.ts'
import type { RememberInput } from './input.ts'

const mostSources = 200
const mostTopics = 50

export async function reaffirmed({ input, state, at }: DecideContext<RememberInput>, same: Envelope): Promise<Outcome> {
  const { mutable } = await wholeOf(state, same)
  const set = {
    sources: mergedSources(same.sources, input.sources),
    topics: [...new Set([...same.topics, ...input.topics])].slice(0, mostTopics),
    updated_at: at,
    mutable: { ...mutable, confirmed_at: at },
  }
  return outcomeAbout(same, { changed: [{ id: same.id, set }] })
}

function mergedSources(known: readonly Source[], added: readonly Source[]): Source[] {
  const byKey = new Map<string, Source>()
  for (const source of [...known, ...added]) {
    const key = JSON.stringify([source.type, source.id ?? source.url ?? source.title ?? '', source.provenance])
    if (!byKey.has(key)) byKey.set(key, source)
  }
  return [...byKey.values()].slice(0, mostSources)
}
