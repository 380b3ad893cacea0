/** Every collection of the store. `declare` creates them at the start. */
import { keys } from './access/keys.ts'
import { sessionKeys } from './access/session-keys.ts'
import { settings } from './access/settings.ts'
import { workspaces } from './access/workspaces.ts'
import { embedded } from './embedding/embedded.ts'
import { rebuilds } from './indexing/rebuilds.ts'
import { checkpoints, comparisons } from './journal/checkpoint.ts'
import { entries } from './journal/entry.ts'
import type { AnyCollection } from './ports/documents.ts'
import { projections } from './projections.ts'
import { verdicts } from './questions/compare/ask-judge.ts'
import { comparedAudiences } from './questions/compare/candidates.ts'
import { receipts } from './receipt.ts'
import { policies } from './runs/deciding/rules.ts'
import { milestones } from './runs/stored/milestone.ts'
import { runners } from './runs/stored/runner.ts'
import { sessions } from './runs/stored/session.ts'

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
  comparedAudiences,
  verdicts,
  policies,
  runners,
  sessions,
  milestones,
  sessionKeys,
]

/** Several projections may write one collection. */
export const collections: readonly AnyCollection[] = [...new Set(all)]
