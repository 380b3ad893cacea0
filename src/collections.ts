/** Every collection of the store. `declare` creates them at the start. */
import { keys } from './access/keys.ts'
import { settings } from './access/settings.ts'
import { workspaces } from './access/workspaces.ts'
import { embedded } from './embedding/embedded.ts'
import { rebuilds } from './indexing/rebuilds.ts'
import { checkpoints, comparisons } from './journal/checkpoint.ts'
import { entries } from './journal/entry.ts'
import type { AnyCollection } from './ports/documents.ts'
import { projections } from './projections.ts'
import { subjectKeys } from './questions/compare/subject-keys.ts'
import { receipts } from './receipt.ts'

const all: readonly AnyCollection[] = [
  settings,
  workspaces,
  keys,
  receipts,
  entries,
  // records, and the other collections that are derived from entries
  ...projections.flatMap(({ writes }) => writes),
  checkpoints,
  rebuilds,
  comparisons,
  embedded,
  subjectKeys,
]

/** Several projections may write one collection. */
export const collections: readonly AnyCollection[] = [...new Set(all)]
