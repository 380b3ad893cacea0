/** Links: each `supersedes` that can't take effect yet. */
import type { Audience, RecordId, RecordKind, WorkspaceId } from '../ids.ts'
import type { Collection } from '../ports/documents.ts'

export type LinkState = 'target' | 'dated' | 'on_hold' | 'taken' | 'closed'
/** The states of links that may still take effect. */
export const waitingStates: readonly LinkState[] = ['target', 'dated', 'on_hold']

/** A `supersedes` that can't take effect yet: its target is missing, or its instant has not come. */
export interface Link {
  id: string
  workspace: WorkspaceId
  /** The superseding record. */
  successor: RecordId
  /** The id or external_id of the record to supersede. What has the form of a uuid is an id. */
  target: string
  /** An external_id is unique only among the records of one kind. */
  target_kind: RecordKind
  /** The earliest instant at which it takes effect. */
  due: string
  /**
   * target: waits until its target exists. dated: waits for its instant. on_hold: its successor is a
   * proposal or was rejected. taken: done, but only this link and the target's row know it, because some readers of the
   * successor may not see the target. closed: done or void.
   */
  state: LinkState
  /** The audiences of the writer. A record outside of them can't be its target. */
  audiences: Audience[]
  reason: string | null
  /** The number of the entry that changed it last. It only increases. */
  entry: number
}

export const links: Collection<Link> = {
  name: 'links',
  fields: {
    id: 'string',
    workspace: 'interned',
    successor: 'string',
    target: 'string',
    target_kind: 'interned',
    due: 'instant',
    state: 'interned',
    audiences: 'internedJson',
    reason: 'string',
    entry: 'integer',
  },
  unique: [],
  indexes: [
    ['workspace', 'target', 'state'],
    ['workspace', 'successor', 'state'],
    ['state', 'due'],
  ],
}

/** A link as an outcome proposes it: its entry does not exist yet. */
export type DraftLink = Omit<Link, 'workspace' | 'entry'>

/** The id is made of record and target, so naming a target again gives the same link. */
export function linkOf(link: Omit<DraftLink, 'id'>): DraftLink {
  return { id: `${link.successor}/${link.target}`, ...link }
}

/**
 * A link of its own from the same successor to a record that has the external_id of `link`. The link itself waits on,
 * because not everyone who sees its successor sees this record.
 */
export function linkBeside(
  { workspace: _, entry: __, id: ___, ...draft }: Link,
  change: Partial<DraftLink>,
): DraftLink {
  return linkOf({ ...draft, ...change })
}

/** A link in another state, or pointing to the record that its external_id now names. */
export function movedLink({ workspace: _, entry: __, ...draft }: Link, change: Partial<DraftLink>): DraftLink {
  return { ...draft, ...change }
}
