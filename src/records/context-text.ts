/** The context of a decision as one text, for search and for the `context` field of answers. */
import type { DecisionContext } from './body.ts'

export function contextText(context: string | DecisionContext | null): string {
  if (context === null || typeof context === 'string') return context ?? ''
  const list = (title: string, items: readonly string[] = []) =>
    items.length === 0 ? [] : [`${title}:\n${items.map((item) => `- ${item}`).join('\n')}`]
  return [
    ...(context.summary ? [context.summary] : []),
    ...list('Constraints', context.constraints),
    ...list(
      'Alternatives',
      context.alternatives?.map(({ title, why_not }) => (why_not ? `${title}: ${why_not}` : title)),
    ),
    ...list('Assumptions', context.assumptions),
  ].join('\n\n')
}
