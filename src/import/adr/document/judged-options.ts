/** Finds options that are judged one by one below the decision: `### A rope (Rejected)`, `### A chain (Accepted)`. */
import type { Section } from './headings.ts'

const verdicts = {
  chosen:
    'accepted|adopted|chosen|selected|approved|gewählt|angenommen|retenue?|acceptée?|elegid[oa]|aceptad[oa]|aprobad[oa]',
  other:
    'rejected|declined|discarded|dismissed|not (?:accepted|chosen|selected)|evaluating|under evaluation|verworfen|abgelehnt|rejetée?|écartée?|rechazad[oa]|descartad[oa]',
}
const atEnd = (words: string) => new RegExp(`\\s*[([（](?:${words})[)\\]）]\\s*$`, 'iu')
const [chosen, other] = [atEnd(verdicts.chosen), atEnd(verdicts.other)]

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
