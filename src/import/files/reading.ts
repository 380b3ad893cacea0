/** The result of reading: inputs of operations, each with its file and line. */
import type { DecisionInput } from '../../decisions/input.ts'
import type { OutcomeImportItem } from '../../decisions/outcome-input.ts'
import type { RememberInput } from '../../memories/input.ts'
import type { TaskImportItem } from '../../tasks/import-item.ts'

/** Why a file that looks like a record was not read. */
export const otherFormat = 'not read: only Markdown, reStructuredText and AsciiDoc are'
/** Tells files that were not read from those that are no decisions. */
export const isUnread = ({ reason }: { reason: string }) => reason.startsWith('not read')

export type Format = 'adr' | 'jsonl' | 'csv'

/** Where the date of a decision record was found. `name`: of its file or folder. */
export type DateOrigin = 'text' | 'name' | 'git'

export interface ImportedItem {
  /** Path from the root, with `/`. */
  file: string
  /** Counted from 1. */
  line: number
  /** The id in the store that it was exported from. Other lines of the export refer to it by this id. */
  id?: string
  /** Only of decision records that have a date. */
  datedBy?: DateOrigin
  /** Always has an external_id. */
  decision: DecisionInput
  /** The external_ids of the decisions that it amends. Only of decision records. */
  amends?: string[]
  /** The external_ids of the decisions that amend it. Only of decision records. */
  amendedBy?: string[]
  /** How it worked out, in the order in which they are recorded. */
  outcomes: OutcomeImportItem[]
}

export interface ImportedMemory {
  file: string
  line: number
  id?: string
  memory: RememberInput
}

export interface ImportedTask {
  file: string
  line: number
  id?: string
  task: TaskImportItem
}

/** Something that was not understood, or that the import had to guess. */
export interface ImportNote {
  file: string
  line: number
  message: string
  /** The item itself was imported. */
  remark?: boolean
  /** Other files for which it is true too, and the message about one of them alone. */
  others?: { files: string[]; message: string }
}

export interface Reading {
  /** The beginning of the external_ids. */
  source: string
  /** Absolute path. */
  root: string
  format: Format
  items: ImportedItem[]
  memories: ImportedMemory[]
  tasks: ImportedTask[]
  notDecisions: { file: string; reason: string }[]
  notes: ImportNote[]
}

/** One thing read, in the order of files and lines. */
export type ImportedRow =
  | ({ kind: 'decision' } & ImportedItem)
  | ({ kind: 'memory' } & ImportedMemory)
  | ({ kind: 'task' } & ImportedTask)
  | ({ kind: 'note' } & ImportNote)
  | { kind: 'not_decision'; file: string; reason: string }
