/** Decisions of an export that are in this store already, under the very ids that they had: sent again they would be doubled. */
import { decisionImportItem } from '../../decisions/input.ts'
import type { ImportedItem } from '../../import/reading.ts'
import { canonicalJson } from '../../receipts/canonical.ts'
import type { Client } from '../client.ts'
import { hydration } from '../export/hydrate.ts'
import { type Line, madeFromId } from '../export/lines.ts'
import { Failure } from '../failure.ts'

/**
 * Those that must be sent; the others are there. All lines of one decision (its revisions) are in `items`: of a
 * decision that is there but reads otherwise only the last one is new.
 */
export async function missing(items: readonly ImportedItem[], client: Client): Promise<ImportedItem[]> {
  const ids = [...new Set(items.flatMap(({ id }) => id ?? []))]
  const there = ids.length === 0 ? new Map<string, Line[]>() : await linesHere(ids, client)
  const last = new Map(items.map((item) => [item.id, item]))
  return items.filter((item) => {
    const here = item.id === undefined ? undefined : there.get(item.id)
    if (here === undefined) return true
    const nameless = item.decision.external_id === madeFromId + item.id
    return last.get(item.id) === item && !nameless && !here.some((line) => isSame(item, line))
  })
}

async function linesHere(ids: readonly string[], client: Client): Promise<Map<string, Line[]>> {
  try {
    return await hydration(client).decisions(ids)
  } catch (error) {
    // a key that may only write can't look
    if (error instanceof Failure && error.code === 'insufficient_scope') return new Map()
    throw error
  }
}

function isSame({ decision }: ImportedItem, { kind: _, id: __, ...line }: Line): boolean {
  const here = decisionImportItem.safeParse(line)
  return here.success && canonicalJson(here.data) === canonicalJson(decision)
}
