/** The texts of results, for clients that show text only. */
import { expect, it } from 'vitest'
import { searchText } from '../../src/mcp/base/text.ts'

it('a hit does not repeat the title with which its passage begins', () => {
  const hit = (title: string, snippet: string) => {
    const source = { type: 'memory', id: 'a', provenance: { class: 'external' as const } }
    return searchText({ items: [{ id: 'a', title, snippet, source }], conflicts: [], open_questions: [] })
  }
  const passage = 'Payments run through Stripe. Refunds need two approvals.'
  expect(hit('Payments run through Stripe.', passage)).toBe(`1. ${passage} (memory, a)`)
  expect(hit('Payments', 'Stripe it is.')).toBe('1. Payments: Stripe it is. (memory, a)')
})
