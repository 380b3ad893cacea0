/** Reads all outcomes of a decision, and writes them into lines of an export. */
import type { OutcomeResponse } from '../../records/present/outcomes.ts'
import type { Client } from '../client/client.ts'
import { asJson } from '../terminal/terminal.ts'

interface OutcomePage {
  items: OutcomeResponse[]
  next_cursor?: string
}

/** In the order in which an import must record them: the leading one last. */
export async function outcomesOf(client: Client, decision: string): Promise<OutcomeResponse[]> {
  const found: OutcomeResponse[] = []
  for (let cursor: string | undefined; ; ) {
    const query = cursor === undefined ? '' : `?${new URLSearchParams({ outcomes_cursor: cursor })}`
    const path = `/v1/decisions/${decision}${query}`
    const { outcomes } = await client.call<{ outcomes: OutcomePage }>({ method: 'GET', path })
    found.push(...outcomes.items)
    cursor = outcomes.next_cursor
    if (cursor === undefined) return found.reverse()
  }
}

/** UTF-8 of outcomes in one line. With the decision, a line is then well below the longest one that an import reads. */
const mostBytes = 1024 * 1024

/** The outcomes for each line of a decision: usually one line. */
export function partsOf(outcomes: readonly OutcomeResponse[]): object[][] {
  const parts: object[][] = []
  let bytes = mostBytes
  for (const { outcome_status, outcome_notes, observed_at, sources } of outcomes) {
    const outcome = {
      outcome_status,
      ...(outcome_notes === undefined ? {} : { outcome_notes }),
      observed_at,
      ...(sources.length === 0 ? {} : { sources }),
    }
    const more = Buffer.byteLength(asJson(outcome))
    if (bytes + more > mostBytes) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(outcome)
    bytes += more
  }
  return parts
}
