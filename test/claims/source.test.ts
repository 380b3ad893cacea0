import { expect, it } from 'vitest'
import { sourceOf } from '../../src/claims/source.ts'

const row = (text: string, memory_kind: string) => ({
  kind: 'memory',
  title: '',
  text,
  body: { memory_kind },
  mutable: {},
})
const assertedBy = (text: string, memory_kind = 'session_outcome') =>
  sourceOf(row(text, memory_kind) as never)
    .text.replace(/\s+/g, ' ')
    .trim()

it.each([
  ['The upload works. Left: retries after 06:00. Next: switch the job.', 'The upload works.'],
  ['Left: fix the count. It is off by one.\n\nThe limit is in the model.', 'The limit is in the model.'],
  ['Not done yet: the gates. Done: the kiosks have the new list.', 'Done: the kiosks have the new list.'],
  [
    'The gates are done.\n\n**To do:**\n- the kiosks\n- the app\n\nNobody was paged.',
    'The gates are done. Nobody was paged.',
  ],
  ['- Rosters run.\n- Still to do: the holidays.\n- Cause: a lock.', '- Rosters run. - Cause: a lock.'],
  ['The next train: 06:00. What is left: nothing.', 'The next train: 06:00. What is left: nothing.'],
])('a report does not assert what it says is left to do: %s', (text, asserted) => {
  expect(assertedBy(text)).toBe(asserted)
  expect(assertedBy(text, 'fact')).toBe(text.replace(/\s+/g, ' '))
})
