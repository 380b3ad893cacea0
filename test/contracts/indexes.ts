/** Creates indexes for a test suite, and drops them afterwards. */
import { afterAll, expect } from 'vitest'
import type { WorkspaceId } from '../../src/ids.ts'
import type { SearchDocument, SearchEngine } from '../../src/ports/search.ts'

export const workspace = 'acme' as WorkspaceId

export interface Indexes {
  /** Creates an index with these documents. */
  indexOf(...documents: SearchDocument[]): Promise<string>
  show(index: string, ...documents: SearchDocument[]): Promise<void>
}

/** Call it inside `describe`, after the hook that closes the engine. `prefix`: for the names of the indexes. */
export function indexesIn(engine: () => SearchEngine, prefix: string): Indexes {
  const made: string[] = []
  afterAll(async () => {
    for (const index of made) await engine().drop(index)
  })

  async function show(index: string, ...documents: SearchDocument[]): Promise<void> {
    expect(await engine().upsert(index, documents)).toEqual({ reduced: [] })
    await engine().refresh(index, workspace, { epoch: 'first', sequence: 1 })
  }
  return {
    async indexOf(...documents) {
      const index = `${prefix}-${process.pid}-${made.length + 1}`
      made.push(index)
      await engine().create(index)
      await show(index, ...documents)
      return index
    },
    show,
  }
}
