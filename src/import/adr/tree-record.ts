import type { DecisionStatus } from '../../records/record.ts'

/** What is known about a record from its path, from git and from the other records. */
export interface TreeRecord {
  externalId: string
  /** Source name and path of the file. */
  path: string
  url: string | undefined
  title: string
  status: DecisionStatus
  decidedAt: string | undefined
  /** external_ids. */
  supersedes: string[]
  supersessionReason: string | undefined
  related: { relation: 'Amends' | 'Amended by'; externalId: string; title: string; path: string }[]
}
