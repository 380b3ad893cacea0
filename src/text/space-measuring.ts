/** The vector space of the embedder, measured once in each process, and again if the embedder has changed. */
import { type Embedder, embedWithin } from '../ports/embedder.ts'
import { isWell, measureSpace, type Space } from './space.ts'

export interface Measuring {
  /** undefined: not measured yet. */
  known(): Space | undefined
  /** Measures the space if it is not known. Rejects with EmbedderUnavailable. */
  measure(): Promise<Space>
  /** Whether the embedder still accepts a known text; if so, a refused text is itself the cause. Never rejects. */
  isWell(): Promise<boolean>
  /** Call it if vectors don't fit the space any more: it will be measured again. */
  forget(): void
}

/** ms. A local endpoint may have to load its model first. */
const measuredWithin = 60_000
/** ms for one short text. */
const wellWithin = 15_000

export function measuring(embedder: Embedder, stopping: AbortSignal): Measuring {
  const within = (ms: number) => (texts: readonly string[]) => embedWithin({ embedder, stopping }, ms, 'record', texts)
  let space: Space | undefined
  let asked: Promise<Space> | undefined
  return {
    known: () => space,
    measure() {
      if (space !== undefined) return Promise.resolve(space)
      asked ??= measureSpace(embedder.model, within(measuredWithin))
        .then((measured) => {
          space = measured
          return measured
        })
        .finally(() => {
          asked = undefined
        })
      return asked
    },
    async isWell() {
      return space !== undefined && isWell(within(wellWithin), space)
    },
    forget() {
      space = undefined
    },
  }
}
