/** What is known of records that were imported from the files of a repository. */
import type { Envelope } from './record.ts'

/** Whether it is a decision record of a repository. */
export function isImported({ surface }: Pick<Envelope, 'surface'>): boolean {
  return surface === 'adr'
}

/** Whether its file tells no date. Such a record holds from its import on, and may be much older. */
export function isUndated(record: Pick<Envelope, 'surface' | 'valid_from' | 'created_at'>): boolean {
  return isImported(record) && record.valid_from === record.created_at
}

/** Its day for people. The day of its import says nothing about an undated record. */
export function dateTold(record: Pick<Envelope, 'surface' | 'valid_from' | 'created_at'>): string {
  return isUndated(record) ? undated : record.valid_from.slice(0, 10)
}

export const undated = 'no date'

/** Whether both were imported, from the repositories of different owners. */
export function areOfDifferentOwners(one: Pick<Envelope, 'sources'>, other: Pick<Envelope, 'sources'>): boolean {
  const [ownerOfOne, ownerOfOther] = [ownerOf(one), ownerOf(other)]
  return ownerOfOne !== undefined && ownerOfOther !== undefined && ownerOfOne !== ownerOfOther
}

/** `acme` of the path `acme/web/docs/adr/1.md`. */
function ownerOf({ sources }: Pick<Envelope, 'sources'>): string | undefined {
  for (const { provenance } of sources) if (provenance.class === 'repo') return provenance.path.split('/')[0]
  return undefined
}

/** Whether they may be about different companies: their repositories have different owners, or only one was imported. */
export function mayBeOfDifferentOwners(
  one: Pick<Envelope, 'surface' | 'sources'>,
  other: Pick<Envelope, 'surface' | 'sources'>,
): boolean {
  const areBothKnown = ownerOf(one) !== undefined && ownerOf(other) !== undefined
  return areBothKnown ? areOfDifferentOwners(one, other) : isImported(one) !== isImported(other)
}

/** Whether what the newer one says can replace what the older one says, as far as their origin tells. */
export function canOutdate(
  newer: Pick<Envelope, 'surface' | 'valid_from' | 'created_at' | 'sources'>,
  older: Pick<Envelope, 'sources'>,
): boolean {
  return !isUndated(newer) && !areOfDifferentOwners(newer, older)
}
