/** Finds options that are judged one by one below the decision: `### A rope (Rejected)`, `### A chain (Accepted)`. */
import { optionPrefix } from './dictionary.ts'
import type { Section } from './headings.ts'

/** Words that mean nothing but the option that was chosen. */
export const selected =
  '(?:selected|chosen|picked|our choice|gew[äa]hlt|retenue?|elegid[oa]|escolhid[oa])(?: (?:option|solution|approach|alternative))?'
const verdicts = {
  chosen: 'accepted|adopted|approved|angenommen|acceptée?|aceptad[oa]|aprobad[oa]',
  other:
    'rejected|declined|discarded|dismissed|not (?:accepted|chosen|selected)|evaluating|under evaluation|verworfen|abgelehnt|rejetée?|écartée?|rechazad[oa]|descartad[oa]',
}
const atEnd = (words: string) => new RegExp(`\\s*[([（](?:${words})[)\\]）]\\s*$`, 'iu')
const [chosen, other] = [atEnd(`${selected}|${verdicts.chosen}`), atEnd(verdicts.other)]
const onlyChosen = atEnd(selected)

export const isJudged = (heading: string): boolean => chosen.test(heading) || other.test(heading)

/** `A rope` for `A rope (Rejected)`. */
export const withoutVerdict = (heading: string): string => heading.replace(chosen, '').replace(other, '')

/** The subsections of a decision that name the options chosen there. */
export function isChosen({ kind, parent, heading }: Section): boolean {
  return kind === null && parent?.kind === 'decision' && chosen.test(heading)
}

/** Options that were not chosen are no part of the decision: their sections get the kind `option`. */
export function nameJudged(headings: readonly Section[]): void {
  const judged = headings.filter(
    ({ kind, parent, heading }) => kind === null && parent?.kind === 'decision' && isJudged(heading),
  )
  if (judged.length < 2) return
  for (const section of judged) if (other.test(section.heading)) section.kind = 'option'
}

/** `Option 2 ✅`: the option that was chosen, if no other one has a tick. */
export const tick = /\s*[✅✔☑]\uFE0F?\s*$/u
const cross = /\s*[❌✖✗✘🚫]\uFE0F?\s*$/u

export const withoutTick = (heading: string): string => heading.replace(tick, '').replace(cross, '')

/** If one of the options below the decision has a tick, the other options are no part of the decision. */
export function nameTicked(headings: readonly Section[]): void {
  for (const decision of headings.filter(({ kind }) => kind === 'decision').slice(0, mostMarked)) {
    const inside = headings.filter(({ kind, parent }) => kind === null && parent === decision)
    const others = inside.filter(({ heading }) => !tick.test(heading))
    const areOptions = others.every(({ heading }) => cross.test(heading) || optionPrefix.test(heading))
    if (inside.length - others.length === 1 && areOptions) for (const one of others) one.kind = 'option'
  }
}

/**
 * Options without a section for them: `### A rope (selected)`, and beside it `### A chain (rejected)`, or `### A chain` if
 * the section around them has no subsections of another kind.
 */
export function nameSelected(headings: readonly Section[]): void {
  const marked = headings.filter(
    ({ kind, parent, heading }) =>
      kind === null && mayHoldOptions.has(parent?.kind ?? null) && onlyChosen.test(heading),
  )
  for (const { parent, level } of marked.slice(0, mostMarked)) {
    const beside = headings.filter((one) => one.parent === parent && one.level === level)
    const areAll =
      parent !== null && beside.length > 1 && beside.every(({ kind }) => kind === null || kind === 'option')
    for (const one of beside) if (one.kind === null && (areAll || isJudged(one.heading))) one.kind = 'option'
  }
}

const mostMarked = 10
const mayHoldOptions: ReadonlySet<Section['kind']> = new Set(['context', null])
