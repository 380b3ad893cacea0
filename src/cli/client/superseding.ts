/**
 * After a decision is recorded: one line for each decision that it names, which says whether it superseded it, or why
 * not.
 */
import type { DecisionGetOutput, DecisionSearchOutput } from '../../decisions/schema.ts'
import { supersedingLines } from '../../decisions/told.ts'
import { inLine } from '../terminal/terminal.ts'
import type { Client } from './client.ts'
import { unlessFailed } from './read-back.ts'

type Decision = DecisionSearchOutput['items'][number]

/** `wanted`: the ids and external ids in the field `supersedes` of the request. */
export async function superseding(made: DecisionGetOutput, wanted: unknown, client: Client): Promise<string[]> {
  if (!Array.isArray(wanted) || wanted.length === 0) return []
  const replaced = await unlessFailed(withIds(made.supersedes, client))
  return replaced === undefined ? [] : supersedingLines({ made, wanted: wanted.map(String), replaced, inLine })
}

async function withIds(ids: readonly string[], client: Client): Promise<Decision[]> {
  if (ids.length === 0) return []
  const body = { ids: ids.slice(0, 50) }
  const found = await client.call<DecisionSearchOutput>({
    method: 'POST',
    path: '/v1/decisions/search',
    body,
    reads: true,
  })
  return found.items
}
