/** Search documents as they lie in an index, also in the form of those that are refused whole. */
import type { Candidate, SearchDocument, Vector } from '../../ports/search.ts'
import { termsText } from '../../text/frequencies.ts'
import { samplesOf } from './samples.ts'
import { fieldOf, type VectorField } from './vectors.ts'

/** What a search hands out of a document. */
export interface Shown {
  record_id: string
  valid_from: string
  valid_to: string | null
  /** Its distinct terms with their frequencies (text/frequencies.ts). */
  terms: string
}

export interface Stored {
  workspace: string
  /** Missing in a tombstone, and so in all that a caller sees: every clause asks for audiences. */
  audience?: string
  kind?: Candidate['kind']
  category?: string
  significance?: string
  surface?: string
  entity_types?: string[]
  /** ms */
  valid_from?: number
  valid_to?: number
  tokens?: string
  length?: number
  /** Its version: what is newest has the highest. */
  sequence?: number
  samples?: string[]
  space?: string
  [vector: VectorField]: number[]
  shown?: Shown
}

export function storedOf(document: SearchDocument): Stored {
  const { workspace, tombstone, audience, kind, category, significance, surface, entity_types, tokens } = document
  if (tombstone) return { workspace }
  return {
    workspace,
    audience,
    kind,
    ...(category === null ? {} : { category }),
    ...(significance === null ? {} : { significance }),
    ...(surface === null ? {} : { surface }),
    entity_types,
    ...instant('valid_from', document.valid_from),
    ...instant('valid_to', document.valid_to),
    tokens: tokens.join(' '),
    length: tokens.length,
    sequence: document.version,
    samples: samplesOf(document.id),
    ...(document.vector === undefined ? {} : vectorIn(document.vector)),
    shown: {
      record_id: document.record_id,
      valid_from: document.valid_from,
      valid_to: document.valid_to,
      terms: termsText(frequenciesOf(tokens)),
    },
  }
}

function vectorIn(vector: Vector): Pick<Stored, 'space'> & { [field: VectorField]: number[] } {
  const { space, values } = vector
  const field: { [field: VectorField]: number[] } = { [fieldOf(vector)]: Array.from(values) }
  return { space, ...field }
}

/** Of a reduced form: the first tokens are those of the title. */
const tokensKept = 500
const charactersKept = 64
const valuesKept = 20

/** What is left of a document that was refused: id, filters, title and the beginning of its text. */
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
  }
}

function frequenciesOf(tokens: readonly string[]): Map<string, number> {
  const frequencies = new Map<string, number>()
  for (const token of tokens) frequencies.set(token, (frequencies.get(token) ?? 0) + 1)
  return frequencies
}

/** Without it where the text is none: a document is never refused for that. */
function instant<Name extends string>(name: Name, text: string | null): { [name in Name]?: number } {
  const ms = text === null ? Number.NaN : Date.parse(text)
  return (Number.isNaN(ms) ? {} : { [name]: ms }) as { [name in Name]?: number }
}
