/** What a write did to decisions, in words: for the command line and for tools. */
import type { DecisionGetOutput, DecisionSearchOutput } from './schema.ts'

type Decision = DecisionSearchOutput['items'][number]

export interface Superseding {
  made: DecisionGetOutput
  /** The ids and external ids in the field `supersedes` of the request. */
  wanted: readonly string[]
  /** Those of `made.supersedes` that the caller sees. */
  replaced: readonly Decision[]
  /** Makes a stored text fit for one line. */
  inLine: (text: string) => string
}

/** One line for each decision that a new one names, which says whether it superseded it, or why not. */
export function supersedingLines({ made, wanted, replaced, inLine }: Superseding): string[] {
  return wanted.map((target) => {
    const named = ({ id, external_id }: Decision) => id === target.toLowerCase() || external_id === target
    const found = replaced.find(named)
    if (found)
      return `It supersedes “${inLine(found.title)}” (${inLine(found.id)}).${otherSuccessors(found, made, inLine)}`
    return `It does not supersede ${inLine(target)}${whyNot(made, target)}`
  })
}

/** Names the other successors, because a second successor is rarely intended. */
function otherSuccessors({ successors }: Decision, made: DecisionGetOutput, inLine: Superseding['inLine']): string {
  const others = successors.filter((id) => id !== made.id)
  return others.length === 0 ? '' : ` That decision already had a successor: ${others.map(inLine).join(', ')}.`
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

/** Whether the write recorded a new outcome. If it repeats the leading outcome, nothing is recorded. */
export function isOutcomeNew({ outcomes }: DecisionGetOutput, { accepted_at }: { accepted_at: string }): boolean {
  const { items, count } = outcomes
  return items.length < count || items.some(({ recorded_at }) => recorded_at === accepted_at)
}
