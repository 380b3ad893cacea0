/**
 * After a decision is recorded: one line for each decision that it names, which says whether it superseded it, or why
 * not.
 */
import type { DecisionGetOutput, DecisionSearchOutput } from '../../decisions/schema.ts'
import { inLine } from '../terminal/terminal.ts'
import type { Client } from './client.ts'
import { unlessFailed } from './read-back.ts'

type Decision = DecisionSearchOutput['items'][number]

/** `wanted`: the ids and external ids in the field `supersedes` of the request. */
export async function superseding(made: DecisionGetOutput, wanted: unknown, client: Client): Promise<string[]> {
  if (!Array.isArray(wanted) || wanted.length === 0) return []
  const replaced = await unlessFailed(withIds(made.supersedes, client))
  if (replaced === undefined) return []
  return wanted.map(String).map((target) => {
    const named = ({ id, external_id }: Decision) => id === target.toLowerCase() || external_id === target
    const found = replaced.find(named)
    if (found) return `It supersedes “${inLine(found.title)}” (${inLine(found.id)}).${otherSuccessors(found, made)}`
    return `It does not supersede ${inLine(target)}${whyNot(made, target)}`
  })
}

/** Names the other successors, because a second successor is rarely intended. */
function otherSuccessors({ successors }: Decision, made: DecisionGetOutput): string {
  const others = successors.filter((id) => id !== made.id)
  return others.length === 0 ? '' : ` That decision already had a successor: ${others.map(inLine).join(', ')}.`
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

function whyNot({ void_links, revisions }: DecisionGetOutput, target: string): string {
  const [newest] = revisions
  const impossible = void_links.find((one) => one.target === target)
  if (impossible?.reason === 'narrower_audience') return ': some callers who see that decision cannot see this one.'
  if (impossible) return ': that decision supersedes this one.'
  if (newest?.status === 'proposed') return ' until it is accepted.'
  if (newest && newest.status !== 'accepted') return `, because its status is ${newest.status}.`
  if (newest && newest.decided_at > new Date().toISOString()) return ` until ${newest.decided_at}.`
  return ' yet: this key sees no decision with this id. Once such a decision is recorded, it is superseded.'
}
