/**
 * A store that records the shape of its queries and the number of results: everything that a caller could learn from
 * timing.
 */
import type { Documents } from '../../src/ports/documents.ts'

export interface Noted {
  /** The real store, after the service has opened it. */
  documents: Documents
  around(documents: Documents): Documents
  /**
   * The queries during `work`, sorted: method, collection, fields of the conditions, and number of documents. Repeats
   * the work until the list stays at its shortest, because the queries of workers come and go.
   */
  during(work: () => Promise<unknown>): Promise<string[]>
}

const runsAtMost = 40
/** The list must be the same this many times in a row, without a shorter one. */
const runsAlike = 4
const methods = ['get', 'find', 'count', 'insert', 'insertMany', 'update', 'updateMany', 'delete'] as const

export function noted(): Noted {
  let notes: string[] = []
  const self: Noted = {
    documents: undefined as unknown as Documents,
    around(documents) {
      self.documents = documents
      const noting = methods.map((method) => {
        const asked = documents[method] as (...all: unknown[]) => Promise<unknown>
        return [
          method,
          async (...all: unknown[]) => {
            const answer = await asked.apply(documents, all)
            notes.push(`${method} ${shapeOf(method, all)}: ${countOf(answer)}`)
            return answer
          },
        ] as const
      })
      return { ...documents, ...Object.fromEntries(noting) }
    },
    async during(work) {
      let shortest: string[] | undefined
      for (let run = 0, alike = 0; run < runsAtMost && alike < runsAlike; run++) {
        notes = []
        await work()
        const sorted = notes.sort()
        if (shortest === undefined || sorted.length < shortest.length) {
          shortest = sorted
          alike = 0
        }
        if (String(sorted) === String(shortest)) alike += 1
      }
      return shortest as string[]
    },
  }
  return self
}

function shapeOf(method: string, [collection, ...asked]: unknown[]): string {
  const { name } = collection as { name: string }
  if (method === 'get') return `${name} ${JSON.stringify([asked[1], conditionsIn(asked[2])])}`
  if (method !== 'find' && method !== 'count') return name
  const { where, ...rest } = asked[0] as { where: object }
  return `${name} ${JSON.stringify([conditionsIn(where), rest])}`
}

/** The field and kind of each condition, without values. */
function conditionsIn(where: unknown): string[] {
  return Object.entries((where ?? {}) as Record<string, unknown>).map(([field, wanted]) => {
    if (wanted === null || typeof wanted !== 'object') return field
    return `${field} ${Object.entries(wanted).map(([kind, value]) => (Array.isArray(value) ? `${kind} ${value.length}` : kind))}`
  })
}

function countOf(answer: unknown): string {
  if (Array.isArray(answer)) return String(answer.length)
  return typeof answer === 'object' && answer !== null ? 'one' : String(answer)
}
