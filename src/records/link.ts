/** A link (a `supersedes` that waits) as an outcome proposes it: its entry does not exist yet. */
import type { Link } from '../journal/entry.ts'

export type DraftLink = Omit<Link, 'workspace' | 'entry'>

/** The id is made of record and target, so naming a target again gives the same link. */
export function linkOf(link: Omit<DraftLink, 'id'>): DraftLink {
  return { id: `${link.successor}/${link.target}`, ...link }
}

/** A link in another state, or pointing to the record that its external_id now names. */
export function movedLink({ workspace: _, entry: __, ...draft }: Link, change: Partial<DraftLink>): DraftLink {
  return { ...draft, ...change }
}
