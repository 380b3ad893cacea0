/** Every collection of the store: what `declare` makes at start, and what the tests of declared indexes walk. */
import { keys } from './access/keys.ts'
import { settings } from './access/settings.ts'
import { workspaces } from './access/workspaces.ts'
import { checkpoints, entries, links } from './journal/entry.ts'
import type { Collection } from './ports/documents.ts'
import { receipts } from './receipts/receipt.ts'
import { records } from './records/record.ts'
import { sourceKeys } from './records/source-keys.ts'

export const collections = [
  settings,
  workspaces,
  keys,
  receipts,
  entries,
  records,
  sourceKeys,
  links,
  checkpoints,
] as unknown as readonly Collection<never>[]
