/** A `supersedes` that waits, as an outcome proposes it: the entry that is made of it is only known then. */
import type { Link } from '../journal/entry.ts'

export type DraftLink = Omit<Link, 'workspace' | 'entry'>

/** One for each record and each of its targets: named again, it is the same. */
export function linkOf(link: Omit<DraftLink, 'id'>): DraftLink {
  return { id: `${link.successor}/${link.target}`, ...link }
}

/** Into another state, or to the target that has come. */
export function movedLink({ workspace: _, entry: __, ...draft }: Link, change: Partial<DraftLink>): DraftLink {
  return { ...draft, ...change }
}
