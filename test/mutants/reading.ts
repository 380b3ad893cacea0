/** Mutants of sync, of the cache of briefs, and of the checks at start (PROTOCOL 5). */
import type { Mutant } from './mutant.ts'
import { inJournal } from './test-files.ts'

export const reading: readonly Mutant[] = [
  {
    rule: 'PROTOCOL 5, sync: checkpoint.projected is read before the rows',
    file: 'src/context/sync.ts',
    find: `    const projected = await projectedBeyond(place.beyond, actor, reads)
    const reader = recordReader(reads.documents, actor, reads.clock)
    const rows = await rowsAfter(place.position, input.limit + 1, reader, reads)
`,
    replace: `    const reader = recordReader(reads.documents, actor, reads.clock)
    const rows = await rowsAfter(place.position, input.limit + 1, reader, reads)
    const projected = await projectedBeyond(place.beyond, actor, reads)
`,
    killedBy: ['test/context/sync.test.ts'],
  },
  {
    rule: 'PROTOCOL 5, sync: safe stays the same for the rest of the pass',
    file: 'src/context/sync.ts',
    find: 'clean ? Math.min(position, projected) : place.safe',
    replace: 'clean || !more ? Math.min(position, projected) : place.safe',
    killedBy: ['test/context/sync.test.ts'],
  },
  {
    rule: 'PROTOCOL 5, sync: a page beyond its S sets safe to that S',
    file: 'src/context/sync.ts',
    find: 'clean ? Math.min(position, projected) : place.safe',
    replace: 'clean ? position : place.safe',
    killedBy: ['test/context/sync.test.ts'],
  },
  {
    rule: 'PROTOCOL 5, sync: a new pass starts at safe',
    file: 'src/context/sync.ts',
    find: 'return { next: { position: safe, safe, beyond: projected }, ended: false }',
    replace: 'return { next: { position, safe: position, beyond: projected }, ended: false }',
    killedBy: ['test/context/sync.test.ts'],
  },
  {
    rule: 'PROTOCOL 5, sync: a page is held for a second at most',
    file: 'src/context/sync.ts',
    find: 'const longestHold = 1_000',
    replace: 'const longestHold = 0',
    killedBy: ['test/context/sync.test.ts'],
  },
  {
    rule: 'PROTOCOL 5, sync: a page begins after its position',
    file: 'src/context/sync.ts',
    find: 'seq: { gt: position }',
    replace: 'seq: { gt: position + 1 }',
    killedBy: ['test/context/sync.test.ts'],
  },
  {
    rule: 'PROTOCOL 5: start refuses records beyond the last sequence of the journal',
    file: 'src/journal/maintenance/intact.ts',
    find: 'Math.max(newest?.seq ?? 0, projected_seq)',
    replace: 'projected_seq + 0 * (newest?.seq ?? 0)',
    killedBy: inJournal('intact'),
  },
  {
    rule: 'PROTOCOL 5: start refuses a checkpoint beyond the last sequence of the journal',
    file: 'src/journal/maintenance/intact.ts',
    find: 'Math.max(newest?.seq ?? 0, projected_seq)',
    replace: '(newest?.seq ?? 0) + 0 * projected_seq',
    killedBy: inJournal('intact'),
  },
  {
    rule: 'PROTOCOL 5: start refuses a restore that has not ended',
    file: 'src/journal/maintenance/intact.ts',
    find: '  await assertRestored(documents)\n',
    replace: '',
    killedBy: inJournal('intact'),
  },
  {
    rule: 'PROTOCOL 5, brief: a brief is cached only if the index has all visible records',
    file: 'src/context/brief/brief.ts',
    find: 'visible_seq > Math.min(projected_seq, indexed_seq)',
    replace: 'visible_seq > projected_seq',
    killedBy: ['test/context/brief/cache.test.ts'],
  },
  {
    rule: 'PROTOCOL 5, brief: the cache key includes the audiences',
    file: 'src/context/brief/brief.ts',
    find: 'audiencesOf(actor).sort(),',
    replace: 'audiencesOf(actor).length > 0,',
    killedBy: ['test/context/brief/cache.test.ts'],
  },
  {
    rule: 'PROTOCOL 3.5: a brief made without search is not cached',
    file: 'src/context/brief/brief.ts',
    find: 'const passing = failures.length > 0 || found.passing',
    replace: 'const passing = failures.length < 0 || found.passing',
    killedBy: ['test/context/brief/brief.test.ts'],
  },
  {
    rule: 'PROTOCOL 5, brief: the cache key includes the sequence',
    file: 'src/context/brief/brief.ts',
    find: 'limit, visible_seq, live]',
    replace: 'limit, live]',
    killedBy: ['test/context/brief/cache.test.ts'],
  },
  {
    rule: 'PROTOCOL 5, brief: no brief is cached past the next valid_from',
    file: 'src/context/brief/until.ts',
    find: '...(next ? [next.valid_from] : [])',
    replace: '...(next ? [] : [])',
    killedBy: ['test/context/brief/cache.test.ts'],
  },
  {
    rule: 'PROTOCOL 5, brief: no brief is cached past the next valid_to',
    file: 'src/context/brief/until.ts',
    find: 'valid_to > reader.now ? [valid_to] : []',
    replace: 'valid_to < reader.now ? [valid_to] : []',
    killedBy: ['test/context/brief/cache.test.ts'],
  },
  {
    rule: 'PROTOCOL 5, brief: a brief is cached for a minute at most',
    file: 'src/context/brief/until.ts',
    find: 'Date.parse(reader.now) + mostAge,',
    replace: 'Date.parse(reader.now) + 2 * mostAge,',
    killedBy: ['test/context/brief/cache.test.ts'],
  },
]
