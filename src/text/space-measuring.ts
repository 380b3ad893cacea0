/** The space of the embedder that is in use: measured once a process, again when it turns out to be another. */
import { type Embedder, embedWithin } from '../ports/embedder.ts'
import { isWell, measureSpace, type Space } from './space.ts'

export interface Measuring {
  /** undefined: not measured yet. */
  known(): Space | undefined
  /** Measures where it is not known; rejects with EmbedderUnavailable. */
  measure(): Promise<Space>
  /**
   * Whether the embedder takes what it took before: then a text that it refuses is the reason, and not it. Never
   * rejects.
   */
  isWell(): Promise<boolean>
  /** Its vectors are not what they were: measure again. */
  forget(): void
}

/** ms. A local endpoint may have its model still to load. */
const measuredWithin = 60_000
/** ms, for one short text. */
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
