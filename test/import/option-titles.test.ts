import { expect, it } from 'vitest'
import { parseAdr } from '../../src/import/adr/parse.ts'

function titlesOf(...items: string[]): string[] {
  const list = items.map((item) => `* ${item}\n`).join('')
  return parseAdr(`# Name things\n\n## Considered Options\n\n${list}`).options.map(({ title }) => title)
}

it('marks and quotes are removed around the title of an option, but not within it', () => {
  expect(titlesOf('"Decision record"', '“Log”', "'Note'", '✅ Diary', '[ ] Book', '[x] Wiki:', '“"Page"”')).toEqual([
    'Decision record',
    'Log',
    'Note',
    'Diary',
    'Book',
    'Wiki',
    'Page',
  ])
  expect(
    titlesOf('Name it "record"', '"Record" or "log"', 'Keep [drafts]', 'As of the users’ own', "The users'"),
  ).toEqual(['Name it "record"', '"Record" or "log"', 'Keep [drafts]', 'As of the users’ own', "The users'"])
  expect(titlesOf('"Half', 'a mark”', '[Open')).toEqual(['Half', 'a mark', 'Open'])
})
