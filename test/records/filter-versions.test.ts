import { expect, it } from 'vitest'
import type { WorkspaceId } from '../../src/ids.ts'
import type { SearchFilter } from '../../src/ports/search.ts'
import { analysisNeededBy } from '../../src/records/filter-versions.ts'
import { searchDocumentOf } from '../../src/records/search-document.ts'
import { anyTask } from '../../src/records/task.ts'
import { analysisVersion } from '../../src/text/version.ts'
import { fixedRecords } from '../support/fixed-texts.ts'

const filter: SearchFilter = { workspace: 'acme' as WorkspaceId, audiences: ['workspace'] }

it('a search that every version can answer needs none in particular', () => {
  expect(analysisNeededBy(filter)).toBe(0)
  expect(analysisNeededBy({ ...filter, tags: [['status:accepted']], category: 'security' })).toBe(0)
})

it('says of every tag of a search document since which version documents have it', async () => {
  // no search asks for the tag that every task has
  const documents = await Promise.all(fixedRecords.map((record) => searchDocumentOf(record)))
  const tags = documents.flatMap((document) => document.tags).filter((tag) => tag !== anyTask)
  expect(tags.length).toBeGreaterThan(5)
  for (const tag of tags) {
    for (const asked of [{ tags: [[tag]] }, { except: { tag, as_of: '2026-01-01T00:00:00.000Z' } }]) {
      const needed = analysisNeededBy({ ...filter, ...asked })
      expect(Number.isInteger(needed) && needed <= analysisVersion, tag).toBe(true)
    }
  }
})

it('asks for the run state of tasks only of documents that have it', () => {
  expect(analysisNeededBy({ ...filter, tags: [['run_state:none', 'run_state:failed']] })).toBe(4)
  expect(analysisNeededBy({ ...filter, tags: [['status:todo'], ['label:x']] })).toBe(0)
})
