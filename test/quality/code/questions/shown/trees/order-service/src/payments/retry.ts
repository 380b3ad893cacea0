export interface Attempt {
  number: number
  declineCode: string
}

const final = new Set(['stolen_card', 'closed_account', 'fraud'])

/** Seconds until the card is charged again, or undefined when we give up for good. */
export function nextDelay(attempt: Attempt, maxAttempts: number, first: number): number | undefined {
  if (final.has(attempt.declineCode) || attempt.number >= maxAttempts) return undefined
  return first * 2 ** (attempt.number - 1)
}
