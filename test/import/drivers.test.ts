import { expect, it } from 'vitest'
import { parseAdr } from '../../src/import/adr/parse.ts'

const drivers =
  '## Decision Drivers\n\n* Few pages\n* No mail\n\nA list on paper was left out, because rain ruins it.\n'

it('the text beside the list of drivers is kept', () => {
  const { drivers: found, parts } = parseAdr(`# 1. Ideas\n\n${drivers}\n## Decision\n\nIdeas stand in one list.\n`)
  expect(found).toEqual(['Few pages', 'No mail'])
  expect(parts.links).toBe('A list on paper was left out, because rain ruins it.')
  expect(parts.decision).toBe('Ideas stand in one list.')
})

it.each([drivers, drivers.replace(/\n\nA list.*/s, '\n')])(
  'drivers do not hide a decision above the first section',
  (section) => {
    const { parts } = parseAdr(
      `# 1. Ideas\n\nWe decided on one list.\n\n${section}\n## Considered Options\n\n* One list\n* Two\n`,
    )
    expect(parts.lead).toBe('We decided on one list.')
  },
)
