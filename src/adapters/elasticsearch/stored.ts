/** The stored form of search documents, and the reduced form of documents that were refused. */
import type { Candidate, SearchDocument, Vector } from '../../ports/search.ts'
import { placesText } from '../../text/places.ts'
import { samplesOf } from './samples.ts'

export type VectorField = `vector_${number}`

export function fieldOf({ values }: Pick<Vector, 'values'>): VectorField {
  return `vector_${values.length}`
}

/** The part of a document that a search returns. */
export interface Shown {
  record_id: string
  valid_from: string
  valid_to: string | null
  /** The distinct terms with their places (text/places.ts). */
  terms: string
}

export interface Stored {
  workspace: string
  /** A tombstone has none. So no caller sees a tombstone, because every query filters by audience. */
  audience?: string
  kind?: Candidate['kind']
  category?: string
  significance?: string
  surface?: string
  entity_types?: string[]
  tags?: string[]
  /** ms. */
  valid_from?: number
  valid_to?: number
  dated?: number
  tokens?: string
  length?: number
  /** The version of the document. The newest document has the highest. */
  sequence?: number
  samples?: string[]
  space?: string
  [vector: VectorField]: number[]
  shown?: Shown
}

export function storedOf(document: SearchDocument): Stored {
  const { workspace, tombstone, audience, kind, category, significance, surface, entity_types, tags, tokens } = document
  if (tombstone) return { workspace }
  return {
    workspace,
    audience,
    kind,
    ...(category === null ? {} : { category }),
    ...(significance === null ? {} : { significance }),
    ...(surface === null ? {} : { surface }),
    entity_types,
    tags,
    ...instant('valid_from', document.valid_from),
    ...instant('valid_to', document.valid_to),
    ...instant('dated', document.dated ?? document.valid_from),
    tokens: tokens.join(' '),
    length: tokens.length,
    sequence: document.version,
    samples: samplesOf(document.id),
    ...(document.vector === undefined ? {} : vectorIn(document.vector)),
    shown: {
      record_id: document.record_id,
      valid_from: document.valid_from,
      valid_to: document.valid_to,
      terms: placesText(tokens),
    },
  }
}

function vectorIn(vector: Vector): Pick<Stored, 'space'> & { [field: VectorField]: number[] } {
  const { space, values } = vector
  const field: { [field: VectorField]: number[] } = { [fieldOf(vector)]: Array.from(values) }
  return { space, ...field }
}

/** Limits of the reduced form. The title comes first in the tokens. */
const tokensKept = 500
const charactersKept = 64
const valuesKept = 20

/** The reduced form of a refused document: id, filters, title and the beginning of its text. */
export function reducedOf(document: SearchDocument): SearchDocument {
  const cut = (value: string | null) => value?.slice(0, charactersKept) ?? null
  const { vector: _, ...words } = document
  return {
    ...words,
    tokens: document.tokens.slice(0, tokensKept).map((token) => token.slice(0, charactersKept)),
    category: cut(document.category),
    significance: cut(document.significance),
    surface: cut(document.surface),
    entity_types: document.entity_types.slice(0, valuesKept).map((type) => type.slice(0, charactersKept)),
    tags: document.tags.slice(0, valuesKept).map((tag) => tag.slice(0, charactersKept)),
  }
}

/** Leaves the field out if the text is not a date, so that the document is not refused. */
function instant<Name extends string>(name: Name, text: string | null): { [name in Name]?: number } {
  const ms = text === null ? Number.NaN : Date.parse(text)
  return (Number.isNaN(ms) ? {} : { [name]: ms }) as { [name in Name]?: number }
}
