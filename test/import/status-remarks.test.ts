import { expect, it } from 'vitest'
import { parseAdr } from '../../src/import/adr/parse.ts'

const partsOf = (status: string) => {
  return parseAdr(`# 3. The journal\n\n## Status\n\n${status}\n\n## Decision\n\nWe append.\n`).parts
}

it('a full stop after a number in the text of a link, such as “2. A lock”, ends no sentence of the status', () => {
  const { rationale, links } = partsOf('Accepted\n\nSupersedes [2. A lock for each workspace](0002-locks.md)')
  expect([rationale, links]).toEqual(['', ''])
})

it('a sentence after a link belongs to the status', () => {
  const status = 'Supersedes [2. A lock](0002-locks.md). Accepted by the team after a trial of some weeks in spring.'
  expect(partsOf(status).links).toBe('Status: Accepted by the team after a trial of some weeks in spring.')
})

it.each([
  ['Accepted (lazy consensus), implemented in the spring', ''],
  ['Accepted because the mail server loses every tenth message', 'rationale'],
  ['Accepted after a long talk\n\nThe trial was repeated because it rained.', ''],
  ['Rejected\n\nThe trial was too dear.', 'rationale'],
  ['Rejected (see [ADR 5](0005-the-other-journal-of-this-team.md))', ''],
  ['Proposed\n\nNot implemented yet.', ''],
])('the remark of the status “%s” is a reason: “%s”', (status, where) => {
  const { rationale, links } = partsOf(status)
  expect(rationale !== '' ? 'rationale' : '').toBe(where)
  expect(rationale + links).toContain('Status: ')
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

it.each([
  ['Akzeptiert. Ersetzt durch ADR-9, dann durch ADR-11.', ['superseded_by 9', 'superseded_by 11']],
  ["Remplacée par l'ADR-9, puis par [l'ADR-11](11.md)", ['superseded_by 9', 'superseded_by 11']],
  ['Replaced by ADR-9, then by ADR-11', ['superseded_by 9', 'superseded_by 11']],
  ['Accepted. Supersedes ADR-7 and the retry model of ADR-8.', ['supersedes 7', 'amends 8']],
  ['Accepté. Remplace [ADR-7](7.md) et le modèle `Quai` / `Rampe` de [l’ADR-8](8.md).', ['supersedes 7', 'amends 8']],
  ['Accepted. Supersedes ADR-7, and the retry model of ADR-8 stays as it is.', ['supersedes 7']],
  ['Accepted. Supersedes ADR-7 and builds on the store of ADR-8.', ['supersedes 7']],
  ["Accepté — étendu aux files par l'ADR-9", ['amended_by 9']],
  ['Accepted, extended to queues by ADR-9', ['amended_by 9']],
  ['Accepté. Précise le contrat de [ADR-13](13.md).', ['amends 13']],
  ['Accepté, précisé le 3 mai par [ADR-13](13.md)', []],
  ['Accepted. More precise [ADR-13](13.md) numbers come later.', []],
  ['Accepté — remplace ADR-2 et précise les quais (`ouest`) dans [ADR-13](13.md).', ['supersedes 2']],
  ['Accepté. Remplace la règle « un quai » de l’ADR-2.', ['amends 2']],
])('the status “%s” gives %j', (status, expected) => {
  const { relations } = parseAdr(`# 20. The journal\n\n## Status\n\n${status}\n\n## Decision\n\nWe append.\n`)
  expect(relations.map(({ kind, target }) => `${kind} ${/\d+/.exec(target.text)?.[0]}`)).toEqual(expected)
})

it.each([
  ['superseded', 'The old harbour is superseded by [ADR-5](0005-x.md). The rest stays.', ['superseded_by']],
  ['superseded', 'The old harbour is superseded by a larger one.', []],
  ['accepted', 'The old harbour is superseded by [ADR-5](0005-x.md). The rest stays.', []],
])('with the status “%s”, the first paragraph “%s” gives %j', (status, first, expected) => {
  const { relations } = parseAdr(`---\nstatus: ${status}\n---\n\n# The journal\n\n${first}\n\nWe append.\n`)
  expect(relations.map(({ kind }) => kind)).toEqual(expected)
})

it('a label that says which part is superseded names no successor of the whole record', () => {
  const { relations } = parseAdr(
    '# Le quai\n\nStatut : remplacé par l’ADR-3 pour les trains. Le reste est en vigueur.\n\nOn ferme.\n',
  )
  expect(relations.map(({ kind }) => kind)).toEqual(['amended_by'])
})
