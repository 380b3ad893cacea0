/** What the page of the import and its thread say to each other. */
import type { Found } from '../../cli/import/found.ts'
import type { Outcome } from '../../cli/import/report.ts'

/** A file that the reader chose. */
export interface ChosenFile {
  /** From the folder that was chosen, with `/`. */
  path: string
  file: File
}

export type ToThread =
  | {
      type: 'read'
      /** The name of the folder that was chosen. Empty: single files were. */
      root: string
      files: readonly ChosenFile[]
      /** The beginning of external ids. Empty: it is made from the folder. */
      source: string
      /** The address of the thread that translates other formats. */
      translator: string
    }
  | {
      type: 'import'
      /** Of the service, without a slash at the end. */
      url: string
      key: string
    }

export type FromThread =
  | { type: 'reading'; files: number; of: number }
  | ({ type: 'found' } & WhatWasFound)
  | { type: 'progress'; done: number; of: number; beside: string }
  | { type: 'retrying'; reason: string }
  | { type: 'ended'; outcome: Outcome; batchIds: string[]; seconds: number; isResumed: boolean }
  /** `sent`: how many records were sent before it failed. */
  | { type: 'failed'; message: string; sent?: number }

export interface WhatWasFound {
  found: Found
  records: ShownRecord[]
  /** Notes that do not belong to a single record above. */
  notes: ShownNote[]
}

export interface ShownNote {
  file: string
  line: number
  message: string
}

/** A record as the page shows it. Long texts are cut. */
export interface ShownRecord {
  kind: 'decision' | 'memory' | 'task'
  file: string
  line: number
  title: string
  status?: string
  /** ISO 8601. */
  date?: string
  /** Where the date was found. Left out: in the text. */
  dateFrom?: 'name' | 'git'
  /** The beginning of the judgment, of the memory or of the description. */
  beginning: string
  /** The other fields, by what they are called. */
  facts: [label: string, values: string[]][]
  notes: ShownNote[]
}
