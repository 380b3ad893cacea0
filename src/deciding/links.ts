/** The links at head, as decide reads them. */
import type { RecordId, RecordKind } from '../ids.ts'
import type { Link } from '../records/link.ts'
import type { DocumentLookup, StateAtHead } from './state-at-head.ts'

/** Links that wait for a target of this kind with this external_id or id. Those on hold wait for their successor too. */
export async function linksTo(state: StateAtHead, kind: RecordKind, target: string): Promise<Link[]> {
  const found = await state.documents('links', 'target', target)
  return found.filter((link) => link.state !== 'dated' && link.target_kind === kind)
}

/** What linksTo will look up. */
export function linksToLookup(target: string): DocumentLookup {
  return { name: 'links', field: 'target', value: target }
}

/** Links of a successor that may still take effect. */
export async function waitingLinksOf(state: StateAtHead, successor: RecordId): Promise<Link[]> {
  return (await state.documents('links', 'successor', successor)).filter((link) => link.state !== 'taken')
}

/** Records that it supersedes but that its row does not name (LinkState: taken). */
export async function takenBy(state: StateAtHead, successor: RecordId): Promise<RecordId[]> {
  const found = await state.documents('links', 'successor', successor)
  return found.flatMap((link) => (link.state === 'taken' ? [link.target as RecordId] : []))
}
