/**
 * Documents of further collections that an outcome and its entry hold in addition to rows, such as links. To
 * add a collection, add its name and type to EntryDocuments, and a projection of it to src/projections.ts.
 */
import type { WorkspaceId } from '../ids.ts'
import type { Collection } from '../ports/documents.ts'
import type { Format } from '../receipt.ts'
import type { Activity } from './activity.ts'
import type { Link } from './link.ts'
import type { RunStateDocument } from './run.ts'
import type { Succession } from './succession.ts'
import type { TaskParent } from './task-parent.ts'

/**
 * From the name of a collection to the type of its documents. An outer folder adds its collections beside their types,
 * with `declare module '…/records/entry-documents.ts' { interface EntryDocuments { … } }`.
 */
export interface EntryDocuments {
  links: Link
  successions: Succession
  activities: Activity
  task_parents: TaskParent
  run_states: RunStateDocument
}
export type DocumentName = keyof EntryDocuments

/** What all these documents have. The entry being built sets `workspace` and `entry`. */
export interface EntryDocument {
  id: string
  workspace: WorkspaceId
  /** The number of the entry that wrote it last. It only increases. */
  entry: number
}

/** A document as an outcome proposes it: its entry does not exist yet. */
export type Draft<Name extends DocumentName> = Omit<EntryDocuments[Name], 'workspace' | 'entry'>
export type Drafts = { readonly [Name in DocumentName]?: readonly Draft<Name>[] }

/** The documents of an entry. */
export type DocumentsByName = { [Name in DocumentName]?: EntryDocuments[Name][] }

/** How a collection is written, and how decide finds its documents. */
export interface EntryCollection<Name extends DocumentName = DocumentName> {
  name: Name
  collection: Collection<EntryDocuments[Name]>
  /**
   * once: the first document of an id stays, and an outcome must not propose another. newest: the document of the
   * newest entry replaces earlier ones.
   */
  keeps: 'once' | 'newest'
  /**
   * The fields by which decide finds documents (`state.documents`), each with the values of other fields that are
   * looked for. A declared index must serve them. Left out: decide does not read this collection.
   */
  lookups?: {
    readonly [Field in DocumentField<Name>]?: { readonly [Other in DocumentField<Name>]?: readonly string[] }
  }
  /** The format of entries with such documents. Default: the first. */
  format?: Format
}

export type DocumentField<Name extends DocumentName> = keyof EntryDocuments[Name] & string
