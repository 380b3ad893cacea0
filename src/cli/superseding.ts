/** What a decision that was just recorded has replaced, and what it was to replace and has not: a line each. */
import type { DecisionGetOutput, DecisionSearchOutput } from '../decisions/schema.ts'
import type { Client } from './client.ts'
import { known } from './tell.ts'
import { inLine } from './terminal.ts'

type Decision = DecisionSearchOutput['items'][number]

/** `wanted`: the ids and external ids that were sent. */
export async function superseding(made: DecisionGetOutput, wanted: unknown, client: Client): Promise<string[]> {
  if (!Array.isArray(wanted) || wanted.length === 0) return []
  const replaced = await known(withIds(made.supersedes, client))
  if (replaced === undefined) return []
  return wanted.map(String).map((target) => {
    const named = ({ id, external_id }: Decision) => id === target.toLowerCase() || external_id === target
    const found = replaced.find(named)
    if (found) return `It takes the place of “${inLine(found.title)}” (${inLine(found.id)})${besides(found, made)}.`
    return `It does not take the place of ${inLine(target)}${whyNot(made, target)}`
  })
}

/** Two successors are rarely meant. */
function besides({ successors }: Decision, made: DecisionGetOutput): string {
  const others = successors.filter((id) => id !== made.id)
  return others.length === 0 ? '' : `, as does ${others.map(inLine).join(', ')} already`
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
  if (impossible?.reason === 'narrower_audience') return ': not everyone who sees that one would see this one.'
  if (impossible) return ': that one takes the place of this one.'
  if (newest?.status === 'proposed') return ' before it is accepted.'
  if (newest && newest.status !== 'accepted') return `, for it is ${newest.status}.`
  if (newest && newest.decided_at > new Date().toISOString()) return ` before ${newest.decided_at}.`
  return ' yet: no decision that you may see is known by this id. Once one is recorded, it does.'
}
