/** Every collection of the store: what `declare` makes at start, and what the tests of declared indexes walk. */
import { keys } from './access/keys.ts'
import { settings } from './access/settings.ts'
import { workspaces } from './access/workspaces.ts'
import { comparisons } from './journal/compared.ts'
import { embedded } from './journal/embedded.ts'
import { checkpoints, entries, links } from './journal/entry.ts'
import { rebuilds } from './journal/rebuilds.ts'
import type { AnyCollection } from './ports/documents.ts'
import { subjectKeys } from './questions/subject-keys.ts'
import { receipts } from './receipts/receipt.ts'
import { questionLinks } from './records/question-links.ts'
import { records } from './records/record.ts'
import { sourceKeys } from './records/source-keys.ts'
import { supersededClaims } from './records/superseded-claims.ts'

export const collections: readonly AnyCollection[] = [
  settings,
  workspaces,
  keys,
  receipts,
  entries,
  records,
  sourceKeys,
  questionLinks,
  supersededClaims,
  links,
  checkpoints,
  rebuilds,
  comparisons,
  embedded,
  subjectKeys,
]
