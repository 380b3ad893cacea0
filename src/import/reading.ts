/** What an import reads: inputs of operations, each with the place it comes from. */
import type { DecisionInput } from '../decisions/input.ts'
import type { RememberInput } from '../memories/input.ts'

export type Format = 'adr' | 'jsonl' | 'csv'

export interface ImportedItem {
  /** From the root, with `/`. */
  file: string
  /** From 1. */
  line: number
  /** Where it was exported: what other lines of the export call it. */
  id?: string
  /** With an external_id. */
  decision: DecisionInput
}

export interface ImportedMemory {
  file: string
  line: number
  id?: string
  memory: RememberInput
}

/** Something that was not understood, or was decided for the reader. */
export interface ImportNote {
  file: string
  line: number
  message: string
}

export interface Reading {
  /** Name that the external_ids begin with. */
  source: string
  /** Absolute. */
  root: string
  format: Format
  items: ImportedItem[]
  memories: ImportedMemory[]
  notDecisions: { file: string; reason: string }[]
  notes: ImportNote[]
}
