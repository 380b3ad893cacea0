/** What indexing needs, and how much it does at once. */
import type { ConnectedRepository } from '../../../config/operator/repository-settings.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CodeParser } from '../../ports/code-parser.ts'
import type { Mirrors } from '../../ports/mirrors.ts'
import type { CodeRepository } from '../stored/repository.ts'
import type { CodeStore } from '../stored/store.ts'

export interface IndexingPorts extends CodeStore {
  mirrors: Mirrors
  parser: CodeParser
  clock: Clock
}

/** One attempt to index a commit. Only the attempt with the newest generation can be published. */
export interface Attempt {
  repository: CodeRepository
  connected: ConnectedRepository
  generation: number
  /** true: written from nothing, so earlier generations no longer count once it is published. */
  isWhole: boolean
  signal: AbortSignal
}

/** ms. A worker that died holds the repository so long. It must exceed the time of `parsedAtOnce` files in the parser. */
export const claimedFor = 120_000

/** Files whose rows and documents are written together. */
export const filesAtOnce = 100

/** Then the repository is written from nothing, so that `published` and its dead rows stay bounded. */
export const mostPublished = 200
