import { expect, it } from 'vitest'
import { parseAdr } from '../../src/import/adr/parse.ts'

const rationaleOf = (status: string) => {
  return parseAdr(`# 3. The journal\n\n## Status\n\n${status}\n\n## Decision\n\nWe append.\n`).parts.rationale
}

it('a full stop after a number in the text of a link, such as “2. A lock”, ends no sentence of the status', () => {
  expect(rationaleOf('Accepted\n\nSupersedes [2. A lock for each workspace](0002-locks.md)')).toBe('')
})

it('a sentence after a link belongs to the status', () => {
  const status = 'Supersedes [2. A lock](0002-locks.md). Accepted by the team after a trial of some weeks in spring.'
  expect(rationaleOf(status)).toBe('Status: Accepted by the team after a trial of some weeks in spring.')
})

it('in a German status, “Ersetzt → [ADR-16]” is superseded, and “ersetzt [ADR-3]” supersedes', () => {
  const relationsOf = (status: string) =>
    parseAdr(`# 3. The journal\n\n## Status\n\n${status}\n\n## Decision\n\nWe append.\n`).relations.map(
      ({ kind, target }) => [kind, target.url],
    )
  expect(relationsOf('Ersetzt → [ADR-16](0016-x.md)')).toEqual([['superseded_by', '0016-x.md']])
  expect(relationsOf('Akzeptiert, ersetzt [ADR-3](0003-x.md)')).toEqual([['supersedes', '0003-x.md']])
})

it.each([
  ['Superseded by ADR-5 except for queues', 'amended_by'],
  ['Superseded by [ADR-5](0005-x.md) with regard to queues', 'amended_by'],
  ['Mostly superseded by ADR-5', 'amended_by'],
  ['Accepted, queue choice superseded by ADR-5', 'amended_by'],
  ['Accepted. Queue choice superseded by ADR-5.', 'amended_by'],
  ['Accepted; superseded by ADR-5', 'superseded_by'],
  ['Accepted, then superseded by ADR-5', 'superseded_by'],
  ['Accepted on 2 May, superseded by ADR-5 because it failed', 'superseded_by'],
])('the status “%s” is read as %s', (status, kind) => {
  const { relations } = parseAdr(`# 3. The journal\n\n## Status\n\n${status}\n\n## Decision\n\nWe append.\n`)
  expect(relations.map((one) => one.kind)).toEqual([kind])
})

it.each([
  ['[ADR-3](3.md) regarding queues', 'amends'],
  ['[ADR-3](3.md), decision 2', 'amends'],
  ['[ADR-3](3.md), except the queue', 'amends'],
  ['[ADR-3](3.md) where it requires queues', 'amends'],
  ['ADR-3 Use one queue', 'supersedes'],
  ['ADR-3 because queues are slow', 'supersedes'],
])('“Supersedes: %s” is read as %s', (value, kind) => {
  const head = '- Status: Accepted\n- Date: 2024-01-02'
  const { relations } = parseAdr(`# 5. Files\n\n${head}\n- Supersedes: ${value}\n\n## Decision\n\nWe append.\n`)
  expect(relations.map((one) => one.kind)).toEqual([kind])
})
