/**
 * Documents of further collections that outcomes carry: the stored documents at head, overlaid with those of the entry
 * being built.
 */
import assert from 'node:assert/strict'
import type { DocumentLookup } from '../deciding/state-at-head.ts'
import type { WorkspaceId } from '../ids.ts'
import type { Collection, Documents, Scalar, Where } from '../ports/documents.ts'
import type {
  DocumentName,
  DocumentsByName,
  Drafts,
  EntryCollection,
  EntryDocument,
} from '../records/entry-documents.ts'
import type { Projection } from '../records/projections/projection.ts'
import { lookupCache, mostRows } from './lookup-cache.ts'

export type Collections = ReadonlyMap<string, EntryCollection>

export function collectionsOf(projections: readonly Projection[]): Collections {
  return new Map(projections.flatMap(({ carries }) => (carries ? [[carries.name, carries] as const] : [])))
}

/** What the entry adds to a draft. */
type Stamp = Pick<EntryDocument, 'workspace' | 'entry'>
type Draft = Omit<EntryDocument, keyof Stamp>

export function carriedDocuments(collections: Collections, stamp: Stamp) {
  const carried = new Map<DocumentName, Map<string, EntryDocument>>()
  return {
    /** Returns the documents of one outcome as the entry has them. */
    add(drafts: Drafts): DocumentsByName {
      const added: [string, EntryDocument[]][] = []
      for (const [key, some] of Object.entries(drafts)) {
        const name = key as DocumentName
        const byId = carried.get(name) ?? new Map<string, EntryDocument>()
        carried.set(name, byId)
        const documents = (some as readonly Draft[]).map((draft) => ({ ...draft, ...stamp }))
        for (const one of documents) {
          if (collections.get(name)?.keeps === 'newest' || !byId.has(one.id)) byId.set(one.id, one)
        }
        added.push([name, documents])
      }
      // each list holds documents of the type that belongs to its name
      return Object.fromEntries(added) as DocumentsByName
    },
    /** One document of each id. */
    all(): DocumentsByName {
      const lists = [...carried].flatMap(([name, byId]) => (byId.size > 0 ? [[name, [...byId.values()]] as const] : []))
      return Object.fromEntries(lists) as DocumentsByName
    },
  }
}

/** Finds documents by the value of one field. */
type Cache = ReturnType<typeof lookupCache<EntryDocument>>

interface Known {
  of: EntryCollection
  byId: Map<string, EntryDocument>
  byField: Map<string, Cache>
}

export interface DocumentsAtHead {
  find(lookup: DocumentLookup): Promise<EntryDocument[]>
  /** Reads what the look-ups need, with one query for each field. */
  prefetch(lookups: readonly DocumentLookup[]): Promise<void>
  overlay(changed: DocumentsByName): void
}

export function documentsAtHead(
  documents: Documents,
  workspace: WorkspaceId,
  collections: Collections,
): DocumentsAtHead {
  const byName = new Map<string, Known>()

  function knownOf(name: string): Known {
    const of = collections.get(name)
    assert(of, `no projection writes ${name}`)
    const known = byName.get(name) ?? {
      of,
      byId: new Map(),
      byField: new Map(Object.keys(of.lookups ?? {}).map((field) => [field, lookupCache<EntryDocument>()])),
    }
    byName.set(name, known)
    return known
  }
  function cacheOf({ of, byField }: Known, field: string): Cache {
    const cache = byField.get(field)
    assert(cache, `${of.name} has no look-up by ${field}`)
    return cache
  }

  async function load({ of, byId }: Known, field: string, value: Scalar | { in: Scalar[] }): Promise<EntryDocument[]> {
    const others = Object.entries(conditionsOf(of, field)).map(([other, values]) => [other, { in: values }])
    const found = await documents.find(of.collection as unknown as Collection<EntryDocument>, {
      where: { ...Object.fromEntries(others), workspace, [field]: value } as Where<EntryDocument>,
      limit: mostRows,
    })
    return found.map((one) => {
      // the overlaid version of a stored document, if there is one
      const known = byId.get(one.id) ?? one
      byId.set(one.id, known)
      return known
    })
  }

  return {
    async find({ name, field, value }) {
      const known = knownOf(name)
      const found = await cacheOf(known, field).get(value, () => load(known, field, value))
      // after a change by the entry being built, a document may not match the look-up any more
      const conditions = Object.entries({ ...conditionsOf(known.of, field), [field]: [value] })
      return found.filter((one) => conditions.every(([other, values]) => values.includes(fieldOf(one, other))))
    },
    async prefetch(lookups) {
      const wanted = new Map<string, { name: string; field: string; values: Set<string> }>()
      for (const { name, field, value } of lookups) {
        const key = `${name} ${field}`
        const one = wanted.get(key) ?? { name, field, values: new Set() }
        wanted.set(key, one)
        one.values.add(value)
      }
      for (const { name, field, values: all } of wanted.values()) {
        const known = knownOf(name)
        const values = [...all]
        await cacheOf(known, field).fill(
          values,
          () => load(known, field, { in: values }),
          (one) => fieldOf(one, field),
        )
      }
    },
    overlay(changed) {
      for (const [name, drafts] of Object.entries(changed)) {
        const { of, byId, byField } = knownOf(name)
        for (const draft of drafts as EntryDocument[]) {
          const before = byId.get(draft.id)
          if (before && of.keeps === 'once') continue
          // all caches share this object, so each shows the change. A copy, because later changes must not reach the entry
          const one = Object.assign(before ?? {}, draft)
          byId.set(one.id, one)
          for (const [field, cache] of byField) cache.add(fieldOf(one, field), one)
        }
      }
    },
  }
}

/** A field by which documents are looked up holds a string. */
function fieldOf(document: EntryDocument, field: string): string {
  return (document as unknown as Record<string, string>)[field] as string
}

function conditionsOf({ lookups }: EntryCollection, field: string): Readonly<Record<string, readonly string[]>> {
  return (lookups as Record<string, Record<string, readonly string[]>> | undefined)?.[field] ?? {}
}
